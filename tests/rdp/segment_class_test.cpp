// SPDX-License-Identifier: LGPL-2.1-or-later
// Segment classes: the rule case by case, and the estimated ground against a plain definition and a
// street with a known camera.
#include "common/rdp/segment_class.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "common/rdp/ground.h"
#include "common/rdp/reference.h"
#include "common/scene/street_scene.h"
#include "common/scene/test_pattern.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SegmentList list_of(const std::vector<std::vector<Segment>>& columns) {
  SegmentList list;
  std::uint32_t* offsets = list.resize_columns(static_cast<int>(columns.size()));
  std::uint32_t count = 0;
  offsets[0] = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    count += static_cast<std::uint32_t>(columns[c].size());
    offsets[c + 1] = count;
  }
  Segment* out = list.resize_segments();
  for (const auto& column : columns) out = std::copy(column.begin(), column.end(), out);
  return list;
}

SegmentClass class_of(const Segment& s, const Ground& ground, const ClassRules& rules) {
  return rdp::class_of(s.first_row, s.last_row, s.first_value, s.last_value, ground, rules);
}

// The ground: 0.5 a row from row 100 on. Tolerance 2.
TEST(SegmentClass, FollowsFromSlopeAndLevel) {
  const Ground ground{0.5, 100.0};
  const ClassRules rules{2.0, 4.0, 0.0};
  const std::pair<Segment, SegmentClass> cases[] = {
      // On the ground, whatever the slope: within 2 and an eighth.
      {{200, 400, 50, 150}, SegmentClass::kGround},
      {{300, 310, 102, 102}, SegmentClass::kGround},
      {{300, 300, 100, 100}, SegmentClass::kGround},
      {{300, 300, 114.5F, 114.5F}, SegmentClass::kGround},
      {{300, 300, 114.75F, 114.75F}, SegmentClass::kOther},
      {{300, 300, 85.5F, 85.5F}, SegmentClass::kGround},
      {{300, 300, 85.25F, 85.25F}, SegmentClass::kOther},
      // One end alone is not enough.
      {{200, 300, 50, 50}, SegmentClass::kUpright},
      // Level, above the ground.
      {{100, 200, 100, 125}, SegmentClass::kGround},
      {{100, 200, 100, 124.5F}, SegmentClass::kUpright},
      {{100, 200, 100, 200}, SegmentClass::kGround},
      {{100, 200, 100, 200.5F}, SegmentClass::kOther},
      // Upright, leaning both ways; overhanging.
      {{100, 200, 100, 100}, SegmentClass::kUpright},
      {{100, 200, 100, 75.5F}, SegmentClass::kUpright},
      {{100, 200, 100, 75}, SegmentClass::kOther},
      {{10, 10, 100, 100}, SegmentClass::kOther},
      // Far comes first.
      {{0, 60, 0, 0}, SegmentClass::kFar},
      {{0, 60, 4, 4}, SegmentClass::kFar},
      {{0, 60, 4, 4.5F}, SegmentClass::kUpright},
      {{0, 60, -300, 4}, SegmentClass::kFar},
      {{5, 5, 3, 3}, SegmentClass::kFar},
  };
  for (const auto& [segment, expected] : cases) {
    EXPECT_EQ(class_of(segment, ground, rules), expected)
        << segment.first_row << " " << segment.last_row << " " << segment.first_value << " "
        << segment.last_value;
  }
}

TEST(SegmentClass, WithoutAGroundFlatIsUpright) {
  const ClassRules rules{2.0, -1.0, 0.0};
  EXPECT_EQ(class_of({0, 50, 100, 104}, {}, rules), SegmentClass::kUpright);
  EXPECT_EQ(class_of({0, 50, 104, 100}, {}, rules), SegmentClass::kUpright);
  EXPECT_EQ(class_of({0, 50, 100, 104.5F}, {}, rules), SegmentClass::kOther);
  EXPECT_EQ(class_of({0, 50, 104.5F, 100}, {}, rules), SegmentClass::kOther);
  EXPECT_EQ(class_of({7, 7, 100, 100}, {}, rules), SegmentClass::kOther);
}

