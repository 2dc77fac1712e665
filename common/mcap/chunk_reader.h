// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_CHUNK_READER_H_
#define RDP_COMMON_MCAP_CHUNK_READER_H_

#include <cstdint>

#include "common/image/grow_buffer.h"
#include "common/mcap/codecs.h"
#include "common/mcap/input.h"
#include "common/mcap/records.h"

namespace rdp::mcap {

// The records of a chunk, uncompressed.
struct ChunkData {
  GrowBuffer<std::byte> memory;
  std::size_t size = 0;
  ByteSpan bytes() const { return {memory.data(), size}; }
};

// The head of a record at `offset`. Throws McapError where the file ends before the record does.
struct RecordHead {
  std::uint8_t opcode = 0;
  std::uint64_t length = 0;  // of the content
};
RecordHead head_at(const Input& input, InputWindow* window, std::uint64_t offset);

// Reads chunks, checks them and decompresses them. Keeps its memory.
class ChunkReader {
 public:
  explicit ChunkReader(const Input& input) : input_(input), window_(input) {}
  // The chunk at `offset`, whose record has `length` bytes with its head. Throws McapError.
  void read(std::uint64_t offset, std::uint64_t length, ChunkData* data);

 private:
  const Input& input_;
  InputWindow window_;
  Decompressor decompressor_;
  Chunk chunk_;
  GrowBuffer<std::byte> packed_;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_CHUNK_READER_H_
