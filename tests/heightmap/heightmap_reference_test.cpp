// SPDX-License-Identifier: LGPL-2.1-or-later
// The reference of height maps compared with a second implementation, and its invariants.
#include "common/heightmap/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "common/heightmap/potential.h"
#include "common/heightmap/rules.h"
#include "tests/heightmap/heightmap_cases.h"
#include "tests/heightmap/second_definition.h"

namespace rdp::heightmap {
namespace {

using test::HeightsCase;
using test::SlowHeights;

template <typename Number>
std::vector<int> numbers(const std::vector<Number>& values) {
  return {values.begin(), values.end()};
}

// Compares each step with the second implementation.
void compare(const HeightsCase& c) {
  SCOPED_TRACE(c.text());
  const std::vector<DepthView> pictures = c.pictures();
  const SlowHeights slow = test::slow_heights(c.rig, c.parameters, pictures);

  const Geometry geometry = geometry_of(c.rig);
  reference::Field field{
      geometry.width, geometry.height, potential_of(geometry, c.parameters), {}, {}};
  field.edges = reference::edges(pictures[static_cast<std::size_t>(c.rig.reference)], c.parameters);
  ASSERT_EQ(numbers(field.potential), slow.potential);
  field.costs = reference::costs(geometry, c.rig, c.parameters, field.potential, pictures);
  ASSERT_EQ(numbers(field.costs), slow.costs);
  const reference::Labelling found = reference::propagate(field, c.parameters);
  ASSERT_EQ(numbers(found.labels), slow.labels);
  ASSERT_EQ(found.energy, slow.energy);
  ASSERT_EQ(found.iterations, slow.iterations);

  const reference::HeightMap map = reference::height_map(c.rig, c.parameters, {}, pictures);
  ASSERT_EQ(numbers(map.labels), slow.without_specks);
  ASSERT_EQ(map.energy, slow.energy);
  ASSERT_EQ(map.iterations, slow.iterations);
  ASSERT_EQ(map.heads, slow.heads);
  ASSERT_EQ(map.known, std::count_if(map.labels.begin(), map.labels.end(),
                                     [&](int label) { return label != c.parameters.heights(); }));
}

TEST(HeightMapReference, IsTheSecondDefinition) {
  const std::pair<int, int> sizes[] = {{2, 2},  {2, 3},  {3, 2},  {5, 4},   {1, 7},  {7, 1},
                                       {12, 9}, {9, 16}, {21, 6}, {17, 13}, {31, 5}, {20, 20}};
  std::mt19937 random(36);
  std::size_t with_heads = 0;
  for (int round = 0; round < 12; ++round) {
    for (const auto& [width, height] : sizes) {
      const HeightsCase c = test::random_case(&random, width, height);
      compare(c);
      if (HasFatalFailure()) return;
      with_heads +=
          reference::height_map(c.rig, c.parameters, {}, c.pictures()).heads.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(with_heads, 20U);  // the cases are meaningful
}

// Messages alone, with costs that pictures rarely give, and rises up to the maximum.
TEST(HeightMapReference, MessagesAreTheLeastOverAllPairs) {
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    Parameters p;
    const auto heights = static_cast<int>(1 + random() % kMaxHeights);
    p.max_height = p.min_height + (heights - 1) * p.height_step;
    p.smoothness = static_cast<int>(1 + random() % 15);
    p.max_jump = static_cast<int>(1 + random() % 31);
    const auto jump = static_cast<int>(1 + random() % 31);
    const auto most = static_cast<unsigned>(round % 2 == 0 ? 221 : 1 + random() % 40);
    std::vector<int> known;
    for (int l = 0; l <= heights; ++l) known.push_back(static_cast<int>(random() % most));
    const int up = static_cast<int>(random() % 5) - 2;
    std::vector<std::uint8_t> told(known.size());
    reference::message(known, up, jump, p, told.data());
    ASSERT_EQ(numbers(told), test::slow_message(known, up, jump, p)) << round;
    ASSERT_EQ(*std::min_element(told.begin(), told.end()), 0);
    ASSERT_LE(*std::max_element(told.begin(), told.end()), std::max(p.max_jump, jump));
  }
}

// A surface that rises as the potential does costs nothing: the sign of the prior.
TEST(HeightMapReference, WhatFollowsThePotentialIsFree) {
  Parameters p;
  p.max_height = p.height_of(kMaxHeights - 1);
  const std::size_t labels = kMaxHeights + 1;
  for (const int max_slope : {1, 2}) {
    p.max_slope = max_slope;
    // 0.3 labels a pixel, and 1.3.
    const Geometry geometry =
        geometry_of(test::crowd_rig(2, 60, 36, max_slope == 1 ? 1750.0 : 400.0));
    reference::Field field{60, 36, potential_of(geometry, p), {}, {}};
    field.costs.assign(field.potential.size() * labels, 0);
    const auto [low, high] = std::minmax_element(field.potential.begin(), field.potential.end());
    ASSERT_GT(*high - *low, 8);
    ASSERT_LT(*high - *low, kMaxHeights);
    std::vector<std::uint8_t> rising;
    std::vector<std::uint8_t> falling;
    for (const std::int32_t f : field.potential) {
      rising.push_back(static_cast<std::uint8_t>(f - *low));
      falling.push_back(static_cast<std::uint8_t>(*high - f));
    }
    EXPECT_EQ(reference::energy(field, p, rising), 0);
    EXPECT_GT(reference::energy(field, p, falling), 1000);
  }
}

// For upright things, the potential rises between points above one another by their label
// difference.
TEST(HeightMapReference, PotentialFollowsTheVertical) {
  const Parameters p;
  const Rig rig = test::crowd_rig(3, 200, 160, 450.0);
  const Geometry geometry = geometry_of(rig);
  const std::vector<std::int32_t> potential = potential_of(geometry, p);
  const auto seen = [&](double x, double y, double h) {
    const Vector3 at = times(geometry.plane(h).to_pixel, x, y);
    return static_cast<std::size_t>(std::floor(at.y / at.z + 0.5)) * 200 +
           static_cast<std::size_t>(std::floor(at.x / at.z + 0.5));
  };
  for (double x = -1.0; x <= 1.0; x += 0.5) {
    for (double y = -1.0; y <= 1.0; y += 0.5) {
      const int rise = potential[seen(x, y, 1.95)] - potential[seen(x, y, 1.45)];
      EXPECT_NEAR(rise, 20, 3) << x << ", " << y;  // 0.5 m
    }
  }
}

TEST(HeightMapReference, WithoutSlopeThePotentialIsFlat) {
  Parameters p;
  p.slope = false;
  const Geometry geometry = geometry_of(test::crowd_rig(2, 30, 20, 60.0));
  EXPECT_EQ(numbers(potential_of(geometry, p)), std::vector<int>(600, 0));
}

// Up to 45 degrees below the horizontal, slopes follow the vertical's image. Steeper rays have
// smaller slopes, and 0 below the camera, where that image is unbounded.
TEST(HeightMapReference, SlopesFadeBelowTheCamera) {
  const Parameters p;
  Rig rig;
  // The picture's rows look along Y, from below the camera on.
  rig.views.push_back(test::view_of({0.0, 0.0, 8.0}, {0.0, 6.0, 1.6875}, 300.0, 9, 700));
  const Geometry geometry = geometry_of(rig);
  EXPECT_NEAR(geometry.eye.x, 0.0, 1e-9);
  EXPECT_NEAR(geometry.eye.y, 0.0, 1e-9);
  EXPECT_NEAR(geometry.eye.z, 8.0, 1e-9);
  const Plane middle = geometry.plane(middle_height(p));
  int far = 0;
  int near = 0;
  double last = 0.0;
  for (int row = 0; row < 700; ++row) {
    const Slope slope = slope_at(middle, geometry, p, 4, row);
    const Vector3 q = times(middle.to_ground, 4, row);
    const double away = std::hypot(q.x / q.z, q.y / q.z);
    const double down = 8.0 - middle.height;
    if (!middle.before(q.z) || away > 15.0) continue;  // the horizon and its surroundings
    if (away > down) {
      const auto row_of = [&](double h) {
        const Vector3 at = times(geometry.plane(h).to_pixel, q.x / q.z, q.y / q.z);
        return at.y / at.z;
      };
      const double pixels = (row_of(middle.height + 0.0125) - row_of(middle.height - 0.0125));
      EXPECT_NEAR(slope.y * pixels, 1.0, 0.01) << row;
      ++far;
    } else {
      EXPECT_LE(std::abs(slope.y), 4.0 * away / down + 1e-6) << row;
      ++near;
    }
    if (away < 0.02) last = std::abs(slope.y);
  }
  EXPECT_GT(far, 100);
  EXPECT_GT(near, 200);
  EXPECT_LT(last, 0.02);
}

// At and above the horizon, and next to it, where the slope is beyond any limit.
TEST(HeightMapReference, SlopesEndAtTheHorizon) {
  const Parameters p;
  Rig rig;
  // From 2.2 m, at the ground 6 m away: the horizon is within the picture.
  rig.views.push_back(test::view_of({0.0, -6.0, 2.2}, {0.0, 0.0, 0.0}, 60.0, 80, 100));
  const Geometry geometry = geometry_of(rig);
  const Plane middle = geometry.plane(middle_height(p));
  int above = 0;
  int limited = 0;
  for (int row = 0; row < 100; ++row) {
    const Slope slope = slope_at(middle, geometry, p, 40, row);
    EXPECT_LE(std::abs(slope.x), 4.0);
    EXPECT_LE(std::abs(slope.y), 4.0);
    if (!middle.before(row_times(geometry.horizon, 40, row))) {
      ++above;
      EXPECT_EQ(slope.y, 0.0);
    }
    limited += std::abs(slope.y) == 4.0 ? 1 : 0;
  }
  EXPECT_GT(above, 10);
  EXPECT_GT(limited, 0);
}

TEST(HeightMapReference, CensusByHand) {
  // Four times the binomial filter of a single bright pixel, seen from a corner.
  std::vector<std::uint8_t> pixels(25, 0);
  pixels[12] = 10;
  const DepthView picture{reinterpret_cast<const std::byte*>(pixels.data()), 5, 5, 5,
                          SampleType::kU8};
  EXPECT_EQ(reference::smoothed(picture, 2, 2), 40);
  EXPECT_EQ(reference::smoothed(picture, 1, 2), 20);
  EXPECT_EQ(reference::smoothed(picture, 1, 1), 10);
  EXPECT_EQ(reference::smoothed(picture, 0, 2), 0);
  const std::vector<std::uint32_t> census = reference::census(picture);
  EXPECT_EQ(census[12], 0U);               // the brightest
  EXPECT_EQ(census[0], 0xFFFFFFU);         // the darkest
  EXPECT_EQ(std::popcount(census[7]), 4);  // above the brightest: that, and its neighbours
  std::fill(pixels.begin(), pixels.end(), std::uint8_t{255});
  EXPECT_EQ(reference::smoothed(picture, 0, 0), 16 * 255);
}

TEST(HeightMapReference, CostsByHand) {
  EXPECT_EQ(window_cost(24 * 81 * 2, 24 * 81, 2, 81), 124);
  EXPECT_EQ(window_cost(0, 0, 15, 121), 0);
  EXPECT_EQ(window_cost(12 * 81 * 2, 12 * 81, 2, 81), 62);
  // Three quarters of the mean and a quarter of the best view: 124 * (3/8 + 0) = 46.5, up.
  EXPECT_EQ(window_cost(24 * 9, 0, 2, 9), 47);
  EXPECT_EQ(unknown_cost(kMaxCost + 1, 50, -64), 50);
  EXPECT_EQ(unknown_cost(20, 50, 3), 23);
  EXPECT_EQ(unknown_cost(49, 50, 3), 50);
  EXPECT_EQ(unknown_cost(10, 50, -64), 0);
}

// Textureless within reach of window, census and smoothing, across borders as well.
TEST(HeightMapReference, PlainByHand) {
  constexpr int kSide = 20;
  std::vector<std::uint8_t> pixels(kSide * kSide, 7);
  const DepthView picture{reinterpret_cast<const std::byte*>(pixels.data()), kSide, kSide, kSide,
                          SampleType::kU8};
  const int reach = plain_reach(Parameters().window);
  EXPECT_EQ(reach, 7);
  EXPECT_TRUE(reference::is_plain(picture, 0, 0, reach));
  pixels[10 * kSide + 9] = 8;
  EXPECT_FALSE(reference::is_plain(picture, 10, 9, reach));
  EXPECT_FALSE(reference::is_plain(picture, 3, 2, reach));
  EXPECT_TRUE(reference::is_plain(picture, 2, 9, reach));
  EXPECT_TRUE(reference::is_plain(picture, 19, 17, reach));
  EXPECT_EQ(plain_unknown_cost(3, 1), 0);
  EXPECT_EQ(plain_unknown_cost(50, 20), 19);
  EXPECT_EQ(plain_unknown_cost(20, 20), 19);
  EXPECT_EQ(plain_unknown_cost(19, 20), 19);
}

// `unknown` is the last label, and equal beliefs go to the first one: heights win.
TEST(HeightMapReference, TiesGoToTheSmallestLabel) {
  Parameters p;
  p.max_height = p.min_height + 2 * p.height_step;  // three heights
  reference::Field field{2, 1, {0, 0}, {9, 5, 5, 5, 7, 6, 6, 5}, {}};
  reference::Messages messages;
  reference::start(field, p, &messages);
  EXPECT_EQ(numbers(reference::labels_of(field, p, messages)), (std::vector<int>{1, 3}));
}

TEST(HeightMapReference, EdgesByHand) {
  const std::vector<std::uint8_t> pixels{100, 100, 120, 120,  //
                                         100, 100, 139, 120};
  const DepthView picture{reinterpret_cast<const std::byte*>(pixels.data()), 4, 4, 2,
                          SampleType::kU8};
  const auto edges = [&](int contrast) {
    Parameters p;
    p.edge_contrast = contrast;
    return numbers(reference::edges(picture, p));
  };
  EXPECT_EQ(edges(0), std::vector<int>(8, 0));
  EXPECT_EQ(edges(19), (std::vector<int>{0, 1, 2, 0, 0, 1, 1, 0}));
  EXPECT_EQ(edges(20), (std::vector<int>{0, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(edges(39), (std::vector<int>{0, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(edges(40), std::vector<int>(8, 0));

  // Edges of a pixel to its neighbours; also in a picture of one column.
  const Parameters p;
  const reference::Field field{2, 2, {}, {}, {kEdgeRight, kEdgeBelow, 0, 0}};
  EXPECT_EQ(reference::jump_between(field, p, 0, 1), p.edge_jump);
  EXPECT_EQ(reference::jump_between(field, p, 1, 0), p.edge_jump);
  EXPECT_EQ(reference::jump_between(field, p, 0, 2), p.unknown_jump);
  EXPECT_EQ(reference::jump_between(field, p, 3, 1), p.edge_jump);
  EXPECT_EQ(reference::jump_between(field, p, 3, 2), p.unknown_jump);
  const reference::Field column{1, 3, {}, {}, {0, kEdgeBelow, 0}};
  EXPECT_EQ(reference::jump_between(column, p, 1, 0), p.unknown_jump);
  EXPECT_EQ(reference::jump_between(column, p, 2, 1), p.edge_jump);
}

TEST(HeightMapReference, SpecklesByHand) {
  const std::vector<std::uint8_t> labels{
      1, 2, 9, 4,  //
      9, 2, 9, 9,  //
      5, 9, 4, 3,  //
  };
  const auto left = [&](int size) {
    std::vector<std::uint8_t> result = labels;
    reference::remove_speckles(4, 3, 9, size, &result);
    return numbers(result);
  };
  EXPECT_EQ(left(0), numbers(labels));
  EXPECT_EQ(left(1), (std::vector<int>{1, 2, 9, 9, 9, 2, 9, 9, 9, 9, 4, 3}));
  EXPECT_EQ(left(2), (std::vector<int>{1, 2, 9, 9, 9, 2, 9, 9, 9, 9, 9, 9}));
  EXPECT_EQ(left(3), std::vector<int>(12, 9));
}

// A tolerance stops after at least twenty half-iterations, and only at a multiple of ten.
TEST(HeightMapReference, ToleranceEndsTheSchedule) {
  std::mt19937 random(7);
  HeightsCase c = test::random_case(&random, 24, 20);
  c.parameters.iterations = 1000;
  c.parameters.tolerance = 1000000;
  EXPECT_EQ(reference::height_map(c.rig, c.parameters, {}, c.pictures()).iterations, 20);
  c.parameters.tolerance = 1;
  const int done = reference::height_map(c.rig, c.parameters, {}, c.pictures()).iterations;
  EXPECT_EQ(done % 10, 0);
  EXPECT_LT(done, 1000);
  c.parameters.tolerance = 0;
  c.parameters.iterations = done;
  const auto plain = reference::height_map(c.rig, c.parameters, {}, c.pictures());
  c.parameters.tolerance = 1;
  c.parameters.iterations = 1000;
  EXPECT_EQ(reference::height_map(c.rig, c.parameters, {}, c.pictures()).labels, plain.labels);
}

}  // namespace
}  // namespace rdp::heightmap
