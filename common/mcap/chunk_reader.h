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

struct RecordHead {
  std::uint8_t opcode = 0;
  std::uint64_t length = 0;  // of the content
  bool whole = false;        // the file has all of the record
};
RecordHead peek_head(const Input& input, InputWindow* window, std::uint64_t offset);
// The same. Throws McapError where the record is not whole.
RecordHead head_at(const Input& input, InputWindow* window, std::uint64_t offset);
// The record at `offset` that has this head, all of it in memory. Throws McapError where it is
// larger than a chunk may be.
RecordView record_at(const Input& input, InputWindow* window, std::uint64_t offset,
                     const RecordHead& head);

// Decodes the fields of the chunk at `offset`, whose content has `length` bytes within the file.
// Returns how many bytes of the record lie before its records. Throws McapError.
std::uint64_t read_chunk_head(const Input& input, InputWindow* window, std::uint64_t offset,
                              std::uint64_t length, Chunk* chunk);

// Reads chunks, checks them and decompresses them. Keeps its memory.
class ChunkReader {
 public:
  explicit ChunkReader(const Input& input) : input_(input), window_(input) {}
  // The chunk at `offset`. Throws McapError, before anything is allocated by a number that cannot
  // be right.
  void read(std::uint64_t offset, ChunkData* data);

 private:
  const Input& input_;
  InputWindow window_;
  Decompressor decompressor_;
  Chunk chunk_;
  GrowBuffer<std::byte> packed_;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_CHUNK_READER_H_
