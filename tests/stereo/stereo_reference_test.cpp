// SPDX-License-Identifier: LGPL-2.1-or-later
// The scalar reference of stereo matching compared with a second implementation of its definition,
// and with small cases computed by hand.
#include "common/stereo/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "common/image/reference.h"
#include "common/scene/hash_random.h"
#include "tests/stereo/slow_matcher.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp {
namespace {

using stereo::Counts;
using stereo::Parameters;
using test::PairCase;
using test::PairKind;
using test::StereoPair;
using test::StereoResult;
using test::TestFrame;

template <typename Values>
std::string first_wrong(const char* what, const std::vector<int>& expected, const Values& actual) {
  if (actual.size() != expected.size()) return std::string(what) + ": another size";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    return std::string(what) + " " + std::to_string(i) + " is " + std::to_string(actual[i]) +
           ", expected " + std::to_string(expected[i]);
  }
  return {};
}

std::vector<int> samples_of(const DepthView& view) {
  std::vector<int> samples;
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) samples.push_back(view.at(row, column));
  }
  return samples;
}

void check_case(const PairCase& c) {
  SCOPED_TRACE(text_of(c));
  const StereoPair pair(c);
  const StereoPair before(c);
  const test::SlowMatch expected = test::slow_match(pair.pair(), c.parameters);
  ASSERT_EQ(
      first_wrong("cost", expected.costs, stereo::reference::costs(pair.pair(), c.parameters)), "");
  ASSERT_EQ(
      first_wrong("sum", expected.sums, stereo::reference::path_sums(pair.pair(), c.parameters)),
      "");
  const StereoResult result(c);
  const Counts counts = stereo::reference::match(pair.pair(), c.parameters, result.result());
  ASSERT_EQ(first_wrong("disparity", expected.disparity, samples_of(result.disparity())), "");
  if (c.want_confidence) {
    ASSERT_EQ(first_wrong("confidence", expected.confidence, samples_of(result.confidence())), "");
  }
  ASSERT_EQ(counts.known, expected.counts.known);
  ASSERT_EQ(counts.saturated, expected.counts.saturated);
  ASSERT_TRUE(result.intact()) << "bytes outside of the rows were written";
  ASSERT_TRUE(pair == before) << "the pair was written";
}

TEST(Definition, HardPairs) {
  for (const PairCase& c : test::hard_pair_cases()) ASSERT_NO_FATAL_FAILURE(check_case(c));
}

TEST(Definition, EndsOfEveryParameter) {
  std::uint64_t seed = 1;
  for (const Parameters& parameters : test::stereo_parameter_sets()) {
    PairCase c;
    c.width = 45;
    c.height = 13;
    c.kind = static_cast<PairKind>(seed % test::kPairKinds);
    c.parameters = parameters;
    c.seed = seed++;
    ASSERT_NO_FATAL_FAILURE(check_case(c));
    c.kind = PairKind::kTextured;
    ASSERT_NO_FATAL_FAILURE(check_case(c));
  }
}

TEST(Definition, RandomPairsAndParameters) {
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    ASSERT_NO_FATAL_FAILURE(check_case(test::random_pair_case(&random, 25000)));
  }
}

// An 8-bit picture from a function of row and column.
template <typename Sample>
TestFrame picture(int width, int height, const Sample& sample) {
  TestFrame frame(width, height, SampleType::kU8, {3, 1});
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      frame.view().set(row, column, static_cast<std::uint16_t>(sample(row, column)));
    }
  }
  return frame;
}
TestFrame constant_picture(int width, int height) {
  return picture(width, height, [](int, int) { return 90; });
}

int ones(const TestFrame& frame, int row, int column) {
  return std::popcount(stereo::reference::census(frame.view(), row, column));
}

