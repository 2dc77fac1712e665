// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/open_chunk.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace rdp::mcap {

namespace {

void append(ByteSpan bytes, Bytes* out) { out->insert(out->end(), bytes.begin(), bytes.end()); }

}  // namespace

void OpenChunk::add(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time,
                    std::uint64_t publish_time, std::span<const ByteSpan> pieces) {
  std::uint64_t data_size = 0;
  for (const ByteSpan piece : pieces) data_size += piece.size();
  const std::uint64_t needed = data_.size() + size_of(data_size);
  if (needed > kMaxChunkBytes) {
    throw std::length_error("found a chunk of " + std::to_string(needed) +
                            " bytes, expected at most " + std::to_string(kMaxChunkBytes));
  }
  // Everything that may throw comes before any change.
  if (needed > data_.capacity()) {
    data_.reserve(std::max<std::size_t>(needed, data_.capacity() + data_.capacity() / 2));
  }
  if (channel >= indexes_.size()) indexes_.resize(channel + std::size_t{1});
  TimeOffsets& index = indexes_[channel];
  if (index.empty()) channels_.reserve(channels_.size() + 1);
  index.emplace_back(log_time, data_.size());
  if (index.size() == 1) channels_.push_back(channel);

  std::array<std::byte, kRecordHead + Message::kFixedBytes> head;
  std::byte* to = head.data();
  const auto put = [&to](auto value) {
    std::memcpy(to, &value, sizeof value);
    to += sizeof value;
  };
  put(Opcode::kMessage);
  put(std::uint64_t{Message::kFixedBytes + data_size});
  put(channel);
  put(sequence);
  put(log_time);
  put(publish_time);
  append(head, &data_);
  for (const ByteSpan piece : pieces) append(piece, &data_);

  ++messages_;
  start_time_ = std::min(start_time_, log_time);
  end_time_ = std::max(end_time_, log_time);
}

void OpenChunk::add_definition(ByteSpan record) { append(record, &data_); }

void OpenChunk::clear() {
  data_.clear();
  for (const std::uint16_t channel : channels_) indexes_[channel].clear();
  channels_.clear();
  messages_ = 0;
  start_time_ = std::numeric_limits<std::uint64_t>::max();
  end_time_ = 0;
}

}  // namespace rdp::mcap
