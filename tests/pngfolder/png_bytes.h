// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PNGFOLDER_PNG_BYTES_H_
#define RDP_TESTS_PNGFOLDER_PNG_BYTES_H_

#include <png.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// PNG files as libpng writes them, made in memory.
namespace rdp::test {

struct PngPicture {
  int width = 5;
  int height = 4;
  int bits = 16;
  int colour = PNG_COLOR_TYPE_GRAY;
  bool interlaced = false;
  // Adds ancillary chunks (gamma, transparency, background ...), as many programs do.
  bool decorated = false;
  std::uint32_t seed = 1;

  int channels() const {
    switch (colour) {
      case PNG_COLOR_TYPE_GRAY_ALPHA:
        return 2;
      case PNG_COLOR_TYPE_RGB:
        return 3;
      case PNG_COLOR_TYPE_RGBA:
        return 4;
      default:
        return 1;
    }
  }
  std::size_t row_bytes() const {
    return (static_cast<std::size_t>(width * channels() * bits) + 7) / 8;
  }
  // Pseudo-random rows, in the layout of the file.
  std::vector<std::uint8_t> rows() const {
    std::vector<std::uint8_t> bytes(row_bytes() * static_cast<std::size_t>(height));
    std::uint32_t state = seed;
    for (std::uint8_t& byte : bytes) {
      state = state * 1664525U + 1013904223U;
      byte = static_cast<std::uint8_t>(state >> 24);
    }
    return bytes;
  }
  // The palette entry `index`.
  static png_color colour_of(unsigned index) {
    return {static_cast<png_byte>(255 - index), static_cast<png_byte>(7 * index),
            static_cast<png_byte>(index ^ 0x55U)};
  }
  // The expected output of pngfoldersrc: no row padding, 16-bit samples in little endian.
  std::vector<std::uint8_t> samples() const {
    const std::vector<std::uint8_t> bytes = rows();
    std::vector<std::uint8_t> result;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        // The sample of a channel, at its bit depth.
        const auto sample = [&](int channel) {
          const auto bit = static_cast<std::size_t>((column * channels() + channel) * bits);
          const std::uint8_t* at =
              bytes.data() + static_cast<std::size_t>(row) * row_bytes() + bit / 8;
          if (bits == 16) return static_cast<unsigned>(at[0] << 8 | at[1]);
          return static_cast<unsigned>(at[0] >> (8 - bits - static_cast<int>(bit % 8))) &
                 ((1U << bits) - 1);
        };
        if (colour == PNG_COLOR_TYPE_PALETTE) {
          const png_color found = colour_of(sample(0));
          result.insert(result.end(), {found.red, found.green, found.blue});
          continue;
        }
        const int shown = channels() >= 3 ? 3 : 1;
        for (int channel = 0; channel < shown; ++channel) {
          const unsigned value = sample(channel);
          if (bits == 16) {
            result.insert(result.end(), {static_cast<std::uint8_t>(value & 255),
                                         static_cast<std::uint8_t>(value >> 8)});
          } else {
            result.push_back(static_cast<std::uint8_t>(value * 255 / ((1U << bits) - 1)));
          }
        }
      }
    }
    return result;
  }

  std::string file() const {
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp of, png_bytep data, png_size_t size) {
          static_cast<std::string*>(png_get_io_ptr(of))
              ->append(reinterpret_cast<const char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), bits,
                 colour, interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    const unsigned colours = 1U << (bits < 8 ? bits : 8);
    std::vector<png_color> palette;
    for (unsigned i = 0; i < colours; ++i) palette.push_back(colour_of(i));
    if (colour == PNG_COLOR_TYPE_PALETTE) {
      png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    }
    if (decorated) decorate(png, info);
    png_write_info(png, info);
    std::vector<std::uint8_t> samples = rows();
    std::vector<png_bytep> starts;
    for (int row = 0; row < height; ++row) {
      starts.push_back(samples.data() + static_cast<std::size_t>(row) * row_bytes());
    }
    png_write_image(png, starts.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return bytes;
  }

 private:
  void decorate(png_structp png, png_infop info) const {
    png_set_gAMA(png, info, 0.25);
    png_color_8 significant = {};
    significant.red = significant.green = significant.blue = significant.gray = 1;
    significant.alpha = 1;
    png_set_sBIT(png, info, &significant);
    png_byte alphas[2] = {0, 100};
    png_color_16 clear = {};
    clear.gray = 1;
    if (colour == PNG_COLOR_TYPE_PALETTE) {
      png_set_tRNS(png, info, alphas, 2, nullptr);
    } else if (channels() % 2 == 1) {
      png_set_tRNS(png, info, nullptr, 0, &clear);
    }
    png_color_16 background = {};
    background.gray = background.red = 1;
    png_set_bKGD(png, info, &background);
    png_set_pHYs(png, info, 3, 1, PNG_RESOLUTION_UNKNOWN);
  }
};

}  // namespace rdp::test

#endif  // RDP_TESTS_PNGFOLDER_PNG_BYTES_H_