TEST(Census, OfKnownPictures) {
  const TestFrame flat = constant_picture(12, 9);
  const TestFrame rising = picture(12, 9, [](int, int column) { return column * 5; });
  const TestFrame falling = picture(12, 9, [](int, int column) { return 255 - column * 5; });
  const TestFrame darker_below = picture(12, 9, [](int row, int) { return 255 - row * 5; });
  const TestFrame brighter_below = picture(12, 9, [](int row, int) { return row * 5; });
  // 14 of the pixels are on the left, 14 on the right, 2 above and below; 13 are in rows above, 13
  // in rows below, 4 beside. At the border, half of the ramp is missing: where it rises to the
  // inside, the centre is above the pixels beside it in its own row or column.
  for (const int row : {0, 4, 8}) {
    for (const int column : {0, 1, 6, 11}) {
      EXPECT_EQ(ones(flat, row, column), 30);
      EXPECT_EQ(ones(rising, row, column), column == 0 ? 14 : 2 + 14);
      EXPECT_EQ(ones(falling, row, column), column == 11 ? 14 : 2 + 14);
      EXPECT_EQ(ones(darker_below, row, column), row == 8 ? 13 : 4 + 13);
      EXPECT_EQ(ones(brighter_below, row, column), row == 0 ? 13 : 4 + 13);
    }
  }
  EXPECT_EQ(ones(picture(1, 1, [](int, int) { return 7; }), 0, 0), 30);
}

TestFrame dot(int background, int value) {
  return picture(
      21, 15, [=](int row, int column) { return row == 7 && column == 10 ? value : background; });
}

// A dark pixel is below the centre of every pixel that compares with it: every second one in the
// window.
TEST(Census, IsEverySecondPixelOfNineBySeven) {
  const TestFrame frame = dot(200, 20);
  for (int row = 0; row < 15; ++row) {
    for (int column = 0; column < 21; ++column) {
      const int dy = 7 - row;
      const int dx = 10 - column;
      const bool compared = std::abs(dy) <= 3 && std::abs(dx) <= 4 && (dx + dy) % 2 == 0;
      const bool centre = dx == 0 && dy == 0;
      ASSERT_EQ(ones(frame, row, column), compared && !centre ? 29 : 30) << row << ", " << column;
    }
  }
}

// A bright pixel raises its neighbours' smoothed centres by at least a sixteenth of its excess,
// rounded up. Then all pixels except itself are below.
TEST(Census, IsAgainstASmoothedCentre) {
  for (const int value : {21, 36, 200}) {
    const TestFrame frame = dot(20, value);
    for (int row = 0; row < 15; ++row) {
      for (int column = 0; column < 21; ++column) {
        const int dy = std::abs(7 - row);
        const int dx = std::abs(10 - column);
        const bool near = dy <= 1 && dx <= 1;
        ASSERT_EQ(ones(frame, row, column), near ? dx * dy : 30) << row << ", " << column;
      }
    }
  }
  // By its weights: next to a pixel of 20 + 16 the centre has 2 more, at a corner 1, in it 4.
  for (const auto& [dx, dy, lifted] : {std::tuple(0, 0, 4), {1, 0, 2}, {0, 1, 2}, {1, 1, 1}}) {
    for (const int more : {lifted - 1, lifted}) {
      const TestFrame frame = picture(21, 15, [=, left = dx, up = dy](int row, int column) {
        if (row == 7 && column == 10) return 36;
        return row == 7 - up + 2 && column == 10 - left - 2 ? 20 + more : 20;
      });
      const int itself = dx * dy;
      ASSERT_EQ(ones(frame, 7 - dy, 10 - dx), itself + (more == lifted ? 1 : 0)) << dx << dy;
    }
  }
}

// A hand-made pair and its parameters: costs alone (no penalties), every check off.
struct HandMade {
  TestFrame left;
  TestFrame right;
  TestFrame right_mask;
  TestFrame left_mask;
  Parameters parameters;

  HandMade(const TestFrame& left_picture, const TestFrame& right_picture)
      : left(left_picture),
        right(right_picture),
        right_mask(picture(left.view().width, left.view().height, [](int, int) { return 255; })),
        left_mask(right_mask) {
    parameters.disparities = 16;
    parameters.p1 = 0;
    parameters.p2 = 0;
    parameters.uniqueness = 0;
    parameters.max_left_right = -1;
    parameters.median = 0;
    parameters.speckle_size = 0;
  }

  stereo::Pair pair() const {
    return {left.view(), right.view(), left_mask.view(), right_mask.view()};
  }
  // Only columns [first, end) of the right view were seen.
  void see_columns(int first, int end) const {
    for (int row = 0; row < right.view().height; ++row) {
      for (int column = 0; column < right.view().width; ++column) {
        right_mask.view().set(row, column, column >= first && column < end ? 255 : 0);
      }
    }
  }
};

struct Matched {
  TestFrame disparity;
  TestFrame confidence;
  Counts counts;

