// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/blend.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rdp {
namespace {

std::uint32_t load(const RgbaView& picture, int row, int column) {
  std::uint32_t pixel;
  std::memcpy(&pixel, picture.data + row * picture.stride + 4 * std::ptrdiff_t{column},
              sizeof pixel);
  return pixel;
}

std::uint32_t byte_at(const std::byte* at) { return std::to_integer<std::uint32_t>(*at); }

}  // namespace

YuvMatrix yuv_matrix(double red, double blue, bool full_range) {
  const double green = 1.0 - red - blue;
  const double luma = full_range ? 1.0 : 219.0 / 255.0;
  const double chroma = (full_range ? 1.0 : 224.0 / 255.0) / 2.0;
  const auto fixed = [](double factor) {
    return static_cast<std::int32_t>(std::floor(factor * 65536.0 + 0.5));
  };
  YuvMatrix m;
  const double y[3] = {red * luma, green * luma, blue * luma};
  const double u[3] = {-red / (1.0 - blue) * chroma, -green / (1.0 - blue) * chroma, chroma};
  const double v[3] = {chroma, -green / (1.0 - red) * chroma, -blue / (1.0 - red) * chroma};
  for (int i = 0; i < 3; ++i) {
    m.y[i] = fixed(y[i]);
    m.u[i] = fixed(u[i]);
    m.v[i] = fixed(v[i]);
  }
  m.y[3] = (full_range ? 0 : 16) * 65536 + 32768;
  m.u[3] = m.v[3] = 128 * 65536 + 32768;
  return m;
}

void blend_into_rgba(const RgbaView& drawing, const RgbaView& picture) {
  for (int row = 0; row < picture.height; ++row) {
    for (int column = 0; column < picture.width; ++column) {
      // Much of a drawing is transparent.
      const std::uint32_t over = load(drawing, row, column);
      if (over >> 24 == 0) continue;
      const std::uint32_t pixel = blended_pixel(load(picture, row, column), over);
      std::memcpy(picture.data + row * picture.stride + 4 * std::ptrdiff_t{column}, &pixel,
                  sizeof pixel);
    }
  }
}

void blend_into_nv12(const RgbaView& drawing, const YuvMatrix& matrix, const Nv12View& picture) {
  for (int top = 0; top < picture.height; top += 2) {
    for (int left = 0; left < picture.width; left += 2) {
      std::uint32_t u = 0;
      std::uint32_t v = 0;
      std::uint32_t alphas = 0;
      std::uint32_t pixels = 0;
      for (int row = top; row < std::min(top + 2, picture.height); ++row) {
        for (int column = left; column < std::min(left + 2, picture.width); ++column) {
          const std::uint32_t over = load(drawing, row, column);
          const std::uint32_t alpha = over >> 24;
          ++pixels;
          if (alpha == 0) continue;
          std::byte* luma = picture.luma + row * picture.luma_stride + column;
          *luma = static_cast<std::byte>(blended(byte_at(luma), yuv_byte(matrix.y, over), alpha));
          u += alpha * yuv_byte(matrix.u, over);
          v += alpha * yuv_byte(matrix.v, over);
          alphas += alpha;
        }
      }
      if (alphas == 0) continue;
      std::byte* chroma = picture.chroma + top / 2 * picture.chroma_stride + left;
      chroma[0] = static_cast<std::byte>(blended_chroma(byte_at(chroma), u, alphas, pixels));
      chroma[1] = static_cast<std::byte>(blended_chroma(byte_at(chroma + 1), v, alphas, pixels));
    }
  }
}

}  // namespace rdp
