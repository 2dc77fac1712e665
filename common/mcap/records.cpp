// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/records.h"

#include <zlib.h>

namespace rdp::mcap {

void FieldWriter::put(const std::string& value) {
  put(static_cast<std::uint32_t>(value.size()));
  append(std::as_bytes(std::span(value)));
}

void FieldWriter::put(const TextMap& value) {
  std::size_t size = 0;
  for (const auto& [key, text] : value) size += 8 + key.size() + text.size();
  put(static_cast<std::uint32_t>(size));
  for (const auto& [key, text] : value) (*this)(key, text);
}

void FieldWriter::put(const ChannelMap& value) {
  put(static_cast<std::uint32_t>(10 * value.size()));
  for (const auto& [channel, count] : value) (*this)(channel, count);
}

void FieldWriter::put(const TimeOffsets& value) {
  put(static_cast<std::uint32_t>(16 * value.size()));
  static_assert(sizeof(TimeOffsets::value_type) == 16);
  append(std::as_bytes(std::span(value)));
}

void FieldWriter::put(const LongBytes& value) {
  put(std::uint64_t{value.bytes.size()});
  append(value.bytes);
}

ByteSpan FieldReader::take(std::uint64_t size) {
  if (size > left_.size()) {
    Place place = place_;
    place.offset += kRecordHead + static_cast<std::size_t>(left_.data() - start_);
    fail_damaged(place, name_, std::to_string(size) + " bytes",
                 "at most the " + std::to_string(left_.size()) + " that the record has left");
  }
  const ByteSpan taken = left_.first(static_cast<std::size_t>(size));
  left_ = left_.subspan(taken.size());
  return taken;
}

void FieldReader::get(std::string* value) {
  std::uint32_t size = 0;
  get(&size);
  const ByteSpan bytes = take(size);
  value->assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void FieldReader::get(TextMap* value) {
  std::uint32_t size = 0;
  get(&size);
  const ByteSpan map = take(size);
  const ByteSpan after = std::exchange(left_, map);
  value->clear();
  while (!left_.empty()) {
    value->emplace_back();
    get(&value->back().first);
    get(&value->back().second);
  }
  left_ = after;
}

template <typename First>
void FieldReader::get(std::vector<std::pair<First, std::uint64_t>>* value) {
  constexpr std::size_t kBytes = sizeof(First) + 8;
  std::uint32_t size = 0;
  get(&size);
  const ByteSpan bytes = take(size);
  if (size % kBytes != 0) {
    fail_damaged(place_, name_, std::to_string(size) + " bytes",
                 "a multiple of " + std::to_string(kBytes));
  }
  value->resize(size / kBytes);
  const std::byte* from = bytes.data();
  for (auto& [first, second] : *value) {
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&second, from + sizeof first, sizeof second);
    from += kBytes;
  }
}
template void FieldReader::get(ChannelMap*);
template void FieldReader::get(TimeOffsets*);

void FieldReader::get(LongBytes* value) {
  std::uint64_t size = 0;
  get(&size);
  value->bytes = take(size);
}

std::size_t begin_record(Opcode opcode, Bytes* out) {
  const std::size_t start = out->size();
  out->resize(start + kRecordHead);
  (*out)[start] = static_cast<std::byte>(opcode);
  return start;
}

void finish_record(std::size_t start, Bytes* out, std::uint64_t more) {
  const std::uint64_t length = out->size() - start - kRecordHead + more;
  std::memcpy(out->data() + start + 1, &length, sizeof length);
}

bool next_record(ByteSpan* left, Place* place, RecordView* record) {
  if (left->empty()) return false;
  std::uint64_t length = 0;
  if (left->size() >= kRecordHead) std::memcpy(&length, left->data() + 1, sizeof length);
  if (left->size() < kRecordHead || length > left->size() - kRecordHead) {
    fail_damaged(*place, "record",
                 left->size() < kRecordHead ? "the end" : std::to_string(length) + " bytes",
                 "a whole record in the " + std::to_string(left->size()) + " bytes that are left");
  }
  const std::size_t size = kRecordHead + static_cast<std::size_t>(length);
  *record = {static_cast<std::uint8_t>(left->front()),
             left->subspan(kRecordHead, size - kRecordHead), *place};
  *left = left->subspan(size);
  place->offset += size;
  return true;
}

std::uint32_t crc_of(ByteSpan bytes, std::uint32_t before) {
  if (bytes.empty()) return before;  // which zlib forgets for a null pointer
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t crc_of_both(std::uint32_t first, std::uint32_t second, std::uint64_t second_size) {
  return static_cast<std::uint32_t>(
      crc32_combine(first, second, static_cast<z_off_t>(second_size)));
}

}  // namespace rdp::mcap
