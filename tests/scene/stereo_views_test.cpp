// SPDX-License-Identifier: LGPL-2.1-or-later
// Stereo pictures of the test patterns: both eyes see the same surfaces, and near surfaces occlude
// far ones. A matcher finds the true disparity. The same bits everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "common/scene/hash_random.h"
#include "common/scene/test_picture.h"
#include "common/stereo/reference.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

struct Drawn {
  int width, height;
  std::vector<double> disparities;
  std::vector<std::uint8_t> greys;

  Drawn(TestPictureRenderer* renderer, std::uint64_t number, const TestPatternOptions& options,
        Eye eye, int w, int h)
      : width(w), height(h) {
    renderer->begin(number, options, eye, w, h);
    for (int r = 0; r < h; ++r) {
      const TestPictureRenderer::Row row = renderer->next_row();
      for (std::uint32_t d : row.disparities) disparities.push_back(d * 0x1p-24);
      greys.insert(greys.end(), row.greys.begin(), row.greys.end());
    }
  }

  double disparity(int row, int column) const { return disparities[index(row, column)]; }
  int grey(int row, int column) const { return greys[index(row, column)]; }
  DepthView view() const {
    return {reinterpret_cast<const std::byte*>(greys.data()), width, width, height,
            SampleType::kU8};
  }

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(column);
  }
};

struct Pair {
  Drawn left, right;

  Pair(std::uint64_t number, const TestPatternOptions& options, int width, int height,
       TestPictureRenderer renderer = {})
      : left(&renderer, number, options, Eye::kLeft, width, height),
        right(&renderer, number, options, Eye::kRight, width, height) {}

  // True if the right camera sees the surface of this left pixel. The disparity there, interpolated
  // between two columns, must equal that of the left camera within 0.05 px.
  bool seen_by_both(int row, int column) const {
    const double d = left.disparity(row, column);
    const double place = column - d;
    if (place < 0.0) return false;
    const int first = static_cast<int>(place);
    const double a = right.disparity(row, first);
    const double b = right.disparity(row, std::min(first + 1, right.width - 1));
    const double share = place - first;
    return std::fabs(a + (b - a) * share - d) < 0.05;
  }
};

TestPatternOptions options_of(TestPattern pattern, std::uint32_t seed) {
  TestPatternOptions options;
  options.pattern = pattern;
  options.seed = seed;
  return options;
}

struct Difference {
  int compared = 0;
  int most = 0;
  double mean = 0.0;
};

// Compares left pixels with right pixels, `sign` disparities away. Skips pixels whose match is more
// than 1/128 px off a pixel centre, or that the right camera does not see.
//
// The bound: textures and painted edges change by at most 255 grey steps per pixel, because an edge
// is smeared over its pixel. 1/128 px off, that is less than 2 steps, and rounding adds 1.
constexpr double kOff = 1.0 / 128.0;
constexpr int kMaxDifference = 3;

Difference compare(const Pair& pair, int sign) {
  Difference difference;
  for (int r = 0; r < pair.left.height; ++r) {
    for (int c = 0; c < pair.left.width; ++c) {
      const double d = pair.left.disparity(r, c);
      const double place = c - d;
      const int nearest = static_cast<int>(std::floor(place + 0.5));
      if (d == 0.0 || nearest < 0 || std::fabs(place - nearest) > kOff) continue;
      if (std::fabs(pair.right.disparity(r, nearest) - d) > 2.0 * kOff) continue;  // hidden
      const int other = static_cast<int>(std::floor(c - sign * d + 0.5));
      if (other >= pair.right.width) continue;
      const int steps = std::abs(pair.left.grey(r, c) - pair.right.grey(r, other));
      ++difference.compared;
      difference.most = std::max(difference.most, steps);
      difference.mean += steps;
    }
  }
  difference.mean /= std::max(difference.compared, 1);
  return difference;
}

