// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/codecs.h"

#ifdef RDP_HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef RDP_HAVE_LZ4
#include <lz4frame.h>
#endif

#include <new>
#include <string>

#include "common/clouds/text_lines.h"

namespace rdp::mcap {

namespace {

constexpr std::string_view kNames[] = {"", "zstd", "lz4"};

#ifdef RDP_HAVE_ZSTD
constexpr bool kHasZstd = true;
#else
constexpr bool kHasZstd = false;
#endif
#ifdef RDP_HAVE_LZ4
constexpr bool kHasLz4 = true;
#else
constexpr bool kHasLz4 = false;
#endif

// Maximum expansion of a byte: a zstd block of four bytes gives 128 KiB, and an LZ4 byte that
// lengthens a match gives 255.
constexpr std::uint64_t kMaxZstdGrowth = 131072 / 4;
constexpr std::uint64_t kMaxLz4Growth = 255;

[[noreturn]] void fail_unsupported(std::string_view compression, const Place& place) {
  throw McapError(McapError::Kind::kUnsupported, place, "compression", clouds::shown(compression),
                  std::string("none") + (kHasZstd ? ", zstd" : "") + (kHasLz4 ? ", lz4" : "") +
                      "; decompress the file with the tool mcap, or build with that library");
}

[[noreturn]] void fail_compressed(std::string_view compression, const Place& place,
                                  const char* problem) {
  fail_damaged(place, "chunk",
               std::string(compression) + " data that do not decompress (" + problem + ")",
               "those of its uncompressed_size; the file is damaged");
}

// The context in `place`, which is made if there is none.
template <typename Context, auto kFree, typename Create>
[[maybe_unused]] Context* context_in(CodecContext* place, Create create) {
  if (*place == nullptr) {
    *place = {create(), [](void* context) { kFree(static_cast<Context*>(context)); }};
  }
  if (*place == nullptr) throw std::bad_alloc();
  return static_cast<Context*>(place->get());
}

}  // namespace

std::string_view name_of(Compression compression) {
  return kNames[static_cast<std::size_t>(compression)];
}

bool is_built_in(Compression compression) {
  return compression == Compression::kZstd  ? kHasZstd
         : compression == Compression::kLz4 ? kHasLz4
                                            : true;
}

ByteSpan Compressor::compress(ByteSpan bytes) {
  std::size_t size = 0;
#ifdef RDP_HAVE_ZSTD
  if (compression_ == Compression::kZstd) {
    auto* const context = context_in<ZSTD_CCtx, ZSTD_freeCCtx>(&zstd_, ZSTD_createCCtx);
    std::byte* const out = out_.ensure(ZSTD_compressBound(bytes.size()));
    size = ZSTD_compressCCtx(context, out, out_.capacity(), bytes.data(), bytes.size(), level_);
    // Out of memory is the only possible error.
    if (ZSTD_isError(size)) throw std::bad_alloc();
  }
#endif
#ifdef RDP_HAVE_LZ4
  if (compression_ == Compression::kLz4) {
    LZ4F_preferences_t preferences = {};
    preferences.compressionLevel = level_;
    preferences.frameInfo.blockSizeID = LZ4F_max4MB;
    preferences.frameInfo.contentSize = bytes.size();
    std::byte* const out = out_.ensure(LZ4F_compressFrameBound(bytes.size(), &preferences));
    size = LZ4F_compressFrame(out, out_.capacity(), bytes.data(), bytes.size(), &preferences);
    if (LZ4F_isError(size)) throw std::bad_alloc();
  }
#endif
  return size > 0 && size < bytes.size() ? ByteSpan(out_.data(), size) : ByteSpan();
}

void check_compressed(std::string_view compression, ByteSpan compressed, std::uint64_t size,
                      const Place& place) {
  bool known = compression.empty();
  for (const Compression codec : {Compression::kZstd, Compression::kLz4}) {
    known = known || (is_built_in(codec) && compression == name_of(codec));
  }
  if (!known) fail_unsupported(compression, place);
  // Upper bound of `size`, needed for lz4 and for zstd frames that state no size.
  std::uint64_t most = compressed.size();
#ifdef RDP_HAVE_ZSTD
  if (compression == name_of(Compression::kZstd)) {
    const auto stated = ZSTD_getFrameContentSize(compressed.data(), compressed.size());
    if (stated == ZSTD_CONTENTSIZE_ERROR) fail_compressed(compression, place, "no frame");
    if (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != size) {
      fail_damaged(place, "uncompressed_size", std::to_string(size),
                   std::to_string(stated) + ", as the frame of zstd says; the file is damaged");
    }
    most *= kMaxZstdGrowth;
  }
#endif
#ifdef RDP_HAVE_LZ4
  if (compression == name_of(Compression::kLz4)) most *= kMaxLz4Growth;
#endif
  if (size > most) {
    fail_damaged(place, "uncompressed_size", std::to_string(size),
                 "at most the " + std::to_string(most) + " that can come of " +
                     std::to_string(compressed.size()) + " bytes; the file is damaged");
  }
}

void Decompressor::decompress(std::string_view compression, ByteSpan compressed,
                              std::span<std::byte> out, const Place& place) {
#ifdef RDP_HAVE_ZSTD
  if (compression == name_of(Compression::kZstd)) {
    auto* const context = context_in<ZSTD_DCtx, ZSTD_freeDCtx>(&zstd_, ZSTD_createDCtx);
    const std::size_t size =
        ZSTD_decompressDCtx(context, out.data(), out.size(), compressed.data(), compressed.size());
    if (ZSTD_isError(size)) fail_compressed(compression, place, ZSTD_getErrorName(size));
    if (size != out.size()) fail_compressed(compression, place, "too few bytes");
    return;
  }
#endif
#ifdef RDP_HAVE_LZ4
  if (compression == name_of(Compression::kLz4)) {
    const auto create = [] {
      LZ4F_dctx* made = nullptr;
      return LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) ? nullptr : made;
    };
    auto* const context = context_in<LZ4F_dctx, LZ4F_freeDecompressionContext>(&lz4_, create);
    LZ4F_resetDecompressionContext(context);
    const LZ4F_decompressOptions_t options = {.stableDst = 1};
    std::size_t left = 1;
    while (left > 0 && !compressed.empty()) {
      std::size_t made = out.size();
      std::size_t used = compressed.size();
      left = LZ4F_decompress(context, out.data(), &made, compressed.data(), &used, &options);
      if (LZ4F_isError(left)) fail_compressed(compression, place, LZ4F_getErrorName(left));
      if (made == 0 && used == 0) break;
      out = out.subspan(made);
      compressed = compressed.subspan(used);
    }
    if (left > 0 || !out.empty()) fail_compressed(compression, place, "another number of bytes");
    return;
  }
#endif
  fail_unsupported(compression, place);
}

}  // namespace rdp::mcap
