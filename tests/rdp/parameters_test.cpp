// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "common/rdp/line.h"

namespace rdp {
namespace {

std::int64_t eps256(double epsilon, double sample_scale) {
  Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.sample_scale = sample_scale;
  return epsilon256(parameters);
}

TEST(Epsilon256, IsInSampleStepsTimes256) {
  EXPECT_EQ(eps256(4.0, 1.0), 1024);
  EXPECT_EQ(eps256(4.0, 1.0 / 256), 4 * 256 * 256);  // 4 px in KITTI's 8.8 fixed point
  EXPECT_EQ(eps256(0.05, 0.001), 50 * 256);          // 5 cm in millimetres
  EXPECT_EQ(eps256(0.0105, 0.001), 2688);            // 10.5 mm
  EXPECT_EQ(eps256(0.0, 1.0), 0);
}

TEST(Epsilon256, RoundsHalvesAway) {
  EXPECT_EQ(eps256(1.0 / 512, 1.0), 1);  // 0.5
  EXPECT_EQ(eps256(3.0 / 512, 1.0), 2);  // 1.5
  EXPECT_EQ(eps256(1.0 / 513, 1.0), 0);  // 0.499
}

TEST(Epsilon256, SurvivesWhatNobodyShouldSet) {
  EXPECT_EQ(eps256(-1.0, 1.0), 0);
  EXPECT_EQ(eps256(1e300, 1e-300), kMaxEpsilon256);
  EXPECT_EQ(eps256(65536.0, 1.0), kMaxEpsilon256);
  EXPECT_EQ(eps256(65535.0, 1.0), 65535 * 256);
  EXPECT_EQ(eps256(std::numeric_limits<double>::infinity(), 1.0), kMaxEpsilon256);
  EXPECT_EQ(eps256(std::numeric_limits<double>::quiet_NaN(), 1.0), 0);
  EXPECT_EQ(eps256(0.0, 0.0), 0);
}

// |c| * 256 > eps256 * length and |c| > split_threshold(eps256, length) agree for every |c|.
TEST(SplitThreshold, IsTheLastDistanceThatDoesNotSplit) {
  std::mt19937 random(1);
  const auto check = [](std::int64_t eps, int length) {
    const std::int64_t threshold = split_threshold(eps, length);
    EXPECT_LE(threshold * 256, eps * length);
    EXPECT_GT((threshold + 1) * 256, eps * length);
  };
  for (int i = 0; i < 100000; ++i) {
    check(static_cast<std::int64_t>(random() % (kMaxEpsilon256 + 1)),
          1 + static_cast<int>(random() % (kMaxSide - 1)));
  }
  check(kMaxEpsilon256, kMaxSide - 1);
  check(0, 1);
  check(1, 1);
  check(255, 1);
  check(256, 1);
}

TEST(KnownRange, FollowsTheDomainAndTheSampleType) {
  Parameters parameters;
  parameters.min_value = 3;
  parameters.max_value = 500;
  EXPECT_EQ(input_known_range(parameters), (KnownRange{3, 500}));
  EXPECT_EQ(segmented_known_range(parameters, SampleType::kU16), (KnownRange{3, 500}));
  EXPECT_EQ(segmented_known_range(parameters, SampleType::kU8), (KnownRange{3, 255}));
  parameters.domain = Domain::kInverse;
  EXPECT_EQ(segmented_known_range(parameters, SampleType::kU16), (KnownRange{1, 65535}));
  EXPECT_EQ(segmented_known_range(parameters, SampleType::kU8), (KnownRange{1, 65535}));
  parameters.domain = Domain::kLinear;
  parameters.max_value = 4000000000U;
  EXPECT_EQ(segmented_known_range(parameters, SampleType::kU16), (KnownRange{3, 65535}));
}

TEST(KnownRange, IncludesItsEnds) {
  const KnownRange known{3, 5};
  EXPECT_FALSE(known.contains(2));
  EXPECT_TRUE(known.contains(3));
  EXPECT_TRUE(known.contains(5));
  EXPECT_FALSE(known.contains(6));
  EXPECT_FALSE((KnownRange{5, 3}.contains(4)));
}

TEST(UnknownSample, IsNeverKnown) {
  EXPECT_EQ(unknown_sample({1, 65535}), 0);
  EXPECT_EQ(unknown_sample({0, 100}), 101);
  EXPECT_EQ(unknown_sample({0, 65534}), 65535);
  EXPECT_EQ(unknown_sample({5, 3}), 0);
}

TEST(SegmentedColumns, RoundUp) {
  Parameters parameters;
  for (int column_width = 1; column_width <= kMaxColumnWidth; ++column_width) {
    parameters.column_width = column_width;
    EXPECT_EQ(segmented_columns(1, parameters), 1);
    EXPECT_EQ(segmented_columns(column_width, parameters), 1);
    EXPECT_EQ(segmented_columns(column_width + 1, parameters), 2);
    EXPECT_EQ(segmented_columns(16 * column_width, parameters), 16);
  }
}

TEST(RoundHalfUp, DoesNotRoundTwice) {
  EXPECT_EQ(round_half_up(0.0), 0.0);
  EXPECT_EQ(round_half_up(0.5), 1.0);
  EXPECT_EQ(round_half_up(2.5), 3.0);
  EXPECT_EQ(round_half_up(2.75), 3.0);
  EXPECT_EQ(round_half_up(2.25), 2.0);
  // 0.5 minus one ulp: adding 0.5 would give 1.0.
  EXPECT_EQ(round_half_up(std::nextafter(0.5, 0.0)), 0.0);
  EXPECT_EQ(round_half_up(1e300), 1e300);
}

TEST(InverseOfDepth, HandWorked) {
  Parameters parameters;
  parameters.inverse_scale = 5.0;
  EXPECT_EQ(inverse_of_depth(0, inverse_depth_of(parameters)), 0);  // unknown
  EXPECT_EQ(inverse_of_depth(1, inverse_depth_of(parameters)), 5);
  EXPECT_EQ(inverse_of_depth(2, inverse_depth_of(parameters)), 3);      // 2.5
  EXPECT_EQ(inverse_of_depth(3, inverse_depth_of(parameters)), 2);      // 1.67
  EXPECT_EQ(inverse_of_depth(4, inverse_depth_of(parameters)), 1);      // 1.25
  EXPECT_EQ(inverse_of_depth(65535, inverse_depth_of(parameters)), 1);  // never 0, which is unknown
  parameters.min_value = 0;
  EXPECT_EQ(inverse_of_depth(0, inverse_depth_of(parameters)), 65535);
  parameters.max_value = 3;
  EXPECT_EQ(inverse_of_depth(3, inverse_depth_of(parameters)), 2);
  EXPECT_EQ(inverse_of_depth(4, inverse_depth_of(parameters)), 0);
  parameters.inverse_scale = 65535.4;
  EXPECT_EQ(inverse_of_depth(1, inverse_depth_of(parameters)), 65535);
  parameters.inverse_scale = 1e12;
  EXPECT_EQ(inverse_of_depth(1, inverse_depth_of(parameters)), 65535);
}

TEST(LineValue, HandWorked) {
  const Segment rising{10, 14, 100, 103};  // 100, 100.75, 101.5, 102.25, 103
  EXPECT_EQ(line_value(rising, 10), 100);
  EXPECT_EQ(line_value(rising, 11), 101);
  EXPECT_EQ(line_value(rising, 12), 102);
  EXPECT_EQ(line_value(rising, 13), 102);
  EXPECT_EQ(line_value(rising, 14), 103);
  const Segment falling{0, 4, 3, 0};  // 3, 2.25, 1.5, 0.75, 0
  EXPECT_EQ(line_value(falling, 1), 2);
  EXPECT_EQ(line_value(falling, 2), 2);
  EXPECT_EQ(line_value(falling, 3), 1);
  EXPECT_EQ(line_value(falling, 4), 0);
  EXPECT_EQ(line_value({7, 7, 42, 42}, 7), 42);
}

TEST(LineValue, HoldsTheLargestFrame) {
  const Segment falling{0, 16383, 65535, 0};
  const Segment flat{0, 16383, 65535, 65535};
  for (int row = 0; row <= 16383; ++row) {
    // floor(x + 1/2) of x = 65535 * (16383 - row) / 16383, in 64 bits.
    const std::int64_t expected = (2 * std::int64_t{65535} * (16383 - row) + 16383) / (2 * 16383);
    ASSERT_EQ(line_value(falling, row), expected) << "row " << row;
    ASSERT_EQ(line_value(flat, row), 65535) << "row " << row;
  }
}

TEST(DepthOnLine, HandWorked) {
  Parameters parameters;
  parameters.domain = Domain::kInverse;
  parameters.inverse_scale = 1000.0;
  const Segment segment{0, 4, 10, 30};  // u: 10, 15, 20, 25, 30
  EXPECT_EQ(depth_on_line(segment, 0, parameters, 65535), 100);
  EXPECT_EQ(depth_on_line(segment, 1, parameters, 65535), 67);  // 66.67
  EXPECT_EQ(depth_on_line(segment, 2, parameters, 65535), 50);
  EXPECT_EQ(depth_on_line(segment, 3, parameters, 65535), 40);
  EXPECT_EQ(depth_on_line(segment, 4, parameters, 65535), 33);
  EXPECT_EQ(depth_on_line({2, 2, 400, 400}, 2, parameters, 65535), 3);  // 2.5
  // A valid depth stays valid, and a sample value.
  parameters.min_value = 60;
  EXPECT_EQ(depth_on_line(segment, 4, parameters, 65535), 60);
  parameters.max_value = 90;
  EXPECT_EQ(depth_on_line(segment, 0, parameters, 65535), 90);
  parameters.max_value = 65535;
  parameters.inverse_scale = 1e9;
  EXPECT_EQ(depth_on_line(segment, 0, parameters, 65535), 65535);
  EXPECT_EQ(depth_on_line(segment, 0, parameters, 255), 255);
}

}  // namespace
}  // namespace rdp