  explicit Matched(const HandMade& made)
      : disparity(made.left.view().width, made.left.view().height, SampleType::kU16, {2, 1}),
        confidence(made.left.view().width, made.left.view().height, SampleType::kU8, {1, 0}) {
    counts = stereo::reference::match(made.pair(), made.parameters,
                                      {disparity.view(), confidence.view()});
  }
  int at(int row, int column) const { return disparity.view().at(row, column); }
  int confidence_at(int row, int column) const { return confidence.view().at(row, column); }
};

// 0 on the left of `first` and from `end` on, 10 between. Against a flat view a column costs as
// many bits as it sees pixels that are darker than its centre. From the column left of a step to
// brighter ones on, these are 16 (its own column among them), 14, 10, 7, 3 and 0;
// 12 is the most that counts.
TestFrame bar(int width, int first, int end) {
  return picture(width, 8,
                 [=](int, int column) { return column >= first && column < end ? 10 : 0; });
}

TEST(Cost, OfAStepAndAtTheBorder) {
  HandMade made(constant_picture(30, 8), bar(30, 12, 30));
  made.parameters.min_disparity = 2;
  const std::vector<std::uint8_t> costs = stereo::reference::costs(made.pair(), made.parameters);
  const auto cost = [&](int row, int column, int d) {
    return int{costs[static_cast<std::size_t>((row * 30 + column) * 16 + d)]};
  };
  // Indexed by the right view's column; the step is between 11 and 12.
  const int expected[] = {0, 0, 0, 0, 12, 12, 10, 7, 3, 0};
  for (int column = 7; column <= 16; ++column) {
    EXPECT_EQ(cost(3, column + 2, 0), expected[column - 7]);
    EXPECT_EQ(cost(0, column + 2 + 9, 9), expected[column - 7]);
  }
  // A missing right pixel is replaced by the first one.
  HandMade border(constant_picture(30, 8), bar(30, 0, 2));
  border.parameters.min_disparity = 2;
  const std::vector<std::uint8_t> at_border =
      stereo::reference::costs(border.pair(), border.parameters);
  for (int column = 0; column < 10; ++column) {
    for (int d = std::max(column - 2, 0); d < 16; ++d) {
      // Column 0 sees the dark pixels from two columns on.
      ASSERT_EQ(at_border[static_cast<std::size_t>(column * 16 + d)], 10) << column << ", " << d;
    }
  }
}

TEST(Cost, OfWhatTheRightCameraHasNotSeenIsTheMost) {
  HandMade made(constant_picture(30, 8), constant_picture(30, 8));
  made.see_columns(5, 30);
  const std::vector<std::uint8_t> costs = stereo::reference::costs(made.pair(), made.parameters);
  for (int column = 0; column < 30; ++column) {
    for (int d = 0; d < 16; ++d) {
      ASSERT_EQ(costs[static_cast<std::size_t>(column * 16 + d)], column - d >= 5 ? 0 : 12);
    }
  }
}

TEST(Constant, IsUnknownByDefault) {
  HandMade made(constant_picture(40, 30), constant_picture(40, 30));
  made.parameters = Parameters();
  EXPECT_EQ(made.parameters.uniqueness, 5);
  const Matched matched(made);
  EXPECT_EQ(matched.counts.known, 0u);
  EXPECT_EQ(matched.counts.saturated, 0u);
  for (const int value : samples_of(matched.disparity.view())) ASSERT_EQ(value, 0);
  for (const int value : samples_of(matched.confidence.view())) ASSERT_EQ(value, 0);
}

// All disparities cost the same: the smallest wins. Infinity is a valid result, so it is stored as
// 1.
TEST(Constant, IsAtInfinityWithoutUniqueness) {
  HandMade made(constant_picture(40, 30), constant_picture(40, 30));
  made.parameters = Parameters();
  made.parameters.uniqueness = 0;
  const Matched matched(made);
  for (const int value : samples_of(matched.disparity.view())) ASSERT_EQ(value, 1);
  EXPECT_EQ(matched.counts.known, 40u * 30u);
  // Valid, but with zero confidence.
  for (const int value : samples_of(matched.confidence.view())) ASSERT_EQ(value, 0);

  made.parameters.min_disparity = 3;
  made.parameters.median = 0;
  const Matched shifted(made);
  for (int column = 0; column < 40; ++column) {
    ASSERT_EQ(shifted.at(7, column), column < 3 ? 0 : 3 * 256);
  }
}

