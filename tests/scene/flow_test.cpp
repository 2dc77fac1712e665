// SPDX-License-Identifier: LGPL-2.1-or-later
// True optical flow of the test patterns: displacements worked out by hand, and equal texture at
// both ends. Points with known flow are visible in the next frame. The same bits everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "common/scene/test_flow.h"
#include "common/scene/test_picture.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

constexpr int kZero = 512 * 64;  // the sample of no motion
// Half a step, and the rounding of disparities to 2^-24 px.
constexpr double kRounding = 0.5 / 64 + 1e-4;

TestPatternOptions options_of(TestPattern pattern, std::uint32_t seed = 0) {
  TestPatternOptions options;
  options.pattern = pattern;
  options.seed = seed;
  return options;
}

// The flow between two consecutive frames, and their left pictures and disparities.
struct Drawn {
  int width, height;
  TestFrame flow;
  std::vector<double> disparities[2];
  std::vector<int> greys[2];

  Drawn(std::uint64_t number, const TestPatternOptions& options, int w, int h)
      : width(w), height(h), flow(w, 2 * h, SampleType::kU16) {
    TestFlowRenderer().draw(number, options, flow.view());
    for (int end = 0; end < 2; ++end) {
      TestPictureRenderer picture;
      picture.begin(number + static_cast<unsigned>(end), options, Eye::kLeft, w, h);
      for (int r = 0; r < h; ++r) {
        const TestPictureRenderer::Row row = picture.next_row();
        for (const std::uint32_t d : row.disparities) disparities[end].push_back(d * 0x1p-24);
        greys[end].insert(greys[end].end(), row.greys.begin(), row.greys.end());
      }
    }
  }

  int u(int row, int column) const { return flow.view().at(row, column); }
  int v(int row, int column) const { return flow.view().at(height + row, column); }
  bool known(int row, int column) const { return u(row, column) != 0; }
  double right(int row, int column) const { return u(row, column) / 64.0 - 512.0; }
  double down(int row, int column) const { return v(row, column) / 64.0 - 512.0; }
  double disparity(int end, int row, int column) const {
    return disparities[end][index(row, column)];
  }
  int grey(int end, int row, int column) const { return greys[end][index(row, column)]; }
  // The next picture, interpolated bilinearly.
  double between(double x, double y) const {
    const int c = static_cast<int>(x);
    const int r = static_cast<int>(y);
    const auto at_row = [&](int row) {
      return grey(1, row, c) + (x - c) * (grey(1, row, c + 1) - grey(1, row, c));
    };
    return at_row(r) + (y - r) * (at_row(r + 1) - at_row(r));
  }
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row * width + column);
  }
  // The pixel of the next frame nearest to the displaced pixel.
  std::size_t next(int row, int column) const {
    return index(row + (v(row, column) + 32) / 64 - 512, column + (u(row, column) + 32) / 64 - 512);
  }
};

TEST(Flow, OfTheRampIsNone) {
  const Drawn drawn(7, options_of(TestPattern::kRamp), 97, 41);
  for (int r = 0; r < 82; ++r) {
    for (int c = 0; c < 97; ++c) ASSERT_EQ(drawn.flow.view().at(r, c), kZero) << r << " " << c;
  }
}

// The steps move down by one row, and the last row leaves the picture. A height of 48 is eight
// bands of 6 rows; with 45 the last band is cut off. From frame 47 to 48 the bands begin again.
TEST(Flow, OfTheStepsIsARow) {
  for (const std::uint64_t number : {0, 5, 47, 48, 1000003}) {
    for (const int height : {48, 45, 1}) {
      const Drawn drawn(number, options_of(TestPattern::kSteps, 3), 33, height);
      for (int r = 0; r < height; ++r) {
        for (int c = 0; c < 33; ++c) {
          const bool stays = r + 1 < height;
          ASSERT_EQ(drawn.u(r, c), stays ? kZero : 0) << number << ": " << r << " " << c;
          ASSERT_EQ(drawn.v(r, c), stays ? kZero + 64 : 0) << number << ": " << r << " " << c;
          if (!stays) continue;
          ASSERT_EQ(drawn.grey(0, r, c), drawn.grey(1, r + 1, c));
        }
      }
    }
  }
}

