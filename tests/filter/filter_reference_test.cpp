// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of the filter, worked out by hand. tests/bits compares the engine with the reference.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "common/filter/distance_range.h"
#include "common/filter/reference.h"
#include "common/filter/rules.h"

namespace rdp::filter {
namespace {

using reference::Frame;
using Samples = std::vector<std::uint16_t>;

// A frame that is `width` columns wide.
Frame frame(int width, Samples samples) {
  const int height = static_cast<int>(samples.size()) / width;
  return {width, height, std::move(samples)};
}

constexpr Tolerance kSix{1, 25770};  // 6/km of millimetres

TEST(FilterReference, ToleranceOfSamples) {
  EXPECT_EQ(inverse_tolerance(6, 1e6), kSix);
  EXPECT_EQ(inverse_tolerance(1e9, 1).per_square, 0xFFFFFFFFU);
  EXPECT_EQ(linear_tolerance(1, 1.0 / 256), (Tolerance{256, 0}));
  EXPECT_EQ(linear_tolerance(2.5, 1), (Tolerance{3, 0}));
  EXPECT_EQ(linear_tolerance(0.1, 1), (Tolerance{1, 0}));
  EXPECT_EQ(linear_tolerance(1e9, 1e-9), (Tolerance{0xFFFFFFFF, 0}));
  EXPECT_EQ(tolerance_of(100, kSix), 1);
  EXPECT_EQ(tolerance_of(1000, kSix), 6);
  EXPECT_EQ(tolerance_of(3000, kSix), 54);
  EXPECT_EQ(tolerance_of(65535, kSix), 25769);
  EXPECT_EQ(tolerance_of(65535, {1, 0xFFFFFFFF}), 4294836224);
  EXPECT_TRUE(are_alike(1000, 1006, kSix));
  EXPECT_TRUE(are_alike(1006, 1000, kSix));
  EXPECT_FALSE(are_alike(1000, 1007, kSix));
}

TEST(FilterReference, DistancesGiveARange) {
  const DepthOfValue depth{false, 0, 0.5, 0};
  EXPECT_EQ(distance_range(depth, 1, 3), (KnownRange{2, 6}));
  EXPECT_EQ(distance_range(depth, 0.9, 3.1), (KnownRange{2, 6}));
  EXPECT_EQ(distance_range(depth, 0, 0), (KnownRange{1, 65535}));
  EXPECT_EQ(distance_range(depth, 1e6, 0), (KnownRange{65536, 65535}));
  EXPECT_EQ(distance_range(depth, 0, 0.1), (KnownRange{1, 0}));
  const DepthOfValue disparity{true, 64, 1, -2};  // 1 and 2 are infinitely far
  EXPECT_EQ(distance_range(disparity, 1, 4), (KnownRange{18, 66}));
  EXPECT_EQ(distance_range(disparity, 0, 64), (KnownRange{3, 65535}));
  EXPECT_EQ(distance_range(disparity, 1, 0), (KnownRange{1, 66}));
  EXPECT_EQ(distance_range(disparity, 0, 0), (KnownRange{1, 65535}));
}

TEST(FilterReference, FlyingPixelsLieBetweenFlatSides) {
  const auto row = [](Samples samples) {
    const int width = static_cast<int>(samples.size());
    return reference::flying(frame(width, std::move(samples)), {2, 0}).samples;
  };
  EXPECT_EQ(row({100, 100, 150, 200, 200}), (Samples{100, 100, 0, 200, 200}));
  EXPECT_EQ(row({100, 103, 200}), (Samples{100, 0, 200}));
  EXPECT_EQ(row({100, 102, 200}), (Samples{100, 102, 200})) << "above the nearer by 2";
  EXPECT_EQ(row({100, 198, 200}), (Samples{100, 198, 200})) << "below the farther by 2";
  EXPECT_EQ(row({1, 75, 100, 150, 200, 225}), (Samples{1, 75, 100, 0, 200, 225}))
      << "4 * 25 is 100";
  EXPECT_EQ(row({1, 74, 100, 150, 200, 225}), (Samples{1, 74, 100, 150, 200, 225})) << "steep";
  EXPECT_EQ(row({75, 100, 150, 200, 226, 1}), (Samples{75, 100, 150, 200, 226, 1}));
  EXPECT_EQ(row({74, 100, 150, 200, 225}), (Samples{74, 100, 0, 200, 225})) << "two away";
  EXPECT_EQ(row({200, 200, 100, 200, 200}), (Samples{200, 200, 100, 200, 200})) << "a pole";
  EXPECT_EQ(row({100, 0, 150, 0, 200}), (Samples{100, 0, 0, 0, 200})) << "two away";
  const Frame of_three = frame(3, {100, 150, 200,  //
                                   100, 150, 200,  //
                                   100, 150, 152});
  EXPECT_EQ(reference::flying(of_three, {2, 0}).at(1, 1), 150) << "three are alike";
  const Frame diagonal = frame(3, {100, 0, 0,  //
                                   0, 150, 0,  //
                                   0, 0, 200});
  EXPECT_EQ(reference::flying(diagonal, {2, 0}).at(1, 1), 0);
}

TEST(FilterReference, DecimationTakesLowerMedians) {
  const Frame in = frame(5, {4, 3, 0, 0, 9,  //
                             2, 1, 0, 65535, 9});
  EXPECT_EQ(reference::decimate(in, 2).samples, (Samples{2, 65535}));
  EXPECT_EQ(reference::decimate(frame(3, {0, 7, 0, 0, 0, 0, 0, 8, 0}), 3).samples, Samples{0});
  EXPECT_EQ(reference::decimate(frame(3, {0, 7, 0, 0, 9, 0, 0, 8, 0}), 3).samples, Samples{8});
}

TEST(FilterReference, SmoothingTakesPairs) {
  const auto row = [](Samples samples, int radius) {
    const int width = static_cast<int>(samples.size());
    return reference::smooth(frame(width, std::move(samples)), radius, {4, 0}).samples;
  };
  EXPECT_EQ(row({10, 20, 30, 40, 50}, 2), (Samples{10, 20, 30, 40, 50})) << "a slope";
  EXPECT_EQ(row({20, 22, 20}, 1), (Samples{20, 21, 20})) << "62 / 3";
  EXPECT_EQ(row({20, 23, 20}, 1), (Samples{20, 23, 20})) << "bent by 6";
  EXPECT_EQ(row({20, 20, 22, 20, 22}, 2), (Samples{20, 21, 21, 21, 22}));
  EXPECT_EQ(row({20, 0, 22, 20, 22}, 1), (Samples{20, 0, 22, 21, 22}));
  EXPECT_EQ(row({4, 20, 36}, 1), (Samples{4, 20, 36}));
  EXPECT_EQ(row({4, 20, 37}, 1), (Samples{4, 20, 37})) << "17 is more than four times 4";
  EXPECT_EQ(row({6, 20, 37}, 1), (Samples{6, 20, 37}));
  EXPECT_EQ(row({6, 20, 36}, 1), (Samples{6, 21, 36})) << "62 / 3";
  const Frame column = frame(1, {20, 22, 20});
  EXPECT_EQ(reference::smooth(column, 1, {4, 0}).samples, (Samples{20, 21, 20}));
}

class Temporal : public ::testing::Test {
 protected:
  Temporal() {
    p.temporal_frames = 4;
    p.tolerance = {4, 0};
  }
  Samples next(Samples samples) {
    return reference::temporal(frame(3, std::move(samples)), p, &state).samples;
  }
  int mean(std::size_t i) const { return static_cast<int>(state.pixels[i] >> 8); }
  std::uint32_t history(std::size_t i) const { return state.pixels[i] & 0xFF; }