TEST(StereoViews, SurfacesLookTheSameInBoth) {
  // In the last case, two bands have disparities close to whole pixels.
  for (auto [pattern, seed, number, width, height, turn] :
       {std::tuple{TestPattern::kStreet, 0U, 0U, 640, 480, 0U},
        {TestPattern::kStreet, 7U, 777U, 640, 480, 0U},
        {TestPattern::kStreet, 3U, 163839U, 641, 479, 0U},
        {TestPattern::kTraffic, 1U, 45U, 640, 480, 0U},
        {TestPattern::kTraffic, 1U, 80U, 640, 480, 10U},
        {TestPattern::kTraffic, 2U, 300U, 640, 480, 25U},
        {TestPattern::kRamp, 1U, 0U, 1242, 376, 0U},
        {TestPattern::kSteps, 2U, 4U, 160, 120, 0U}}) {
    TestPatternOptions options = options_of(pattern, seed);
    options.turn = turn;
    const Pair pair(number, options, width, height);
    const Difference same = compare(pair, 1);
    EXPECT_GT(same.compared, 1500) << static_cast<int>(pattern);
    EXPECT_LE(same.most, kMaxDifference) << static_cast<int>(pattern) << " " << seed;
    EXPECT_LT(same.mean, 0.2);
    // Negative control: in the wrong direction the texture differs.
    const Difference wrong = compare(pair, -1);
    EXPECT_GT(wrong.mean, 5.0) << static_cast<int>(pattern);
  }
}

// The true disparities of the left camera equal the frames of view=depth.
TEST(StereoViews, LeftHasTheDepthOfTheDepthFrames) {
  for (TestPattern pattern :
       {TestPattern::kStreet, TestPattern::kRamp, TestPattern::kSteps, TestPattern::kRoom}) {
    const TestPatternOptions options = options_of(pattern, 5);
    TestPictureRenderer renderer;
    const Drawn left(&renderer, 99, options, Eye::kLeft, 321, 123);
    test::TestFrame depth(321, 123, SampleType::kU16);
    TestPatternRenderer().draw(99, options, depth.view());
    for (int r = 0; r < 123; ++r) {
      for (int c = 0; c < 321; ++c) {
        const double d = left.disparity(r, c);
        const double sample = d == 0.0 ? 0.0 : std::max(std::floor(d * 256.0 + 0.5), 1.0);
        ASSERT_EQ(depth.view().at(r, c), static_cast<int>(sample)) << r << " " << c;
      }
    }
  }
}

// A pixel that only one camera sees is occluded by something nearer, never by something farther.
// The share of such pixels is that of a street.
TEST(StereoViews, WhatIsHiddenIsBehindSomething) {
  for (std::uint32_t seed : {0U, 1U, 2U}) {
    const Pair pair(40 * seed, options_of(TestPattern::kStreet, seed), 640, 480);
    int inside = 0, hidden = 0, seen_through = 0;
    for (int r = 0; r < 480; ++r) {
      for (int c = 0; c < 640; ++c) {
        const double d = pair.left.disparity(r, c);
        const auto place = static_cast<int>(std::floor(c - d));
        if (place < 0) continue;
        ++inside;
        if (pair.seen_by_both(r, c)) continue;
        ++hidden;
        // At least one of the two columns at its place shows the occluder.
        const double nearest = std::max(pair.right.disparity(r, place),
                                        pair.right.disparity(r, std::min(place + 1, 639)));
        seen_through += nearest < d - 0.05;
      }
    }
    EXPECT_GT(hidden, inside / 200) << seed;
    EXPECT_LT(hidden, inside / 12) << seed;
    EXPECT_LE(seen_through, inside / 5000) << seed;
  }
}

