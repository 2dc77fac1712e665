// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_CODECS_H_
#define RDP_COMMON_MCAP_CODECS_H_

#include <cstddef>
#include <memory>
#include <string_view>

#include "common/image/grow_buffer.h"
#include "common/mcap/records.h"

// Compression of chunks. zstd and lz4 (frame format) are available if their libraries were present
// at build time.
namespace rdp::mcap {

enum class Compression { kNone, kZstd, kLz4 };

// The name in a file: "" for none.
std::string_view name_of(Compression compression);
bool is_built_in(Compression compression);

// A library's context with its deleter. Created on first use.
using CodecContext = std::unique_ptr<void, void (*)(void*)>;

// Keeps its memory.
class Compressor {
 public:
  // kNone, or a codec that is built in.
  Compressor(Compression compression, int level) : compression_(compression), level_(level) {}

  Compression compression() const { return compression_; }
  // The compressed bytes, valid until the next call; empty if they are not fewer. Throws
  // std::bad_alloc.
  ByteSpan compress(ByteSpan bytes);

 private:
  CodecContext zstd_{nullptr, nullptr};
  Compression compression_;
  int level_;
  GrowBuffer<std::byte> out_;
};

// Throws McapError, before anything is allocated, if `compressed` cannot become `size` bytes. Then
// zstd's frame states another size, or the codec cannot expand so few bytes that much.
// kUnsupported: the codec is not built in.
void check_compressed(std::string_view compression, ByteSpan compressed, std::uint64_t size,
                      const Place& place);

// Keeps its memory.
class Decompressor {
 public:
  // Fills `out`, whose size was checked. Throws McapError.
  void decompress(std::string_view compression, ByteSpan compressed, std::span<std::byte> out,
                  const Place& place);

 private:
  CodecContext zstd_{nullptr, nullptr};
  CodecContext lz4_{nullptr, nullptr};
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_CODECS_H_
