// SPDX-License-Identifier: LGPL-2.1-or-later
// Blending a drawing into pictures: resulting values.
#include "common/image/blend.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace rdp {
namespace {

constexpr std::uint32_t rgba(unsigned r, unsigned g, unsigned b, unsigned a) {
  return r | g << 8 | b << 16 | a << 24;
}

TEST(Blend, RoundsToNearest) {
  for (std::uint32_t under = 0; under < 256; ++under) {
    for (std::uint32_t over = 0; over < 256; over += 5) {
      EXPECT_EQ(blended(under, over, 0), under);
      EXPECT_EQ(blended(under, over, 255), over);
      for (std::uint32_t alpha = 0; alpha < 256; alpha += 3) {
        EXPECT_EQ(blended(under, over, alpha),
                  static_cast<std::uint32_t>(
                      std::floor((under * (255.0 - alpha) + over * alpha) / 255.0 + 0.5)));
      }
    }
  }
}

TEST(Blend, PixelsOfRgba) {
  EXPECT_EQ(blended_pixel(rgba(10, 20, 30, 255), rgba(200, 100, 0, 0)), rgba(10, 20, 30, 255));
  EXPECT_EQ(blended_pixel(rgba(10, 20, 30, 255), rgba(200, 100, 0, 255)), rgba(200, 100, 0, 255));
  EXPECT_EQ(blended_pixel(rgba(0, 100, 200, 255), rgba(100, 100, 0, 51)), rgba(20, 100, 160, 255));
  // Transparent pixels become as opaque as the drawing.
  EXPECT_EQ(blended_pixel(rgba(0, 0, 0, 0), rgba(0, 0, 0, 51)) >> 24, 51U);
}

// Values of every table for BT.601 and BT.709.
TEST(Blend, ColoursOfTheStandards) {
  const auto yuv = [](const YuvMatrix& m, std::uint32_t p) {
    return std::array{yuv_byte(m.y, p), yuv_byte(m.u, p), yuv_byte(m.v, p)};
  };
  using Yuv = std::array<std::uint32_t, 3>;
  const YuvMatrix bt601 = yuv_matrix(0.299, 0.114, false);
  EXPECT_EQ(yuv(bt601, rgba(255, 255, 255, 9)), (Yuv{235, 128, 128}));
  EXPECT_EQ(yuv(bt601, rgba(0, 0, 0, 9)), (Yuv{16, 128, 128}));
  EXPECT_EQ(yuv(bt601, rgba(255, 0, 0, 9)), (Yuv{81, 90, 240}));
  EXPECT_EQ(yuv(bt601, rgba(0, 255, 0, 9)), (Yuv{145, 54, 34}));
  EXPECT_EQ(yuv(bt601, rgba(0, 0, 255, 9)), (Yuv{41, 240, 110}));
  const YuvMatrix bt709 = yuv_matrix(0.2126, 0.0722, false);
  EXPECT_EQ(yuv(bt709, rgba(255, 0, 0, 9)), (Yuv{63, 102, 240}));
  const YuvMatrix full = yuv_matrix(0.299, 0.114, true);
  EXPECT_EQ(yuv(full, rgba(255, 255, 255, 9)), (Yuv{255, 128, 128}));
  EXPECT_EQ(yuv(full, rgba(0, 0, 255, 9)), (Yuv{29, 255, 107}));
}

// 3x3 pixels: the last chroma sample belongs to one pixel, its neighbours to two.
TEST(Blend, ChromaInProportionToAlpha) {
  const YuvMatrix matrix = yuv_matrix(0.299, 0.114, false);
  const auto red_u = yuv_byte(matrix.u, rgba(255, 0, 0, 255));
  const auto blend = [&](const std::vector<std::uint32_t>& drawing) {
    std::vector<std::byte> luma(9, std::byte{100});
    std::vector<std::byte> chroma(8, std::byte{128});
    std::vector<std::uint32_t> copy = drawing;
    blend_into_nv12({reinterpret_cast<std::byte*>(copy.data()), 12, 3, 3}, matrix,
                    {luma.data(), 3, chroma.data(), 4, 3, 3});
    std::vector<unsigned> result;
    for (const std::byte b : luma) result.push_back(std::to_integer<unsigned>(b));
    for (const int i : {0, 2, 4, 6}) {
      result.push_back(std::to_integer<unsigned>(chroma[static_cast<std::size_t>(i)]));
    }
    return result;
  };
  const std::uint32_t none = 0;
  const std::uint32_t red = rgba(255, 0, 0, 255);
  EXPECT_EQ(
      blend({none, none, none, none, none, none, none, none, none}),
      (std::vector<unsigned>{100, 100, 100, 100, 100, 100, 100, 100, 100, 128, 128, 128, 128}));
  const unsigned quarter = (128 * 3 + red_u + 2) / 4;
  const unsigned half = (128 + red_u + 1) / 2;
  EXPECT_EQ(
      blend({red, none, red, none, none, none, none, none, red}),
      (std::vector<unsigned>{81, 100, 81, 100, 100, 100, 100, 100, 81, quarter, half, 128, red_u}));
}

}  // namespace
}  // namespace rdp
