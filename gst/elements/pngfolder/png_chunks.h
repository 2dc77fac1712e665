// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_PNG_CHUNKS_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_PNG_CHUNKS_H_

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rdp::gst {

// A name of a file, as messages have it.
inline std::string in_quotes(std::string_view name) { return '"' + std::string(name) + '"'; }

// The fault of a PNG file: which one, expected, got, remedy.
class PngError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The sample format of a file. It depends only on the header, not on the content.
enum class PngClass { kGray16, kGray8, kColour };
// "gray with 16 bits"
const char* words_of(PngClass png_class);

struct PngHeader {
  int width = 0;
  int height = 0;
  PngClass png_class = PngClass::kGray8;

  std::size_t row_bytes() const {
    return static_cast<std::size_t>(width) * (png_class == PngClass::kGray16  ? 2
                                              : png_class == PngClass::kGray8 ? 1
                                                                              : 3);
  }
};

// The remedy for photographs.
inline constexpr const char* kNoJpeg =
    " JPEG is not read: put multifilesrc ! jpegdec in place of pngfoldersrc.";

inline constexpr int kMaxPngSide = 16384;
// Bytes that read_png_header() needs for all of its checks.
inline constexpr std::size_t kPngHeaderBytes = 33;

// Reads the header from a file's first bytes. Throws PngError if the file is no PNG, or if its
// sample format is unsupported.
PngHeader read_png_header(const std::string& name, std::span<const std::byte> start);

// Checks that all chunks are present with correct checksums. The header of `file` was read before.
// Throws PngError.
void check_png_chunks(const std::string& name, std::span<const std::byte> file);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_PNG_CHUNKS_H_