TEST(SegmentClass, WithoutAHorizonTheSlopeDecides) {
  const Ground ground{0.5, kInfinity};
  const ClassRules rules{2.0, -1.0, 0.0};
  EXPECT_EQ(class_of({300, 300, 100, 100}, ground, rules), SegmentClass::kOther);
  EXPECT_EQ(class_of({300, 310, 100, 100}, ground, rules), SegmentClass::kUpright);
  EXPECT_EQ(class_of({300, 310, 100, 105}, ground, rules), SegmentClass::kGround);
}

TEST(SegmentClass, RulesAreInSampleSteps) {
  Parameters parameters;
  parameters.epsilon = 2.0;
  parameters.sample_scale = 1.0 / 256;
  ClassRules rules = class_rules(parameters);
  EXPECT_EQ(rules.tolerance, 512.0);
  EXPECT_EQ(rules.far_value, 512.0);
  EXPECT_EQ(rules.ground_slope, 0.0);
  parameters.ground_slope = 0.25;
  parameters.far_value = 0.0;
  rules = class_rules(parameters);
  EXPECT_EQ(rules.far_value, 0.0);
  EXPECT_EQ(rules.ground_slope, 64.0);
  // With any settings, products with rows stay finite.
  parameters.sample_scale = 1e-300;
  parameters.ground_slope = 1e300;
  parameters.far_value = 1e300;
  rules = class_rules(parameters);
  EXPECT_EQ(rules.far_value, 1e6);
  EXPECT_EQ(rules.ground_slope, 1e6);
  parameters.epsilon = 0.0;
  EXPECT_EQ(class_rules(parameters).tolerance, 1.0);
}

TEST(SegmentClass, CodesKeepTheOrderAndAreExactEnough) {
  int previous = 0;
  for (double slope = 2.0 / 16383; slope < 131070.0; slope *= 1.0003) {
    const int code = code_of_slope(slope);
    ASSERT_GE(code, previous) << slope;
    ASSERT_LE(code, 65535) << slope;
    ASSERT_NEAR(slope_of_code(code) / slope, 1.0, 1.0 / 2000) << slope;
    previous = code;
  }
  EXPECT_EQ(code_of_slope(1e300), 65535);
  for (const double horizon : {-16384.0, -16383.5, -1.0, -0.25, 0.0, 0.75, 100.5, 49150.0}) {
    EXPECT_LE(std::abs(horizon_of_code(code_of_horizon(horizon)) - horizon), 0.5) << horizon;
  }
  EXPECT_EQ(code_of_horizon(-kInfinity), 0);
  EXPECT_EQ(code_of_horizon(1e30), 65535);
}

// The definition, with sorted numbers in place of counted codes.
double sorted_median(std::vector<std::pair<double, int>> votes) {
  std::sort(votes.begin(), votes.end());
  std::int64_t total = 0;
  for (const auto& vote : votes) total += vote.second;
  std::int64_t before = 0;
  for (const auto& [value, weight] : votes) {
    before += weight;
    if (before > (total - 1) / 2) return value;
  }
  return 0.0;
}

