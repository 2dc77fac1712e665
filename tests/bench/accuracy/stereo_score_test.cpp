// SPDX-License-Identifier: LGPL-2.1-or-later
// The scores of stereo matching, on rows worked out by hand.
#include "tests/bench/accuracy/stereo_score.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace rdp::bench {
namespace {

using Samples = std::vector<std::uint16_t>;

Samples filled(Samples samples, int width) {
  fill_unknown(&samples, width);
  return samples;
}

TEST(FillUnknown, TakesTheSmallerNeighbourOfTheRow) {
  EXPECT_EQ(filled({5, 0, 0, 3}, 4), (Samples{5, 3, 3, 3}));
  EXPECT_EQ(filled({3, 0, 0, 5}, 4), (Samples{3, 3, 3, 5}));
  EXPECT_EQ(filled({0, 7, 0, 9, 0}, 5), (Samples{7, 7, 7, 9, 9}));
}

TEST(FillUnknown, TakesTheRowAboveWhereARowHasNone) {
  EXPECT_EQ(filled({0, 0, 4, 0, 0, 0, 6, 8}, 2), (Samples{4, 4, 4, 4, 4, 4, 6, 8}));
  EXPECT_EQ(filled({0, 0, 0, 0}, 2), (Samples{0, 0, 0, 0}));
}

TEST(Score, CountsWhatIsFarOff) {
  // Three of four pixels with truth are known. An error of 3 px is right, slightly more is wrong;
  // at 100 px, up to 5 px are right.
  const std::vector<double> truth = {10, 10, 100, 0, 100};
  const Samples disparity = {13 * 256, 13 * 256 + 1, 105 * 256, 77 * 256, 0};
  const StereoScore score = score_disparity(disparity, truth, 5);
  EXPECT_DOUBLE_EQ(score.density, 75.0);
  EXPECT_DOUBLE_EQ(score.known, 100.0 / 3);
  // The unknown pixel becomes 77, which is wrong.
  EXPECT_DOUBLE_EQ(score.filled, 50.0);
}

TEST(Score, OfNothing) {
  const StereoScore score = score_disparity({0, 0}, {1, 0}, 2);
  EXPECT_EQ(score.density, 0.0);
  EXPECT_EQ(score.known, 0.0);
  EXPECT_EQ(score.filled, 0.0);
  EXPECT_EQ(score_disparity({0, 0}, {0, 0}, 2).density, 0.0);
}

}  // namespace
}  // namespace rdp::bench
