// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/palette.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rdp {
namespace {

// CIE 1976 lightness of an sRGB colour, 0..100.
double lightness(const Rgb& colour) {
  const auto linear = [](int value) {
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double y =
      0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
  return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

TEST(Palette, GetsLighterTowardsNear) {
  for (std::size_t i = 1; i < kPalette.size(); ++i) {
    // Rounding to eight bits allows small decreases.
    EXPECT_GT(lightness(kPalette[i]), lightness(kPalette[i - 1]) - 0.3) << i;
  }
  for (std::size_t i = 32; i < kPalette.size(); i += 32) {
    EXPECT_GT(lightness(kPalette[i]), lightness(kPalette[i - 32]) + 3.0) << i;
  }
  EXPECT_GT(lightness(kPalette.back()) - lightness(kPalette.front()), 70.0);
}

TEST(Palette, IsCoolWhenFarWarmWhenNearAndNeverBlack) {
  EXPECT_GT(kPalette.front().b, 100);
  EXPECT_LT(kPalette.front().r, 50);
  EXPECT_GT(kPalette.back().r, 200);
  EXPECT_LT(kPalette.back().b, 100);
  for (const Rgb& colour : kPalette) EXPECT_GT(lightness(colour), 10.0);
}

}  // namespace
}  // namespace rdp