// With a negative range, samples count from its start: 0 is stored as 1. Pixels that match beyond
// the right border are invalid.
TEST(Constant, OfNegativeDisparities) {
  HandMade made(constant_picture(40, 30), constant_picture(40, 30));
  made.parameters.min_disparity = -5;
  const Matched matched(made);
  for (int column = 0; column < 40; ++column) {
    ASSERT_EQ(matched.at(7, column), column + 5 < 40 ? 1 : 0);
  }
}

// A wall behind a box, seen by cameras whose principal points differ by `offset`. If the range
// starts at 0, the wall's disparities are wrong, mostly nearer. From -offset on, they are as good
// as without an offset.
TEST(Offset, FarThingsAreFoundFromMinusTheOffsetOn) {
  constexpr int kColumns = 160, kRows = 48, kFar = 1, kBox = 24;
  const auto dot = [](int row, int column) {
    return static_cast<int>(
        sub_key(static_cast<std::uint64_t>(row) * 1000 + static_cast<std::uint64_t>(column + 500),
                7) >>
        56);
  };
  const auto share_of_near = [&](int offset, int smallest) {
    const auto truth = [&](int row, int column) {
      const bool box = row >= 16 && row < 32 && column >= 60 && column < 100;
      return (box ? kBox : kFar) - offset;
    };
    const TestFrame right = picture(kColumns, kRows, dot);
    const TestFrame left = picture(kColumns, kRows, [&](int row, int column) {
      return dot(row, column - truth(row, column));
    });
    HandMade made(left, right);
    made.parameters = Parameters();
    made.parameters.disparities = 48;
    made.parameters.min_disparity = smallest;
    made.parameters.uniqueness = 0;
    made.parameters.max_left_right = -1;
    made.parameters.speckle_size = 0;
    const Matched matched(made);
    int wall = 0;
    int near = 0;
    for (int row = 0; row < kRows; ++row) {
      for (int column = 0; column < kColumns; ++column) {
        if (truth(row, column) != kFar - offset || column >= 150) continue;
        ++wall;
        const int value = matched.at(row, column);
        near += value > 0 && value / 256.0 + std::min(smallest, 0) > kFar - offset + 2 ? 1 : 0;
      }
    }
    return static_cast<double>(near) / wall;
  };
  const double without = share_of_near(0, 0);
  EXPECT_LT(without, 0.1);
  EXPECT_GT(share_of_near(12, 0), 0.3);
  EXPECT_LE(share_of_near(12, -12), without);
}

// Sums are 4 times the costs, which are 10, 7 and 3 at columns 11 to 13; 14 was not seen and costs
// 12. So a = 36, b = 16, and the parabola is at (256 * 36 + 26) / 52 = 177 from half a pixel below:
// 49 above the disparity.
TEST(SubPixel, OfKnownSums) {
  HandMade made(constant_picture(40, 8), bar(40, 10, 40));
  made.see_columns(11, 14);
  EXPECT_EQ(Matched(made).at(2, 13 + 5), 5 * 256 + 49);
  EXPECT_EQ(Matched(made).at(2, 13 + 1), 1 * 256 + 49);
  // The first and the last disparity have no parabola.
  EXPECT_EQ(Matched(made).at(2, 13), 1);
  EXPECT_EQ(Matched(made).at(2, 13 + 15), 15 * 256);
  EXPECT_EQ(Matched(made).counts.saturated, 8u);
  made.parameters.min_disparity = 2;
  EXPECT_EQ(Matched(made).at(2, 13 + 5), 5 * 256 + 49);
}

// Costs 12 0 3 at columns 15, 14 and 13: a = 48, b = 12, and (256 * 48 + 30) / 60 = 205 (204.8 is
// rounded up).
TEST(SubPixel, IsRoundedToTheNearest) {
  HandMade made(constant_picture(40, 8), bar(40, 10, 40));
  made.see_columns(12, 15);
  EXPECT_EQ(Matched(made).at(2, 14 + 5), 5 * 256 - 128 + 205);
}

// Only one column is valid: every left pixel gets its disparity from it. Among equal costs, the
// right pixel takes the smallest disparity.
TEST(LeftRight, OfEqualSumsTheRightTakesTheSmallest) {
  HandMade made(constant_picture(40, 8), constant_picture(40, 8));
  made.see_columns(10, 11);
  made.parameters.uniqueness = 1;
  for (const int most : {-1, 0, 1, 5, 255}) {
    made.parameters.max_left_right = most;
    const Matched matched(made);
    for (int column = 0; column < 40; ++column) {
      const int d = column - 10;
      const bool known = d >= 0 && d < 16 && (most < 0 || d <= most);
      ASSERT_EQ(matched.at(4, column), known ? std::max(d * 256, 1) : 0) << column << ", " << most;
    }
  }
}

