// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_ALIGN_PICTURE_H_
#define RDP_COMMON_ALIGN_PICTURE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/host_device.h"

// Colours of pictures in integers, for the reference, the engine and kernels.
namespace rdp::align {

enum class PictureFormat : std::uint8_t { kRgb, kBgr, kRgba, kBgra, kGray8, kNv12 };

// From luma and chroma to R, G and B, in 2^-16.
struct RgbMatrix {
  std::int32_t black = 16;  // of the luma
  std::int32_t luma = 76309;
  std::int32_t red_of_v = 104597;
  std::int32_t green_of_u = -25675;
  std::int32_t green_of_v = -53279;
  std::int32_t blue_of_u = 132201;  // all of these: BT.601, limited range

  bool operator==(const RgbMatrix& m) const {
    return black == m.black && luma == m.luma && red_of_v == m.red_of_v &&
           green_of_u == m.green_of_u && green_of_v == m.green_of_v && blue_of_u == m.blue_of_u;
  }
};

// The matrix for the weights of red and blue in the luma, as yuv_matrix() takes them.
inline RgbMatrix rgb_matrix(double red, double blue, bool full_range) {
  const double green = 1.0 - red - blue;
  const double chroma = 2.0 * (full_range ? 1.0 : 255.0 / 224.0);
  const auto fixed = [](double factor) {
    return static_cast<std::int32_t>(std::floor(factor * 65536.0 + 0.5));
  };
  return {full_range ? 0 : 16,
          fixed(full_range ? 1.0 : 255.0 / 219.0),
          fixed(chroma * (1.0 - red)),
          fixed(-chroma * (1.0 - blue) * blue / green),
          fixed(-chroma * (1.0 - red) * red / green),
          fixed(chroma * (1.0 - blue))};
}

// A picture in the memory of its reader, host or device.
struct Picture {
  PictureFormat format = PictureFormat::kRgba;
  const unsigned char* data = nullptr;  // of NV12: the luma
  std::ptrdiff_t stride = 0;
  const unsigned char* chroma = nullptr;  // of NV12
  std::ptrdiff_t chroma_stride = 0;
  int width = 0;
  int height = 0;
  RgbMatrix matrix;  // of NV12
};

RDP_HOST_DEVICE inline std::uint32_t rgba_word(std::uint32_t r, std::uint32_t g, std::uint32_t b) {
  return r | g << 8 | b << 16 | 0xFF000000U;
}

RDP_HOST_DEVICE inline std::uint32_t byte_of_fixed(std::int32_t value) {
  const std::int32_t rounded = (value + 32768) >> 16;
  return static_cast<std::uint32_t>(rounded < 0 ? 0 : rounded > 255 ? 255 : rounded);
}

RDP_HOST_DEVICE inline std::uint32_t rgba_of_yuv(int y, int u, int v, const RgbMatrix& m) {
  const std::int32_t luma = m.luma * (y - m.black);
  return rgba_word(byte_of_fixed(luma + m.red_of_v * (v - 128)),
                   byte_of_fixed(luma + m.green_of_u * (u - 128) + m.green_of_v * (v - 128)),
                   byte_of_fixed(luma + m.blue_of_u * (u - 128)));
}

// The colour of a pixel as a word, R in the lowest byte, opaque. Chroma is the nearest, which is
// the one of the pixel's block of 2x2.
RDP_HOST_DEVICE inline std::uint32_t colour_at(const Picture& picture, int column, int row) {
  const unsigned char* const line = picture.data + row * picture.stride;
  switch (picture.format) {
    case PictureFormat::kRgb:
      return rgba_word(line[3 * column], line[3 * column + 1], line[3 * column + 2]);
    case PictureFormat::kBgr:
      return rgba_word(line[3 * column + 2], line[3 * column + 1], line[3 * column]);
    case PictureFormat::kRgba:
      return rgba_word(line[4 * column], line[4 * column + 1], line[4 * column + 2]);
    case PictureFormat::kBgra:
      return rgba_word(line[4 * column + 2], line[4 * column + 1], line[4 * column]);
    case PictureFormat::kGray8:
      return rgba_word(line[column], line[column], line[column]);
    case PictureFormat::kNv12:
      break;
  }
  const unsigned char* const uv = picture.chroma + row / 2 * picture.chroma_stride + column / 2 * 2;
  return rgba_of_yuv(line[column], uv[0], uv[1], picture.matrix);
}

}  // namespace rdp::align

#endif  // RDP_COMMON_ALIGN_PICTURE_H_
