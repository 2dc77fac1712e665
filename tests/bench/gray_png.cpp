// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/gray_png.h"

#include <png.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace rdp::bench {
namespace {

// What png_read_row() fills, as samples.
void add_row(const std::vector<png_byte>& bytes, int bit_depth, reference::Frame* frame) {
  const auto width = static_cast<std::size_t>(frame->width);
  for (std::size_t i = 0; i < width; ++i) {
    frame->samples.push_back(
        bit_depth == 8 ? bytes[i]
                       : static_cast<std::uint16_t>(bytes[2 * i] << 8 | bytes[2 * i + 1]));
  }
}

// The rows of a picture of samples; *frame stays empty for any other. libpng may leave it with
// longjmp(): *row is memory for one row that the caller frees. A function of its own, and no part
// of the caller, since what changes between setjmp() and longjmp() in the caller is undefined.
[[gnu::noinline]] void read_rows(png_structp png, png_infop info, std::vector<png_byte>* row,
                                 reference::Frame* frame) {
  png_read_info(png, info);
  const int bit_depth = png_get_bit_depth(png, info);
  if ((bit_depth != 8 && bit_depth != 16) || png_get_color_type(png, info) != PNG_COLOR_TYPE_GRAY ||
      png_get_interlace_type(png, info) != PNG_INTERLACE_NONE) {
    return;
  }
  frame->width = static_cast<int>(png_get_image_width(png, info));
  frame->height = static_cast<int>(png_get_image_height(png, info));
  row->resize(png_get_rowbytes(png, info));
  for (int i = 0; i < frame->height; ++i) {
    png_read_row(png, row->data(), nullptr);
    add_row(*row, bit_depth, frame);
  }
}

}  // namespace

reference::Frame read_gray_png(const std::filesystem::path& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return {};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  // Before setjmp(), so that a way out through longjmp() finds them as they are.
  reference::Frame frame;
  std::vector<png_byte> row;
  if (setjmp(png_jmpbuf(png)) != 0) {  // libpng has printed what is wrong
    png_destroy_read_struct(&png, &info, nullptr);
    return {};
  }
  png_init_io(png, file.get());
  read_rows(png, info, &row, &frame);
  png_destroy_read_struct(&png, &info, nullptr);
  return frame;
}

}  // namespace rdp::bench