// Two valid columns cost the same: the closer column, with the smaller disparity, wins.
TEST(LeftRight, OfEqualSumsTheLeftTakesTheSmallest) {
  HandMade made(constant_picture(40, 8), constant_picture(40, 8));
  made.see_columns(10, 11);
  for (int row = 0; row < 8; ++row) made.right_mask.view().set(row, 15, 255);
  const Matched matched(made);
  EXPECT_EQ(matched.at(4, 14), 4 * 256);
  EXPECT_EQ(matched.at(4, 15), 1);
  EXPECT_EQ(matched.at(4, 19), 4 * 256);
  // They are farther apart than 1, so this is not unique.
  made.parameters.uniqueness = 1;
  EXPECT_EQ(Matched(made).at(4, 14), 4 * 256);
  EXPECT_EQ(Matched(made).at(4, 19), 0);
}

// The check looks where the sub-pixel value, rounded, points to: halves up. Two columns that cost
// the same make a half.
TEST(LeftRight, RoundsTheDisparityUp) {
  HandMade made(constant_picture(40, 8), constant_picture(40, 8));
  made.see_columns(10, 12);
  // Left pixel 13: disparities 2 and 3 cost nothing, 2 wins, and the parabola is at 2.5: 3.
  EXPECT_EQ(Matched(made).at(4, 13), 2 * 256 + 128);
  // The right pixel 10 takes 0, so the difference is 3.
  made.parameters.max_left_right = 2;
  EXPECT_EQ(Matched(made).at(4, 13), 0);
  made.parameters.max_left_right = 3;
  EXPECT_EQ(Matched(made).at(4, 13), 2 * 256 + 128);
}

// The uniqueness limit is exact: the second sum is 12 * 4, the first 7 * 4.
TEST(Uniqueness, IsASharpLimit) {
  HandMade made(constant_picture(40, 8), bar(40, 8, 40));
  made.see_columns(10, 11);
  for (const int percent : {0, 40, 41}) {
    made.parameters.uniqueness = percent;
    EXPECT_EQ(Matched(made).at(4, 14), 4 * 256) << percent;
  }
  // 48 * 58 < 28 * 100 from 42 percent on: 2784 < 2800.
  made.parameters.uniqueness = 42;
  EXPECT_EQ(Matched(made).at(4, 14), 0);
}

TEST(Confidence, IsTheMarginOfTheSecondSum) {
  HandMade made(constant_picture(40, 8), bar(40, 8, 40));
  made.see_columns(10, 11);
  // 255 * (48 - 28) / 48 = 106.3
  EXPECT_EQ(Matched(made).confidence_at(4, 14), 106);
  made.parameters.min_confidence = 106;
  EXPECT_EQ(Matched(made).at(4, 14), 4 * 256);
  made.parameters.min_confidence = 107;
  EXPECT_EQ(Matched(made).at(4, 14), 0);
  EXPECT_EQ(Matched(made).confidence_at(4, 14), 0);
  // Nothing costs anything where the view is flat: 255 * 48 / 48.
  HandMade flat(constant_picture(40, 8), constant_picture(40, 8));
  flat.see_columns(10, 11);
  EXPECT_EQ(Matched(flat).confidence_at(4, 14), 255);
  flat.parameters.min_confidence = 255;
  EXPECT_EQ(Matched(flat).at(4, 14), 4 * 256);
}

// A left pixel that matches a masked right one fails the left-right check. The median fills the
// hole, because it runs after the checks.
TEST(Median, FillsWhatTheChecksRemove) {
  HandMade made(constant_picture(40, 8), constant_picture(40, 8));
  made.right_mask.view().set(4, 20, 0);
  made.parameters.max_left_right = 1;
  EXPECT_EQ(Matched(made).at(4, 20), 0);
  EXPECT_EQ(Matched(made).at(4, 19), 1);
  for (const int side : {3, 5}) {
    made.parameters.median = side;
    EXPECT_EQ(Matched(made).at(4, 20), 1);
  }
}