Ground plain_ground(const SegmentList& list, int height, const ClassRules& rules) {
  std::vector<Segment> voters;
  for (int c = 0; c < list.columns(); ++c) {
    const std::span<const Segment> column = list.column(c);
    const int last = static_cast<int>(column.size()) - 1;
    for (int i = last; i >= 0 && i > last - 64; --i) {
      const Segment& s = column[static_cast<std::size_t>(i)];
      const int rows = s.last_row - s.first_row;
      if (rows == 0 || 16 * rows < height) continue;
      if (double{s.last_value} - s.first_value >= 2 * rules.tolerance) voters.push_back(s);
      break;
    }
  }
  const auto slope = [](const Segment& s) {
    return (double{s.last_value} - s.first_value) / (s.last_row - s.first_row);
  };
  Ground ground;
  ground.slope = rules.ground_slope;
  if (ground.slope == 0.0) {
    if (voters.empty() || 16 * static_cast<int>(voters.size()) < list.columns()) return {};
    std::vector<std::pair<double, int>> votes;
    for (const Segment& s : voters) votes.emplace_back(slope(s), s.last_row - s.first_row);
    ground.slope = slope_of_code(code_of_slope(sorted_median(votes)));
  }
  std::vector<std::pair<double, int>> votes;
  for (const Segment& s : voters) {
    if (slope(s) < ground.slope / 2 || slope(s) > ground.slope * 2) continue;
    votes.emplace_back(s.last_row - s.last_value / ground.slope, s.last_row - s.first_row);
  }
  if (!votes.empty()) {
    ground.horizon = std::clamp(std::floor(sorted_median(votes)), -16384.0, 49151.0) + 0.5;
  }
  return ground;
}

std::vector<Segment> random_column(int height, std::mt19937* random) {
  const auto below = [random](int n) {
    return static_cast<int>((*random)() % static_cast<unsigned>(n));
  };
  std::vector<Segment> column;
  const int length = 1 + below(std::max(1, height / (1 + below(20))));
  for (int row = below(height); row < height; row += 1 + below(length)) {
    const int last = std::min(height - 1, row + below(length));
    const auto value = static_cast<float>(below(4000)) / 4.0F;
    const float slope = static_cast<float>(below(200) - 60) / 50.0F;
    column.push_back({static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(last), value,
                      value + slope * static_cast<float>(last - row)});
    row = last;
  }
  return column;
}

TEST(Ground, IsThatOfThePlainDefinition) {
  std::mt19937 random(7);
  int grounds = 0;
  int horizons = 0;
  for (int round = 0; round < 3000; ++round) {
    const int height = 1 + static_cast<int>(random() % (round % 3 == 0 ? 16384U : 300U));
    std::vector<std::vector<Segment>> columns(1 + random() % 40);
    const unsigned empty = random() % 30;
    for (auto& column : columns) {
      if (random() % 30 >= empty) column = random_column(height, &random);
    }
    const SegmentList list = list_of(columns);
    ClassRules rules;
    rules.tolerance = 1.0 + random() % 8;
    rules.ground_slope = random() % 3 == 0 ? 0.25 * (random() % 8) : 0.0;
    const Ground expected = plain_ground(list, height, rules);
    const Ground actual = find_ground(list, height, rules);
    ASSERT_EQ(actual.slope, expected.slope) << round;
    ASSERT_EQ(actual.horizon, expected.horizon) << round;
    grounds += actual.slope > 0.0;
    horizons += std::isfinite(actual.horizon);
  }
  EXPECT_GT(grounds, 1000);
  EXPECT_GT(horizons, 800);
}

// A ground under a wall in 16 columns of 256 is enough, in 15 it is not.
TEST(Ground, NeedsASixteenthOfTheColumns) {
  for (const int voters : {15, 16}) {
    std::vector<std::vector<Segment>> columns(256, {{0, 99, 30, 30}});
    for (int c = 0; c < voters; ++c) {
      columns[static_cast<std::size_t>(16 * c + 3)] = {{0, 50, 30, 30}, {51, 99, 25.5F, 49.5F}};
    }
    const Ground ground = find_ground(list_of(columns), 100, {});
    EXPECT_EQ(ground.slope > 0.0, voters == 16);
    if (voters == 16) {
      EXPECT_NEAR(ground.slope, 0.5, 0.0005);
      EXPECT_NEAR(ground.horizon, 0.5, 0.51);
    }
  }
}

