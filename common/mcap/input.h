// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_INPUT_H_
#define RDP_COMMON_MCAP_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/clouds/input_file.h"
#include "common/image/grow_buffer.h"
#include "common/mcap/codecs.h"
#include "common/mcap/records.h"

namespace rdp::mcap {

// The bytes of a file. Several threads may read.
class Input {
 public:
  virtual ~Input() = default;
  // Named in messages.
  virtual const std::string& name() const = 0;
  virtual std::uint64_t size() const = 0;
  // Reads all of `out`, which is within the size. Throws McapError (kFile).
  virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;

  Place place(std::uint64_t offset) const { return {name(), offset}; }
};

class FileInput : public Input {
 public:
  // Returns 0 or an errno: EINVAL if it is no regular file.
  int open(const std::string& path);
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return file_.size(); }
  void read(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::string name_;
  clouds::InputFile file_;
};

struct RecordHead {
  std::uint8_t opcode = 0;
  std::uint64_t length = 0;  // of the content
  bool whole = false;        // the file has all of the record
  bool is(Opcode other) const { return opcode == static_cast<std::uint8_t>(other); }
};

// Looks at a file in small pieces, from its beginning to its end.
class InputWindow {
 public:
  explicit InputWindow(const Input& input) : input_(input) {}
  // Bytes that are within the file, valid until the next call.
  ByteSpan view(std::uint64_t offset, std::uint64_t size);

  RecordHead peek(std::uint64_t offset);
  // peek(), but throws McapError if the record is not whole.
  RecordHead head(std::uint64_t offset);
  // Reads the record at `offset` with this head into memory. Throws McapError if it is larger than
  // a chunk may be.
  RecordView record(std::uint64_t offset, const RecordHead& head);
  // Decodes the fields of the chunk at `offset`, whose content has `length` bytes within the file.
  // Returns how many bytes of the record lie before its records. Throws McapError.
  std::uint64_t chunk_head(std::uint64_t offset, std::uint64_t length, Chunk* chunk);

 private:
  const Input& input_;
  GrowBuffer<std::byte> buffer_;
  std::uint64_t start_ = 0;
  std::uint64_t held_ = 0;
};

// The records of a chunk, uncompressed.
struct ChunkData {
  GrowBuffer<std::byte> memory;
  std::size_t size = 0;
  ByteSpan bytes() const { return {memory.data(), size}; }
};

// Reads chunks, checks them and decompresses them. Keeps its memory.
class ChunkReader {
 public:
  explicit ChunkReader(const Input& input) : input_(input), window_(input) {}
  // Reads the chunk at `offset`. Throws McapError; for an impossible size before anything is
  // allocated.
  void read(std::uint64_t offset, ChunkData* data);

 private:
  const Input& input_;
  InputWindow window_;
  Decompressor decompressor_;
  Chunk chunk_;
  GrowBuffer<std::byte> packed_;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_INPUT_H_