// Road below the car ahead is f * 1.65 / (row - centre) away, and 0.4 m less in the next frame.
TEST(Flow, OfTheRoadIsTheDrive) {
  constexpr int kWidth = 1242;
  constexpr int kHeight = 376;
  const TestCamera camera = TestCamera::of_size(kWidth, kHeight);
  const Drawn drawn(200, options_of(TestPattern::kStreet), kWidth, kHeight);
  int left = 0;
  for (int r = 290; r < kHeight; ++r) {
    for (int c = 600; c < 640; ++c) {
      const double z = 720.0 * 1.65 / (r - camera.centre_row);
      const double grows = z / (z - 0.4) - 1.0;
      const double u = (c - camera.centre_column) * grows;
      const double v = (r - camera.centre_row) * grows;
      if (r + v >= kHeight - 0.5) {
        ++left;
        ASSERT_EQ(drawn.u(r, c), 0) << r << " " << c;
        ASSERT_EQ(drawn.v(r, c), 0) << r << " " << c;
        continue;
      }
      ASSERT_NEAR(drawn.right(r, c), u, kRounding) << r << " " << c;
      ASSERT_NEAR(drawn.down(r, c), v, kRounding) << r << " " << c;
    }
  }
  EXPECT_GT(left, 100);
}

// A point has the same grey in both pictures, except for interpolation, fading octaves of the
// texture, and haze.
TEST(Flow, TexturesAgreeAtBothEnds) {
  struct Case {
    TestPattern pattern;
    std::uint32_t seed;
    std::uint64_t number;
    double most;  // as a fraction of the mean difference without flow
    std::uint32_t turn = 0;
  };
  // The camera of a room moves by less than a pixel per frame.
  for (const Case& c :
       {Case{TestPattern::kStreet, 0, 0, 0.2}, Case{TestPattern::kStreet, 4, 777, 0.2},
        Case{TestPattern::kRoom, 0, 60, 0.6}, Case{TestPattern::kRoom, 1, 185, 0.6},
        Case{TestPattern::kRoom, 2, 185, 0.6}, Case{TestPattern::kTraffic, 0, 45, 0.2},
        Case{TestPattern::kTraffic, 0, 45, 0.2, 10},
        Case{TestPattern::kTraffic, 0, 90, 0.25, 10}}) {
    TestPatternOptions options = options_of(c.pattern, c.seed);
    options.turn = c.turn;
    const Drawn drawn(c.number, options, 640, 480);
    int compared = 0;
    double followed = 0.0, stayed = 0.0;
    for (int row = 0; row < 480; ++row) {
      for (int column = 0; column < 640; ++column) {
        if (!drawn.known(row, column) || drawn.disparity(0, row, column) == 0.0) continue;
        const double x = column + drawn.right(row, column);
        const double y = row + drawn.down(row, column);
        if (!(x >= 0.0 && x < 639.0 && y >= 0.0 && y < 479.0)) continue;
        const double grey = drawn.grey(0, row, column);
        ++compared;
        followed += std::fabs(drawn.between(x, y) - grey);
        stayed += std::fabs(drawn.grey(1, row, column) - grey);
      }
    }
    EXPECT_GT(compared, 640 * 480 / 2);
    EXPECT_LT(followed, c.most * stayed) << static_cast<int>(c.pattern) << " " << c.seed;
    EXPECT_LT(followed, 3.0 * compared) << static_cast<int>(c.pattern) << " " << c.seed;
  }
}

