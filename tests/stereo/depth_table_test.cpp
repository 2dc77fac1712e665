// SPDX-License-Identifier: LGPL-2.1-or-later
// Depth in millimetres from disparities, in integers.
#include "common/stereo/depth_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rdp::stereo {
namespace {

TEST(DepthTable, SamplesByHand) {
  // 500 px and 0.12 m: 60 px m.
  const DepthScale scale = depth_scale(500, 0.12, 0);
  EXPECT_EQ(scale.focal_baseline, 60 * 65536);
  EXPECT_EQ(scale.offset, 0);
  EXPECT_EQ(depth_of_disparity(0, scale), 0) << "unknown";
  EXPECT_EQ(depth_of_disparity(60 * 256, scale), 1000);
  EXPECT_EQ(depth_of_disparity(256, scale), 60000);
  EXPECT_EQ(depth_of_disparity(1, scale), 0) << "15 km does not fit";
  // 60000 * 256 / 234 = 65641.02, / 235 = 65361.7
  EXPECT_EQ(depth_of_disparity(234, scale), 0);
  EXPECT_EQ(depth_of_disparity(235, scale), 65362);
  EXPECT_EQ(depth_of_disparity(65535, scale), 234) << "234.38";
}

TEST(DepthTable, HalvesAreRoundedUp) {
  // 1000 * 3 / (2 d / 256): 3/2 mm is 2, 5/2 is 3.
  EXPECT_EQ(depth_of_disparity(2 * 256, {196608 / 1000, 0}), 1) << "2949 / 2048";
  EXPECT_EQ(depth_of_disparity(256, depth_scale(1, 0.0625, 0)), 63) << "62.5";
  EXPECT_EQ(depth_of_disparity(256, depth_scale(1, 0.1875, 0)), 188) << "187.5";
  EXPECT_EQ(depth_of_disparity(16 * 256, depth_scale(1, 0.0078125, 0)), 0) << "0.488";
  EXPECT_EQ(depth_of_disparity(125 * 256, depth_scale(1, 0.0625, 0)), 1) << "a half";
  EXPECT_EQ(depth_of_disparity(125 * 256 + 1, depth_scale(1, 0.0625, 0)), 0) << "less";
}

TEST(DepthTable, TheOffsetMovesInfinity) {
  const DepthScale behind = depth_scale(500, 0.12, -10);
  EXPECT_EQ(depth_of_disparity(70 * 256, behind), 1000);
  EXPECT_EQ(depth_of_disparity(10 * 256, behind), 0) << "at no distance";
  EXPECT_EQ(depth_of_disparity(9 * 256, behind), 0) << "beyond infinity";
  const DepthScale before = depth_scale(500, 0.12, 31.086);
  EXPECT_EQ(depth_of_disparity(1, before),
            static_cast<int>(60000 / (before.offset / 65536.0 + 1 / 256.0) + 0.5));
}

TEST(DepthTable, IsTheRealNumberRounded) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> focal(1, 4000);
  std::uniform_real_distribution<double> baseline(0.001, 10);
  std::uniform_real_distribution<double> offset(-300, 300);
  for (int i = 0; i < 50; ++i) {
    const DepthScale scale = depth_scale(focal(random), baseline(random), offset(random));
    const std::vector<std::uint16_t> table = depth_table(scale);
    ASSERT_EQ(table.size(), 65536u);
    EXPECT_EQ(table[0], 0);
    for (int d = 1; d < 65536; ++d) {
      const long double divisor = d / 256.0L + scale.offset / 65536.0L;
      const long double depth =
          divisor > 0 ? std::floor(scale.focal_baseline / 65536.0L * 1000 / divisor + 0.5L) : 0;
      ASSERT_EQ(table[static_cast<std::size_t>(d)], depth > 65535 ? 0 : static_cast<int>(depth))
          << d;
    }
  }
}

TEST(DepthTable, NumbersThatAreNoneGiveNoDistance) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {kNan, -1.0, 0.0, -kHuge, -std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(depth_of_disparity(65535, depth_scale(bad, 1, 0)), 0) << bad;
  }
  for (const double bad : {kHuge, std::numeric_limits<double>::infinity()}) {
    for (const int d : {1, 256, 65535}) {
      EXPECT_EQ(depth_of_disparity(static_cast<std::uint16_t>(d), depth_scale(bad, 1, 0)), 0);
      EXPECT_EQ(depth_of_disparity(static_cast<std::uint16_t>(d), depth_scale(500, 0.1, bad)), 0);
      EXPECT_EQ(depth_of_disparity(static_cast<std::uint16_t>(d), depth_scale(500, 0.1, -bad)), 0);
    }
  }
}

TEST(DepthTable, IsPutInPlace) {
  const std::vector<std::uint16_t> table = depth_table(depth_scale(500, 0.12, 0));
  std::mt19937 random(2);
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {7, 1}, {33, 20}}) {
    // Unaligned, with row padding.
    const std::ptrdiff_t stride = 2 * width + 3;
    std::vector<std::byte> samples(static_cast<std::size_t>(stride * height + 1));
    for (auto& byte : samples) byte = static_cast<std::byte>(random());
    const std::vector<std::byte> before = samples;
    const MutableDepthView view{samples.data() + 1, stride, width, height, SampleType::kU16};
    const DepthView old{before.data() + 1, stride, width, height, SampleType::kU16};
    const int first = height / 3;
    to_depth(view, table, first, height);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const std::uint16_t expected =
            row < first ? old.at(row, column) : table[old.at(row, column)];
        ASSERT_EQ(view.at(row, column), expected);
      }
      if (row + 1 < height) {
        for (std::ptrdiff_t i = 2 * width; i < stride; ++i) {
          ASSERT_EQ(view.row(row)[i], old.row(row)[i]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rdp::stereo