  Parameters p;
  reference::State state;
};

TEST_F(Temporal, MeansOfStillPixels) {
  p.motion_check = false;
  EXPECT_EQ(next({100, 100, 0}), (Samples{100, 100, 0}));
  EXPECT_EQ(next({103, 105, 0}), (Samples{102, 105, 0})) << "the mean is 101.5; 105 has moved";
  EXPECT_EQ(mean(0), 256 * 203 / 2);
  EXPECT_EQ(history(0), 3U);
  EXPECT_EQ(history(1), 1U);
  EXPECT_EQ(next({103, 105, 0}), (Samples{102, 105, 0}));
  EXPECT_EQ(mean(0), 256 * 102);
  EXPECT_EQ(next({104, 105, 0})[0], 103) << "102.5";
  EXPECT_EQ(next({103, 105, 0})[0], 103);
  EXPECT_EQ(mean(0), (3 * 256 * 205 / 2 + 256 * 103 + 2) / 4) << "no more than 4 frames count";
}

TEST_F(Temporal, DriftOfANeighbourhoodIsMotion) {
  next({100, 100, 100});
  EXPECT_EQ(next({101, 101, 101}), (Samples{101, 101, 101})) << "a quarter of the tolerance";
  EXPECT_EQ(mean(0), 256 * 201 / 2);
  state = {};
  next({100, 100, 100});
  EXPECT_EQ(next({101, 101, 102}), (Samples{101, 101, 102})) << "more than a quarter";
  EXPECT_EQ(mean(0), 256 * 101);
  state = {};
  next({100, 100, 100});
  next({103, 97, 103});
  EXPECT_EQ(mean(0), 256 * 203 / 2) << "of both signs";
}

TEST_F(Temporal, FillsWhereNothingMoved) {
  p.persistence = Persistence::kTwoOf3;
  next({100, 100, 100});
  EXPECT_EQ(next({100, 0, 100}), (Samples{100, 0, 100})) << "known once only";
  state = {};
  next({100, 100, 100});
  next({100, 100, 100});
  EXPECT_EQ(next({100, 0, 100}), (Samples{100, 100, 100}));
  EXPECT_EQ(next({100, 0, 100}), (Samples{100, 100, 100}));
  EXPECT_EQ(next({100, 0, 100}), (Samples{100, 0, 100})) << "one of the last three";
  EXPECT_EQ(history(1), 0x18U);
  state = {};
  next({100, 100, 100});
  next({100, 100, 100});
  EXPECT_EQ(next({100, 0, 105}), (Samples{100, 0, 105})) << "a neighbour has moved";
  EXPECT_EQ(next({100, 0, 0}), (Samples{100, 0, 0})) << "one neighbour is known";
  p.motion_check = false;
  EXPECT_EQ(next({0, 0, 0})[0], 100);
  for (int i = 0; i < 8; ++i) next({0, 0, 0});
  EXPECT_EQ(state.pixels, std::vector<std::uint32_t>(3, 0U)) << "forgotten";
}

TEST_F(Temporal, AlwaysNeverForgets) {
  p.motion_check = false;
  p.persistence = Persistence::kAlways;
  next({100, 0, 0});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(next({0, 0, 0}), (Samples{100, 0, 0}));
  p.persistence = Persistence::kNone;
  EXPECT_EQ(next({0, 0, 0}), (Samples{0, 0, 0}));
}

TEST(FilterReference, HistoriesThatFill) {
  const auto fills = [](Persistence persistence, std::uint32_t history) {
    const HistoryRule rule = history_rule(persistence);
    return std::popcount(history & rule.mask) >= rule.least;
  };
  EXPECT_FALSE(fills(Persistence::kNone, 0xFF));
  EXPECT_TRUE(fills(Persistence::kAllOf8, 0xFF) && !fills(Persistence::kAllOf8, 0xFE));
  EXPECT_TRUE(fills(Persistence::kTwoOf3, 0x5) && !fills(Persistence::kTwoOf3, 0xF9));
  EXPECT_TRUE(fills(Persistence::kTwoOf4, 0x9) && !fills(Persistence::kTwoOf4, 0xF1));
  EXPECT_TRUE(fills(Persistence::kTwoOf8, 0x81) && !fills(Persistence::kTwoOf8, 0x80));
  EXPECT_TRUE(fills(Persistence::kOneOf2, 0x2) && !fills(Persistence::kOneOf2, 0xFC));
  EXPECT_TRUE(fills(Persistence::kOneOf5, 0x10) && !fills(Persistence::kOneOf5, 0xE0));
  EXPECT_TRUE(fills(Persistence::kOneOf8, 0x80) && !fills(Persistence::kOneOf8, 0));
  EXPECT_TRUE(fills(Persistence::kAlways, 0));
}

TEST(FilterReference, HolesAreFilled) {
  Parameters p;
  p.tolerance = {4, 0};
  p.hole_size = 3;
  const Frame in = frame(5, {0, 0, 9, 0, 0,    //
                             10, 0, 0, 0, 14,  //
                             0, 0, 60, 0, 0});
  const auto middle = [&](HoleFilling filling, bool disparity) {
    p.hole_filling = filling;
    p.disparity = disparity;
    return static_cast<int>(reference::fill(in, p).at(1, 2));
  };
  EXPECT_EQ(middle(HoleFilling::kLeft, false), 10);
  EXPECT_EQ(middle(HoleFilling::kFarthest, false), 60);
  EXPECT_EQ(middle(HoleFilling::kFarthest, true), 9);
  EXPECT_EQ(middle(HoleFilling::kNearest, false), 9);
  EXPECT_EQ(middle(HoleFilling::kNearest, true), 60);
  EXPECT_EQ(middle(HoleFilling::kGap, false), 60) << "above and below are nearer, and a step";
  EXPECT_EQ(middle(HoleFilling::kGap, true), 9);
  p.hole_filling = HoleFilling::kGap;
  EXPECT_EQ(reference::fill(frame(5, {10, 0, 0, 0, 14}), p).samples, (Samples{10, 11, 12, 13, 14}));
  EXPECT_EQ(reference::fill(frame(4, {10, 0, 0, 14}), p).samples, (Samples{10, 11, 13, 14}));
  p.hole_size = 2;
  EXPECT_EQ(reference::fill(frame(5, {10, 0, 0, 0, 14}), p).samples, (Samples{10, 0, 0, 0, 14}));
  p.hole_filling = HoleFilling::kLeft;
  EXPECT_EQ(reference::fill(frame(5, {10, 0, 0, 0, 14}), p).samples, (Samples{10, 10, 10, 0, 14}));
}

}  // namespace
}  // namespace rdp::filter