TEST(StereoViews, AMatcherFindsTheTruth) {
  constexpr int kWidth = 160;
  constexpr int kHeight = 120;
  stereo::Parameters parameters;
  parameters.disparities = 32;
  // At an edge between two bands of the steps, a window sees both bands equally. So one row at each
  // of the eight edges may be wrong.
  for (auto [pattern, seed, number, most_wrong] : {std::tuple{TestPattern::kStreet, 0U, 0U, 0.03},
                                                   {TestPattern::kStreet, 1U, 97U, 0.03},
                                                   {TestPattern::kStreet, 2U, 194U, 0.03},
                                                   {TestPattern::kTraffic, 0U, 45U, 0.03},
                                                   {TestPattern::kRoom, 0U, 0U, 0.03},
                                                   {TestPattern::kRoom, 1U, 9U, 0.03},
                                                   {TestPattern::kRamp, 0U, 0U, 0.03},
                                                   {TestPattern::kSteps, 0U, 5U, 8.0 / kHeight}}) {
    const Pair pair(number, options_of(pattern, seed), kWidth, kHeight);
    test::TestFrame found(kWidth, kHeight, SampleType::kU16);
    stereo::reference::match({pair.left.view(), pair.right.view(), {}, {}}, parameters,
                             {found.view(), {}});
    int pixels = 0, known = 0, wrong = 0;
    for (int r = 0; r < kHeight; ++r) {
      for (int c = 0; c < kWidth; ++c) {
        ++pixels;
        const int sample = found.view().at(r, c);
        if (sample == 0) continue;
        ++known;
        wrong += std::fabs(sample / 256.0 - pair.left.disparity(r, c)) > 1.0;
      }
    }
    EXPECT_GE(known, 0.85 * pixels) << static_cast<int>(pattern) << " " << seed;
    EXPECT_LE(wrong, most_wrong * known) << static_cast<int>(pattern) << " " << seed;
  }
}

// Neighbouring pixels have contrast at every distance: road near and far, walls, the sky.
TEST(StereoViews, HasContrastAtTheScaleOfPixels) {
  TestPictureRenderer renderer;
  const Drawn left(&renderer, 0, options_of(TestPattern::kStreet, 0), Eye::kLeft, 640, 480);
  for (int top = 0; top < 480; top += 60) {
    double sum = 0.0;
    for (int r = top; r < top + 60; ++r) {
      for (int c = 1; c < 640; ++c) sum += std::abs(left.grey(r, c) - left.grey(r, c - 1));
    }
    EXPECT_GT(sum / (60 * 639), 0.9) << "rows from " << top;
  }
}

// Consecutive frames differ by motion, not by flickering texture: points without disparity, such as
// the sky, stay bit-identical, also between both eyes.
TEST(StereoViews, TheSkyStays) {
  TestPictureRenderer renderer;
  const TestPatternOptions options = options_of(TestPattern::kStreet, 0);
  const Drawn one(&renderer, 10, options, Eye::kLeft, 640, 480);
  const Drawn other(&renderer, 11, options, Eye::kRight, 640, 480);
  int sky = 0;
  for (int r = 0; r < 480; ++r) {
    for (int c = 0; c < 640; ++c) {
      if (one.disparity(r, c) != 0.0 || other.disparity(r, c) != 0.0) continue;
      ++sky;
      ASSERT_EQ(one.grey(r, c), other.grey(r, c)) << r << " " << c;
    }
  }
  EXPECT_GT(sky, 10000);
}

TEST(StereoViews, NoiseIsInGreySteps) {
  TestPatternOptions options = options_of(TestPattern::kSteps, 0);
  const Pair clean(3, options, 320, 240);
  options.noise = 4.0;
  const Pair noisy(3, options, 320, 240);
  double squares[2] = {0.0, 0.0};
  double product = 0.0;
  for (std::size_t i = 0; i < clean.left.greys.size(); ++i) {
    const double left = noisy.left.greys[i] - clean.left.greys[i];
    const double right = noisy.right.greys[i] - clean.right.greys[i];
    squares[0] += left * left;
    squares[1] += right * right;
    product += left * right;
  }
  const auto count = static_cast<double>(clean.left.greys.size());
  EXPECT_NEAR(std::sqrt(squares[0] / count), 4.0, 0.1);
  EXPECT_NEAR(std::sqrt(squares[1] / count), 4.0, 0.1);
  EXPECT_NEAR(product / count, 0.0, 0.3);
  EXPECT_EQ(clean.left.disparities, noisy.left.disparities);
}

TEST(StereoViews, PatternsWithoutDistancesMatchNowhere) {
  const Pair noise(1, options_of(TestPattern::kNoise, 0), 64, 48);
  EXPECT_NE(noise.left.greys, noise.right.greys);
  const Pair plain(1, options_of(TestPattern::kUnknown, 0), 64, 48);
  EXPECT_EQ(plain.left.greys, std::vector<std::uint8_t>(64 * 48, 128));
  EXPECT_EQ(plain.left.greys, plain.right.greys);
}

