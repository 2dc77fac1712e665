// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/definitions.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace rdp::mcap {

namespace {

constexpr std::size_t kIdAt = kRecordHead;  // both kinds of record begin with the id

}  // namespace

std::uint16_t Definitions::add_schema(std::string_view name, std::string_view encoding,
                                      std::string_view data) {
  Bytes record;
  encode(Schema{0, std::string(name), std::string(encoding), std::string(data)}, &record);
  return add(Opcode::kSchema, &newest_schema_, std::move(record));
}

std::uint16_t Definitions::add_channel(Channel channel) {
  channel.id = 0;
  Bytes record;
  encode(channel, &record);
  return add(Opcode::kChannel, &newest_channel_, std::move(record));
}

std::uint16_t Definitions::add(Opcode opcode, std::uint16_t* newest, Bytes record) {
  const std::lock_guard lock(mutex_);
  const ByteSpan rest = ByteSpan(record).subspan(kIdAt + 2);
  for (const Definition& other : definitions_) {
    if (other.opcode == opcode &&
        std::ranges::equal(ByteSpan(other.record).subspan(kIdAt + 2), rest)) {
      return other.id;
    }
  }
  if (*newest == std::numeric_limits<std::uint16_t>::max()) {
    throw std::length_error("found 65536 different schemas or channels, expected at most 65535");
  }
  const auto id = static_cast<std::uint16_t>(*newest + 1);
  std::memcpy(record.data() + kIdAt, &id, sizeof id);
  definitions_.push_back({opcode, id, std::move(record)});
  *newest = id;
  return id;
}

std::size_t Definitions::count() const {
  const std::lock_guard lock(mutex_);
  return definitions_.size();
}

void Definitions::append(std::size_t first, std::size_t last, ByteSpan padding, Bytes* out) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = first; i < last; ++i) append_padded(definitions_[i].record, padding, out);
}

std::size_t Definitions::append(Opcode opcode, std::size_t last, ByteSpan padding,
                                Bytes* out) const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (std::size_t i = 0; i < last; ++i) {
    if (definitions_[i].opcode != opcode) continue;
    append_padded(definitions_[i].record, padding, out);
    ++count;
  }
  return count;
}

void append_padded(ByteSpan record, ByteSpan padding, Bytes* out) {
  const std::size_t start = out->size();
  out->insert(out->end(), record.begin(), record.end());
  out->insert(out->end(), padding.begin(), padding.end());
  finish_record(start, out);
}

}  // namespace rdp::mcap
