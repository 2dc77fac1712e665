// SPDX-License-Identifier: LGPL-2.1-or-later
// A known ground plane: its values against the plane's depths, and the classes of segments, for a
// level camera and a rolled one.
#include "common/rdp/ground_plane.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/ground.h"
#include "common/rdp/reference.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

constexpr double kOne = 4294967296.0;

CameraLens lens_of(int width, int height) {
  CameraLens lens;
  lens.focal_x = 0.9 * width;
  lens.focal_y = 0.8 * width;
  lens.principal_x = 0.5 * (width - 1) + 3.0;
  lens.principal_y = 0.5 * (height - 1) - 2.0;
  return lens;
}

// Disparities of 1/256 px, of views 0.1 m apart whose principal points differ.
DepthOfValue disparity(const CameraLens& lens) {
  return {true, lens.focal_x * 0.1, 1.0 / 256.0, 1.5};
}

// The floor 1.2 m below a camera that looks down by 0.2 and is rolled.
struct Floor {
  double normal[3];
  double distance = 1.2;
  explicit Floor(double roll) {
    const double down = std::cos(0.2);
    normal[0] = std::sin(roll) * down;
    normal[1] = std::cos(roll) * down;
    normal[2] = std::sin(0.2);
  }
};

// The plane's value in a pixel, computed along the ray.
double value_of(const Floor& floor, const CameraLens& lens, const DepthOfValue& depth, double x,
                double y) {
  const double along = floor.normal[0] * (x - lens.principal_x) / lens.focal_x +
                       floor.normal[1] * (y - lens.principal_y) / lens.focal_y + floor.normal[2];
  const double inverse = along / floor.distance;
  return (depth.numerator * inverse - depth.offset) / depth.factor;
}

TEST(GroundPlane, HasTheValuesOfThePlane) {
  const CameraLens lens = lens_of(640, 480);
  const DepthOfValue depths[] = {disparity(lens), {true, 6e4, 1.0, 0.0}};
  for (const DepthOfValue& depth : depths) {
    for (const double roll : {0.0, 0.3, -0.7}) {
      const Floor floor(roll);
      const GroundPlane plane = ground_plane_of(floor.normal, floor.distance, lens, {}, depth);
      ASSERT_TRUE(has_ground(plane));
      EXPECT_TRUE(is_within_limits(plane));
      for (int y = 0; y < 480; y += 37) {
        for (int twice = 0; twice < 1280; twice += 93) {
          const double expected = value_of(floor, lens, depth, twice / 2.0, y);
          // Rounded to 2^-33 in three numbers, two of which count up to 1279 times.
          EXPECT_NEAR(static_cast<double>(ground_value(plane, twice, y)) / (2 * kOne), expected,
                      1e-6);
        }
      }
    }
  }
}

TEST(GroundPlane, FollowsItsPlacement) {
  const CameraLens lens = lens_of(640, 480);
  const DepthOfValue depth = disparity(lens);
  const Floor floor(0.2);
  // The planes belong to a frame of half the size, cropped from this one.
  const PlanePlacement placement = {2.0, 2.0, 100.0, 50.0};
  const GroundPlane plane = ground_plane_of(floor.normal, floor.distance, lens, placement, depth);
  ASSERT_TRUE(has_ground(plane));
  for (const int column : {0, 101, 639}) {
    for (const int row : {0, 60, 479}) {
      const double x = (column + 0.5 - 100.0) / 2.0 - 0.5;
      const double y = (row + 0.5 - 50.0) / 2.0 - 0.5;
      EXPECT_NEAR(static_cast<double>(ground_value(plane, 2 * column, row)) / (2 * kOne),
                  value_of(floor, lens, depth, x, y), 1e-6);
    }
  }
}