// Every outline pixel that the right camera sees has a point on the crown. At the outline, where
// the slope is unbounded, the last millionth of the radius is left out. Across it the disparity
// changes by less than 0.003 px.
TEST(TreeCrown, IsTheSameSurfaceFromTheRight) {
  const TreeCrown crown{50.0, 40.0, 20.0, 12.0, 0.15};  // in the right camera
  const double left_centre = crown.centre + crown.rim;
  int seen = 0;
  for (int row = 18; row <= 62; ++row) {
    for (int column = 20; column <= 80; ++column) {
      const double d = crown.seen_from_right(column, row);
      if (d == 0.0) continue;
      ++seen;
      const double t = (column + d - left_centre) / crown.half;
      const double v = std::fabs(row - crown.middle_row) / crown.half;
      ASSERT_LE(t * t + v * v, 1.0 + 1e-3);
      const double s = std::sqrt(std::max(1.0 - t * t, 0.0));
      EXPECT_NEAR(d, crown.rim * (1 + crown.bulge * (s - v) / (1 - crown.bulge * s)), 3e-3);
    }
  }
  EXPECT_GT(seen, 1200);
  EXPECT_LT(seen, 1330);
}

struct Golden {
  TestPattern pattern;
  Eye eye;
  int width, height;
  std::uint64_t number;
  std::uint32_t seed;
  double noise;
  std::uint64_t checksum;
};

// Detects any difference between machines, compilers or versions. After an intended change, copy
// the new checksums from the failures.
TEST(StereoViews, HaveTheSameBitsEverywhere) {
  using enum TestPattern;
  using enum Eye;
  const Golden goldens[] = {
      {kStreet, kLeft, 1242, 376, 0, 0, 0, 0x7CE02F01189DAE61U},
      {kStreet, kRight, 1242, 376, 0, 0, 0, 0x716A2C52C7CC8A11U},
      {kStreet, kLeft, 640, 480, 777, 5, 2.5, 0x241E7526FF585B00U},
      {kStreet, kRight, 640, 480, 777, 5, 2.5, 0x7227C32277C4F21BU},
      {kStreet, kRight, 1920, 1080, 1099511627776, 4294967295u, 0, 0x40E8F71A27D9D2D3U},
      {kStreet, kLeft, 33, 17, 3, 0, 64, 0x91B7DC0EA6AD64D7U},
      {kStreet, kRight, 1, 1, 3, 0, 0, 0xAF641C4C8602594CU},
      {kRamp, kLeft, 320, 240, 9, 1, 0, 0x272DD69684DBF9A1U},
      {kSteps, kRight, 321, 7, 100, 3, 0, 0x1794C4F05D5926E1U},
      {kNoise, kLeft, 64, 48, 9, 7, 0, 0x5A93F7698F206841U},
      {kUnknown, kRight, 17, 5, 0, 0, 0, 0xEAC1A884FD311C8FU},
      {kRoom, kLeft, 640, 480, 0, 0, 0, 0x218F683E08901B91U},
      {kRoom, kRight, 640, 480, 0, 0, 0, 0xA83379BC6A45A671U},
      {kRoom, kRight, 131, 260, 777, 2, 2.5, 0x9E23D2166EBE9B0AU},
  };
  TestPictureRenderer renderer;  // reused: must keep no state of the previous picture
  for (const Golden& golden : goldens) {
    TestPatternOptions options = options_of(golden.pattern, golden.seed);
    options.noise = golden.noise;
    test::TestFrame frame(golden.width, golden.height, SampleType::kU8);
    renderer.draw(golden.number, options, golden.eye, frame.view());
    std::uint64_t sum = 0xCBF29CE484222325U;  // FNV-1a
    for (int r = 0; r < golden.height; ++r) {
      for (int c = 0; c < golden.width; ++c) {
        sum = (sum ^ frame.view().at(r, c)) * 0x100000001B3U;
      }
    }
    EXPECT_EQ(sum, golden.checksum)
        << "golden " << (&golden - goldens) << std::hex << ": 0x" << sum;
  }
}

}  // namespace
}  // namespace rdp
