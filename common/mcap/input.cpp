// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/input.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "common/clouds/cloud_header.h"

namespace rdp::mcap {

int FileInput::open(const std::string& path) {
  name_ = path;
  return file_.open(path.c_str());
}

void FileInput::read(std::uint64_t offset, std::span<std::byte> out) const {
  try {
    file_.read(name_, offset, out);
  } catch (const clouds::CloudError& error) {
    throw McapError(McapError::Kind::kFile, error.what(), offset);
  }
}

ByteSpan InputWindow::view(std::uint64_t offset, std::uint64_t size) {
  if (offset < start_ || offset - start_ > held_ || size > held_ - (offset - start_)) {
    constexpr std::uint64_t kWindow = 8192;
    const std::uint64_t wanted = std::min(std::max(size, kWindow), input_.size() - offset);
    held_ = 0;
    input_.read(offset, {buffer_.ensure(wanted), static_cast<std::size_t>(wanted)});
    start_ = offset;
    held_ = wanted;
  }
  return {buffer_.data() + (offset - start_), static_cast<std::size_t>(size)};
}

RecordHead InputWindow::peek(std::uint64_t offset) {
  const std::uint64_t left = input_.size() - std::min(offset, input_.size());
  RecordHead head;
  if (left < kRecordHead) return head;
  const ByteSpan bytes = view(offset, kRecordHead);
  head.opcode = static_cast<std::uint8_t>(bytes[0]);
  std::memcpy(&head.length, bytes.data() + 1, sizeof head.length);
  head.whole = head.length <= left - kRecordHead;
  return head;
}

RecordHead InputWindow::head(std::uint64_t offset) {
  const RecordHead head = peek(offset);
  if (!head.whole) {
    fail_damaged(input_.place(offset), "record",
                 "one of " + std::to_string(head.length) + " bytes, beyond the end",
                 "a whole one; the file has " + std::to_string(input_.size()) + " bytes");
  }
  return head;
}

RecordView InputWindow::record(std::uint64_t offset, const RecordHead& head) {
  const Place place = input_.place(offset);
  if (head.length > kMaxChunkBytes) {
    fail_damaged(place, "record", std::to_string(head.length) + " bytes",
                 "at most " + std::to_string(kMaxChunkBytes));
  }
  return {head.opcode, view(offset + kRecordHead, head.length), place};
}

std::uint64_t InputWindow::chunk_head(std::uint64_t offset, std::uint64_t length, Chunk* chunk) {
  // Names of codecs have no more than 32 characters.
  constexpr std::uint64_t kLongest = 80;
  const ByteSpan fields = view(offset + kRecordHead, std::min(length, kLongest));
  const std::uint64_t head = fields.size() - decode(fields, input_.place(offset), chunk).size();
  if (chunk->records_size != length - head) {
    fail_damaged(
        input_.place(offset), "chunk", std::to_string(chunk->records_size) + " bytes of records",
        "the " + std::to_string(length - head) + " that the chunk has; the file is damaged");
  }
  return kRecordHead + head;
}

void ChunkReader::read(std::uint64_t offset, ChunkData* data) {
  const Place place = input_.place(offset);
  const RecordHead head = window_.head(offset);
  if (!head.is(Opcode::kChunk)) {
    fail_damaged(place, "index of chunks", "a record of kind " + std::to_string(head.opcode),
                 "a chunk; the index is of another file, or damaged");
  }
  const std::uint64_t start = offset + window_.chunk_head(offset, head.length, &chunk_);
  const std::uint64_t size = chunk_.uncompressed_size;
  // Compressed records of more bytes than uncompressed ones may have come from other writers.
  if (size > kMaxChunkBytes || chunk_.records_size > 2 * kMaxChunkBytes) {
    fail_damaged(place, "uncompressed_size",
                 std::to_string(size) + " (in " + std::to_string(chunk_.records_size) + ")",
                 "at most " + std::to_string(kMaxChunkBytes) +
                     "; the file is damaged, or write it with smaller chunks");
  }
  data->size = 0;
  if (chunk_.compression.empty()) {
    if (chunk_.records_size != size) {
      fail_damaged(place, "uncompressed_size", std::to_string(size),
                   std::to_string(chunk_.records_size) + ", the number of bytes that there are");
    }
    input_.read(start, {data->memory.ensure(size), static_cast<std::size_t>(size)});
  } else {
    const auto packed_size = static_cast<std::size_t>(chunk_.records_size);
    const std::span<std::byte> packed(packed_.ensure(packed_size), packed_size);
    input_.read(start, packed);
    check_compressed(chunk_.compression, packed, size, place);
    decompressor_.decompress(chunk_.compression, packed,
                             {data->memory.ensure(size), static_cast<std::size_t>(size)}, place);
  }
  const std::uint32_t crc = chunk_.uncompressed_crc == 0
                                ? 0
                                : crc_of({data->memory.data(), static_cast<std::size_t>(size)});
  if (crc != chunk_.uncompressed_crc) {
    fail_damaged(place, "chunk", "the CRC " + std::to_string(crc),
                 std::to_string(chunk_.uncompressed_crc) + "; the file is damaged");
  }
  data->size = static_cast<std::size_t>(size);
}

}  // namespace rdp::mcap