TEST(GroundPlane, IsNoneWhereValuesCannotHaveIt) {
  const CameraLens lens = lens_of(640, 480);
  const Floor floor(0.0);
  const double up[] = {0.0, -1.0, 0.0};
  const double upright[] = {0.0, 0.0, 1.0};
  const auto known = [&](const double* normal, double distance, const DepthOfValue& depth) {
    return has_ground(ground_plane_of(normal, distance, lens, {}, depth));
  };
  EXPECT_TRUE(known(floor.normal, 1.2, disparity(lens)));
  EXPECT_FALSE(known(floor.normal, 1.2, {false, 0.0, 0.001, 0.0}));  // depths
  EXPECT_FALSE(known(floor.normal, 0.0, disparity(lens)));
  EXPECT_FALSE(known(floor.normal, -1.0, disparity(lens)));
  EXPECT_FALSE(known(floor.normal, 1e-9, disparity(lens)));  // beyond the limits
  EXPECT_FALSE(known(floor.normal, 1e30, disparity(lens)));  // too flat to tell
  EXPECT_FALSE(known(up, 1.2, disparity(lens)));
  EXPECT_FALSE(known(upright, 1.2, disparity(lens)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(known(floor.normal, nan, disparity(lens)));
  EXPECT_FALSE(
      has_ground(ground_plane_of(floor.normal, 1.2, lens, {0.0, 1.0, 0.0, 0.0}, disparity(lens))));
}

TEST(GroundPlane, HasLimitsWithinWhichNothingOverflows) {
  EXPECT_TRUE(is_within_limits({}));
  EXPECT_FALSE(is_within_limits({1, 0, 0}));
  EXPECT_FALSE(is_within_limits({0, 0, -1}));
  EXPECT_TRUE(is_within_limits({-kMaxGroundOffset, kMaxGroundSlope, kMaxGroundSlope}));
  EXPECT_FALSE(is_within_limits({kMaxGroundOffset + 1, 0, 1}));
  EXPECT_FALSE(is_within_limits({0, -kMaxGroundSlope - 1, 1}));
  EXPECT_FALSE(is_within_limits({0, 0, kMaxGroundSlope + 1}));
  // Extreme planes, for the address and undefined-behaviour sanitizers.
  const ClassRules rules{1e6, 0.0, 0.0};
  for (const GroundPlane& plane :
       {GroundPlane{kMaxGroundOffset, kMaxGroundSlope, kMaxGroundSlope},
        GroundPlane{-kMaxGroundOffset, -kMaxGroundSlope, kMaxGroundSlope}}) {
    const auto class_of_rise = [&](float first, float last) {
      return class_on_plane(0, 16383, first, last, 2 * 16383, plane, rules);
    };
    EXPECT_EQ(class_of_rise(-3e38F, 3e38F), SegmentClass::kGround);  // as steep as the plane
    EXPECT_EQ(class_of_rise(3e38F, -3e38F), SegmentClass::kOther);
    EXPECT_EQ(class_of_rise(65535.0F, -65535.0F), SegmentClass::kUpright);
  }
}

TEST(GroundPlane, KnowsTheMiddleOfItsColumns) {
  EXPECT_EQ(twice_middle(0, 1, 640), 0);
  EXPECT_EQ(twice_middle(7, 1, 640), 14);
  EXPECT_EQ(twice_middle(0, 4, 640), 3);
  EXPECT_EQ(twice_middle(2, 4, 10), 8 + 9);  // the last one has two
}

// For a level camera and exact numbers, classes equal those computed in double.
TEST(GroundPlane, GivesTheClassesOfALineWhereThereIsNoRoll) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int counts[kSegmentClasses] = {};
  for (int i = 0; i < 100000; ++i) {
    const double slope = (1 + below(64)) / 16.0;
    const int horizon = below(400) - 100;
    const Ground ground{slope, static_cast<double>(horizon)};
    const GroundPlane plane{static_cast<std::int64_t>(-slope * horizon * kOne), 0,
                            static_cast<std::int64_t>(slope * kOne)};
    const ClassRules rules{1.0 + below(8) / 4.0, below(16) / 2.0, 0.0};
    const int first = below(400);
    const int last = first + below(3) * below(80);
    const auto value = [&](int row) {
      const double on_ground = slope * (row - horizon);
      return static_cast<float>(below(2) == 0 ? on_ground + below(65) / 8.0 - 4.0
                                              : below(4000) / 8.0);
    };
    const float first_value = value(first);
    const float last_value = below(4) == 0 ? first_value : value(last);
    const SegmentClass expected = class_of(first, last, first_value, last_value, ground, rules);
    const SegmentClass found =
        class_on_plane(first, last, first_value, last_value, below(1000), plane, rules);
    ASSERT_EQ(found, expected) << first << " " << last << " " << first_value << " " << last_value
                               << ", slope " << slope << ", horizon " << horizon;
    ++counts[static_cast<int>(found)];
  }
  for (const int count : counts) EXPECT_GT(count, 1000);
}

// A floor under a rolled camera, rough except in every fourth column. The frame's vote has one
// horizon, which fits only the middle columns; the short segments of rough columns have no usable
// slope. The plane fits all columns.
TEST(GroundPlane, HonoursRoll) {
  constexpr int kWidth = 320;
  constexpr int kHeight = 240;
  const CameraLens lens = lens_of(kWidth, kHeight);
  const DepthOfValue depth = {true, lens.focal_x * 0.1, 1.0 / 256.0, 0.0};
  const Floor floor(20.0 * 3.14159265358979323846 / 180.0);
  test::TestFrame frame(kWidth, kHeight, SampleType::kU16);
  std::mt19937 random(1);
  int floor_pixels = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double value = value_of(floor, lens, depth, x, y);
      // A wall 4 m ahead stands on it.
      const double wall = depth.numerator / 4.0 / depth.factor;
      floor_pixels += value > wall ? 1 : 0;
      const bool rough = value > wall && x % 4 != 0;
      const double noise = rough ? static_cast<double>(random() % 101) - 50.0 : 0.0;
      frame.view().set(y, x,
                       static_cast<std::uint16_t>(std::lround(std::max(value, wall) + noise)));
    }
  }
  Parameters parameters;
  parameters.epsilon = 2.0;
  for (const int column_width : {1, 2}) {
    parameters.column_width = column_width;
    SegmentList segments;
    Engine(1).segment(frame.view(), parameters, &segments);
    const ClassRules rules = class_rules(parameters);
    const GroundPlane plane = ground_plane_of(floor.normal, floor.distance, lens, {}, depth);
    std::vector<std::uint8_t> by_plane(segments.segment_count());
    std::vector<std::uint8_t> by_vote(segments.segment_count());
    classify_segments(segments, plane, rules, column_width, kWidth, by_plane.data());
    classify_segments(segments, find_ground(segments, kHeight, rules), rules, by_vote.data());
    // Number of pixels with the correct class: ground below the wall's foot, upright above.
    const auto right = [&](const std::vector<std::uint8_t>& classes) {
      int count = 0;
      for (int c = 0; c < segments.columns(); ++c) {
        const int x = c * column_width;
        for (std::size_t i = segments.offsets()[static_cast<std::size_t>(c)];
             i < segments.offsets()[static_cast<std::size_t>(c) + 1]; ++i) {
          const Segment& s = segments.segments()[i];
          const int middle = (s.first_row + s.last_row) / 2;
          const bool on_floor =
              value_of(floor, lens, depth, x, middle) > depth.numerator / 4.0 / depth.factor;
          const auto wanted = on_floor ? SegmentClass::kGround : SegmentClass::kUpright;
          if (classes[i] == static_cast<std::uint8_t>(wanted)) {
            count += (s.last_row - s.first_row) * column_width;
          }
        }
      }
      return static_cast<double>(count) / (kWidth * kHeight);
    };
    EXPECT_GT(floor_pixels, kWidth * kHeight / 4);
    EXPECT_GT(right(by_plane), 0.97) << column_width;
    EXPECT_LT(right(by_vote), 0.9) << column_width;
  }
}

TEST(GroundPlane, DoesNotDependOnTheRoundingMode) {
  const CameraLens lens = lens_of(640, 480);
  const Floor floor(0.123);
  const auto plane = [&] {
    return ground_plane_of(floor.normal, floor.distance, lens, {}, disparity(lens));
  };
  const GroundPlane nearest = plane();
  std::fesetround(FE_UPWARD);
  const GroundPlane upward = plane();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(nearest, upward);
}

}  // namespace
}  // namespace rdp