// A known point is the visible surface at the nearest pixel of the next frame. Per frame, nothing
// approaches by more than 0.75 m or recedes by more than 0.2 m. Half a pixel aside, a slanted
// surface differs by half the growth of its disparity, below 0.5 px.
TEST(Flow, WhatIsKnownIsSeen) {
  const TestCamera camera = TestCamera::of_size(640, 480);
  const double scale = camera.disparity(1.0);
  for (const std::uint32_t seed : {0U, 1U, 2U, 3U}) {
    const Drawn drawn(50 * seed, options_of(TestPattern::kStreet, seed), 640, 480);
    int hidden = 0;
    for (int r = 0; r < 480; ++r) {
      for (int c = 0; c < 640; ++c) {
        const double d = drawn.disparity(0, r, c);
        ASSERT_EQ(drawn.u(r, c) == 0, drawn.v(r, c) == 0);
        if (!drawn.known(r, c)) {
          ++hidden;
          continue;
        }
        // Halfway between two pixels, the nearest one is ambiguous.
        if (drawn.u(r, c) % 64 == 32 || drawn.v(r, c) % 64 == 32) continue;
        const double next = drawn.disparities[1][drawn.next(r, c)];
        if (d == 0.0) {
          ASSERT_EQ(next, 0.0);
          continue;
        }
        ASSERT_LE(next, scale / (scale / d - 0.75) + 0.5) << seed << ": " << r << " " << c;
        ASSERT_GE(next, scale / (scale / d + 0.2) - 0.5) << seed << ": " << r << " " << c;
      }
    }
    // Most hidden points leave the picture because the camera drives.
    EXPECT_GT(hidden, 640 * 480 / 20) << seed;
    EXPECT_LT(hidden, 640 * 480 / 4) << seed;
  }
}

TEST(Flow, OfWhatHasNoDistancesIsUnknown) {
  for (const TestPattern pattern : {TestPattern::kNoise, TestPattern::kUnknown}) {
    const Drawn drawn(3, options_of(pattern), 17, 5);
    for (int r = 0; r < 10; ++r) {
      for (int c = 0; c < 17; ++c) ASSERT_EQ(drawn.flow.view().at(r, c), 0);
    }
  }
}

struct Golden {
  TestPattern pattern;
  int width, height;  // of the frame
  std::uint64_t number;
  std::uint32_t seed;
  std::uint64_t checksum;
};

// Detects any difference between machines, compilers or versions. After an intended change, copy
// the new checksums from the failures.
TEST(Flow, HasTheSameBitsEverywhere) {
  using enum TestPattern;
  const Golden goldens[] = {
      {kStreet, 1242, 376, 0, 0, 0x693D7156358694EAU},
      {kStreet, 641, 480, 1099511627776, 4294967295U, 0xF320FD6BEB0D35EBU},
      {kStreet, 1, 1, 3, 0, 0xF868767D29CF97F5U},
      {kSteps, 64, 49, 9, 0, 0x8201FF2616B77725U},
      {kRoom, 640, 480, 60, 0, 0xE642B46CE7E423DEU},
      {kRoom, 17, 200, 777, 5, 0xDEC4A07CD5F68970U},
  };
  TestFlowRenderer renderer;  // reused: must keep no state of the previous frame
  for (const Golden& golden : goldens) {
    TestFrame tight(golden.width, 2 * golden.height, SampleType::kU16);
    TestFrame loose(golden.width, 2 * golden.height, SampleType::kU16, {13, 3});
    const TestPatternOptions options = options_of(golden.pattern, golden.seed);
    renderer.draw(golden.number, options, tight.view());
    TestFlowRenderer().draw(golden.number, options, loose.view());
    EXPECT_TRUE(loose.intact());
    std::uint64_t sum = 0xCBF29CE484222325U;  // FNV-1a
    for (int r = 0; r < 2 * golden.height; ++r) {
      for (int c = 0; c < golden.width; ++c) {
        ASSERT_EQ(tight.view().at(r, c), loose.view().at(r, c));
        sum = (sum ^ (tight.view().at(r, c) & 255U)) * 0x100000001B3U;
        sum = (sum ^ (tight.view().at(r, c) >> 8U)) * 0x100000001B3U;
      }
    }
    EXPECT_EQ(sum, golden.checksum)
        << "golden " << (&golden - goldens) << std::hex << ": 0x" << sum;
  }
}

}  // namespace
}  // namespace rdp