TEST(Median, ComesBeforeSpeckles) {
  HandMade made(constant_picture(40, 8), constant_picture(40, 8));
  // Known: rows 0 to 3 of columns 20 to 23, without one pixel.
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 40; ++column) {
      const bool seen = row < 4 && column >= 20 && column < 24;
      made.left_mask.view().set(row, column, seen ? 255 : 0);
    }
  }
  made.parameters.median = 3;
  // The median takes the two lower corners: 14 are left.
  EXPECT_EQ(Matched(made).counts.known, 14u);
  made.parameters.speckle_size = 14;
  EXPECT_EQ(Matched(made).counts.known, 14u);
  made.parameters.speckle_size = 15;
  EXPECT_EQ(Matched(made).counts.known, 0u);
}

TEST(Mask, OfTheLeftViewIsUnknown) {
  HandMade made(constant_picture(40, 8), constant_picture(40, 8));
  made.left_mask.view().set(4, 20, 0);
  EXPECT_EQ(Matched(made).at(4, 20), 0);
  EXPECT_EQ(Matched(made).confidence_at(4, 20), 0);
  EXPECT_EQ(Matched(made).at(4, 21), 1);
  // The median closes other holes of one pixel.
  for (const int side : {3, 5}) {
    made.parameters.median = side;
    EXPECT_EQ(Matched(made).at(4, 20), 0);
    EXPECT_EQ(Matched(made).confidence_at(4, 20), 0);
    EXPECT_EQ(Matched(made).counts.known, 40u * 8 - 1);
  }
}

// Masked pixels separate the valid ones before the speckle filter.
TEST(Mask, PartsSpeckles) {
  HandMade made(constant_picture(41, 8), constant_picture(41, 8));
  for (int row = 0; row < 8; ++row) made.left_mask.view().set(row, 20, 0);
  made.parameters.median = 3;
  made.parameters.speckle_size = 20 * 8;
  EXPECT_EQ(Matched(made).counts.known, 2u * 20 * 8);
  made.parameters.speckle_size = 20 * 8 + 1;
  EXPECT_EQ(Matched(made).counts.known, 0u);
}

// Only one column is valid: pixels that match another one are invalid, without any other check.
TEST(Mask, OfTheRightViewMatchesNothing) {
  HandMade made(constant_picture(40, 8), constant_picture(40, 8));
  made.see_columns(10, 11);
  for (int column = 0; column < 40; ++column) {
    const int d = column - 10;
    ASSERT_EQ(Matched(made).at(4, column), d >= 0 && d < 16 ? std::max(d * 256, 1) : 0) << column;
  }
}

// Paths cross masked pixels at the surrounding disparity, so it wins there.
TEST(Mask, OfTheRightViewIsLookedAtWherePathsLeadOver) {
  const TestFrame same = picture(40, 8, [](int row, int column) {
    return (row * 37 + column * 61 + row * column * 13) % 251;
  });
  HandMade made(same, same);
  made.parameters.p1 = 40;
  made.parameters.p2 = 86;
  EXPECT_EQ(Matched(made).at(4, 20), 1);
  made.right_mask.view().set(4, 20, 0);
  EXPECT_EQ(Matched(made).at(4, 20), 0);
  EXPECT_EQ(Matched(made).at(4, 21), 1);
  // A check as the others: the median closes a hole of one pixel.
  made.parameters.median = 3;
  EXPECT_EQ(Matched(made).at(4, 20), 1);
}

// The matcher finds the drawn disparities: the patterns hold nothing unmatchable.
TEST(Patterns, TexturedPairsAreFound) {
  PairCase c;
  c.width = 160;
  c.height = 64;
  c.parameters.disparities = 64;
  for (const int smallest : {0, 20, -20}) {
    c.parameters.min_disparity = smallest;
    const StereoPair pair(c);
    const StereoResult result(c);
    stereo::reference::match(pair.pair(), c.parameters, result.result());
    int right = 0;
    int seen = 0;
    for (int row = 0; row < c.height; ++row) {
      for (int column = 0; column < c.width; ++column) {
        const int truth = test::true_disparity(c.width, c.height, c.parameters, row, column);
        if (column < truth || column - truth >= c.width) continue;
        ++seen;
        const int sample = (truth - std::min(smallest, 0)) * 256;
        right += std::abs(result.disparity().at(row, column) - sample) <= 256 ? 1 : 0;
      }
    }
    EXPECT_GT(right, seen * 8 / 10) << smallest;
  }
}

}  // namespace
}  // namespace rdp
