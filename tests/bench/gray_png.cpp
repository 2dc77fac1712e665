// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/gray_png.h"

#include <png.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace rdp::bench {
namespace {

enum class Wanted { kSamples, kBrightness, kColours };

// Appends a row from png_read_row() as samples.
void add_row(const std::vector<png_byte>& bytes, int bit_depth, bool brightness,
             reference::Frame* frame) {
  const auto width = static_cast<std::size_t>(frame->width);
  for (std::size_t i = 0; i < width; ++i) {
    if (brightness) {
      const int sum = 299 * bytes[3 * i] + 587 * bytes[3 * i + 1] + 114 * bytes[3 * i + 2];
      frame->samples.push_back(static_cast<std::uint16_t>((sum + 500) / 1000));
    } else {
      frame->samples.push_back(
          bit_depth == 8 ? bytes[i]
                         : static_cast<std::uint16_t>(bytes[2 * i] << 8 | bytes[2 * i + 1]));
    }
  }
}

// True if read_rows() accepts such a picture.
bool is_wanted(Wanted wanted, int bit_depth, int colour_type) {
  if (wanted == Wanted::kSamples) {
    return (bit_depth == 8 || bit_depth == 16) && colour_type == PNG_COLOR_TYPE_GRAY;
  }
  if (wanted == Wanted::kColours) {
    return (bit_depth == 8 || bit_depth == 16) && colour_type == PNG_COLOR_TYPE_RGB;
  }
  return bit_depth == 8 &&
         (colour_type == PNG_COLOR_TYPE_GRAY || colour_type == PNG_COLOR_TYPE_RGB);
}

// Reads the rows of a wanted picture; *frame stays empty for others. libpng may leave it by
// longjmp(): *row is memory for one row, which the caller frees. A separate function, because
// variables that change between setjmp() and longjmp() in the caller are undefined.
[[gnu::noinline]] void read_rows(png_structp png, png_infop info, std::vector<png_byte>* row,
                                 Wanted wanted, reference::Frame* frame) {
  png_read_info(png, info);
  const int bit_depth = png_get_bit_depth(png, info);
  const int colour_type = png_get_color_type(png, info);
  if (!is_wanted(wanted, bit_depth, colour_type) ||
      png_get_interlace_type(png, info) != PNG_INTERLACE_NONE) {
    return;
  }
  frame->width =
      static_cast<int>(png_get_image_width(png, info)) * (wanted == Wanted::kColours ? 3 : 1);
  frame->height = static_cast<int>(png_get_image_height(png, info));
  row->resize(png_get_rowbytes(png, info));
  for (int i = 0; i < frame->height; ++i) {
    png_read_row(png, row->data(), nullptr);
    add_row(*row, bit_depth, wanted == Wanted::kBrightness && colour_type == PNG_COLOR_TYPE_RGB,
            frame);
  }
}

reference::Frame read_png(const std::filesystem::path& path, Wanted wanted) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return {};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  // Before setjmp(), so that they are valid after a longjmp().
  reference::Frame frame;
  std::vector<png_byte> row;
  if (setjmp(png_jmpbuf(png)) != 0) {  // libpng has printed the error
    png_destroy_read_struct(&png, &info, nullptr);
    return {};
  }
  png_init_io(png, file.get());
  read_rows(png, info, &row, wanted, &frame);
  png_destroy_read_struct(&png, &info, nullptr);
  return frame;
}

}  // namespace

reference::Frame read_gray_png(const std::filesystem::path& path) {
  return read_png(path, Wanted::kSamples);
}

reference::Frame read_brightness_png(const std::filesystem::path& path) {
  return read_png(path, Wanted::kBrightness);
}

reference::Frame read_colour_png(const std::filesystem::path& path) {
  return read_png(path, Wanted::kColours);
}

}  // namespace rdp::bench