// The majority of columns decides.
TEST(Ground, IsNotMovedByAMinority) {
  std::mt19937 random(3);
  std::vector<std::vector<Segment>> columns(100, {{0, 40, 10, 10}, {41, 199, 10.25F, 49.75F}});
  for (std::size_t c = 0; c < 48; ++c) {
    const auto wild = static_cast<float>(random() % 5000);
    columns[c] = {{0, 199, 0, wild}};
    if (c % 2 == 0) columns[c][0].first_row = 100;
  }
  const Ground ground = find_ground(list_of(columns), 200, {});
  EXPECT_NEAR(ground.slope, 0.25, 0.25 / 1000);
  EXPECT_NEAR(ground.horizon, 0.0, 1.0);
}

// Only the lowest 64 segments are examined: a column of noise has no ground.
TEST(Ground, IsLookedForInTheLowest64Segments) {
  for (const int noise : {63, 64}) {
    std::vector<Segment> column = {{0, 99, 5, 55}};
    for (int i = 0; i < noise; ++i) {
      const auto row = static_cast<std::uint16_t>(100 + 2 * i);
      column.push_back({row, static_cast<std::uint16_t>(row + 1), 7, 7});
    }
    EXPECT_EQ(find_ground(list_of({column}), 228, {}).slope > 0.0, noise == 63);
  }
}

// The test source's street: the road is found where the camera puts it, at any size, with noise.
TEST(Ground, OfTheStreetIsTheRoad) {
  for (const auto& [width, height] : {std::pair{1242, 376}, {640, 480}, {320, 240}}) {
    for (const double noise : {0.0, 0.5}) {
      for (const bool merge : {false, true}) {
        test::TestFrame frame(width, height, SampleType::kU16);
        TestPatternOptions options;
        options.noise = noise;
        TestPatternRenderer().draw(7, options, frame.view());
        Parameters parameters;
        parameters.epsilon = 2.0;
        parameters.sample_scale = 1.0 / 256;
        parameters.merge = merge;
        parameters.refine = merge;
        SegmentList list;
        reference::segment_filtered(frame.view(), parameters, &list);
        const Ground ground = find_ground(list, height, class_rules(parameters));
        const TestCamera camera = TestCamera::of_size(width, height);
        const double slope = camera.baseline / TestCamera::kHeight;
        EXPECT_NEAR(ground.slope / 256.0, slope, 0.04 * slope) << width << " " << noise << merge;
        EXPECT_NEAR(ground.horizon, camera.centre_row, 0.02 * height) << width << " " << noise;
      }
    }
  }
}

TEST(Ground, OfAWallOrOfNothingIsNone) {
  EXPECT_EQ(find_ground(list_of({{}, {}, {}}), 100, {}).slope, 0.0);
  const std::vector<std::vector<Segment>> wall(50, {{0, 99, 300, 301.5F}});
  const Ground ground = find_ground(list_of(wall), 100, {});
  EXPECT_EQ(ground.slope, 0.0);
  std::vector<std::uint8_t> classes(50);
  classify_segments(list_of(wall), ground, {}, classes.data());
  for (const std::uint8_t c : classes) {
    EXPECT_EQ(c, static_cast<std::uint8_t>(SegmentClass::kUpright));
  }
}

// A given slope too far from every segment's leaves the horizon open.
TEST(Ground, IsAsGiven) {
  ClassRules rules;
  rules.ground_slope = 3.0;
  const std::vector<std::vector<Segment>> columns(50, {{0, 99, 0, 99}});
  Ground ground = find_ground(list_of(columns), 100, rules);
  EXPECT_EQ(ground.slope, 3.0);
  EXPECT_EQ(ground.horizon, kInfinity);
  rules.ground_slope = 1.5;
  ground = find_ground(list_of(columns), 100, rules);
  EXPECT_EQ(ground.slope, 1.5);
  EXPECT_NEAR(ground.horizon, 99 - 99 / 1.5, 0.5);
}

}  // namespace
}  // namespace rdp
