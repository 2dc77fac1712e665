// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_PNG_READER_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_PNG_READER_H_

#include <cstddef>
#include <span>
#include <string>

#include "common/clouds/input_file.h"
#include "common/image/grow_buffer.h"
#include "gst/elements/pngfolder/png_chunks.h"
#include "gst/elements/pngfolder/recycled_blocks.h"

namespace rdp::gst {

// Reads PNG files one after the other. Belongs to one thread. Keeps its memory, so that files of
// equal size and kind need no allocation. Methods throw OpenError, PngError, CloudError if a file
// changes meanwhile, and std::bad_alloc.
class PngReader {
 public:
  // The header of a file that need not be read to its end.
  PngHeader header_of(const std::string& path);
  // Loads the file into memory and checks all of its chunks.
  const PngHeader& load(const std::string& path);
  // Likewise, for a file already in memory, which messages call `name`.
  const PngHeader& load(const std::string& name, std::span<const std::byte> bytes);
  // About the file that is in memory, if there is one.
  bool is_loaded() const { return loaded_; }
  const PngHeader& header() const { return header_; }
  const std::string& path() const { return path_; }
  // Decodes the samples: row_bytes() for each row, `stride` bytes apart, 16-bit ones in native byte
  // order.
  void decode(std::byte* rows, std::ptrdiff_t stride);
  // unload() drops the file; forget() frees all memory, too.
  void unload() { loaded_ = false; }
  void forget();

 private:
  std::size_t open(const std::string& path);

  std::string path_;
  clouds::InputFile file_;
  GrowBuffer<std::byte> bytes_;
  std::size_t size_ = 0;
  PngHeader header_;
  bool loaded_ = false;
  RecycledBlocks blocks_;  // of libpng
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_PNG_READER_H_
