// SPDX-License-Identifier: LGPL-2.1-or-later
// Refined and merged segments and the runs of max_gap: by hand, against all ways to join the pieces
// of a small column, and at the limits of the arithmetic. tests/bits compares the engine with the
// reference.
#include "common/rdp/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "common/rdp/line.h"
#include "common/rdp/reference.h"
#include "common/rdp/split_columns.h"
#include "tests/support/compare.h"
#include "tests/support/test_frame.h"

namespace rdp {

namespace {

using test::Content;
using test::TestFrame;
using Column = std::vector<std::uint16_t>;
using Segments = std::vector<Segment>;

TestFrame frame_of(const Column& column) {
  TestFrame frame(1, static_cast<int>(column.size()), SampleType::kU16);
  for (std::size_t row = 0; row < column.size(); ++row) {
    frame.view().set(static_cast<int>(row), 0, column[row]);
  }
  return frame;
}

Segments segment(const Column& column, const Parameters& parameters) {
  SegmentList list;
  reference::segment_filtered(frame_of(column).view(), parameters, &list);
  return {list.column(0).begin(), list.column(0).end()};
}

Parameters refined(double epsilon) {
  Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.refine = true;
  return parameters;
}

Parameters merged(double epsilon, double merge_cost = 0.0) {
  Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.merge = true;
  parameters.merge_cost = merge_cost;
  return parameters;
}

Parameters absolute(Parameters parameters) {
  parameters.fit = Fit::kAbsolute;
  return parameters;
}

Parameters gap_of(int max_gap, double epsilon = 4.0) {
  Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.max_gap = max_gap;
  return parameters;
}

// --- by hand ------------------------------------------------------------------------------------

TEST(HandWorkedRefine, AStepIsOneCut) {
  EXPECT_EQ(segment({100, 100, 100, 100, 200, 200, 200, 200}, refined(4.0)),
            (Segments{{0, 3, 100, 100}, {4, 7, 200, 200}}));
}

TEST(HandWorkedRefine, VertexGoesWithTheNearerNeighbour) {
  // Vertex at row 2: 20 from the row before, 40 from the one after.
  EXPECT_EQ(segment({10, 30, 50, 10, 10}, refined(15.0)),
            (Segments{{0, 2, 10, 50}, {3, 4, 10, 10}}));
  // The other way round.
  EXPECT_EQ(segment({10, 10, 50, 30, 10}, refined(15.0)),
            (Segments{{0, 1, 10, 10}, {2, 4, 50, 10}}));
  // Equal distances: it joins the row after it.
  EXPECT_EQ(segment({10, 30, 50, 30, 10}, refined(15.0)),
            (Segments{{0, 1, 10, 30}, {2, 4, 50, 10}}));
}

TEST(HandWorkedRefine, LeastSquares) {
  // 3, 0, 0, 3 has the mean 1.5 and no slope.
  EXPECT_EQ(segment({103, 100, 100, 103}, refined(4.0)), (Segments{{0, 3, 101.5F, 101.5F}}));
  // 0, 0, 3: mean 1, slope 1.5: -0.5 and 2.5.
  EXPECT_EQ(segment({100, 100, 103}, refined(4.0)), (Segments{{0, 2, 99.5F, 102.5F}}));
  // The same with unknown rows in between and around: rows 1, 3 and 5.
  EXPECT_EQ(segment({0, 100, 0, 100, 0, 103, 0}, refined(4.0)), (Segments{{1, 5, 99.5F, 102.5F}}));
  // 0, 1, 0 has the mean 1/3, which is 85.33 / 256.
  EXPECT_EQ(segment({100, 101, 100}, refined(4.0)),
            (Segments{{0, 2, 100.33203125F, 100.33203125F}}));
}

TEST(HandWorkedRefine, LinesGoBeyondTheKnownRange) {
  // 1, 1, 1, 5: mean 2, slope 1.2.
  EXPECT_EQ(segment({1, 1, 1, 5}, refined(4.0)), (Segments{{0, 3, 0.19921875F, 3.80078125F}}));
  // 1, 1, 1, 7: mean 2.5, slope 1.8: from -0.2 on, which is -51.2 / 256.
  EXPECT_EQ(segment({1, 1, 1, 7}, refined(9.0)), (Segments{{0, 3, -0.19921875F, 5.19921875F}}));
  Parameters parameters = refined(9.0);
  parameters.min_value = 1;
  const TestFrame frame = frame_of({1, 1, 1, 7});
  SegmentList list;
  reference::segment_filtered(frame.view(), parameters, &list);
  TestFrame rebuilt(frame);
  reference::reconstruct(reference::filter(frame.view(), parameters), list, parameters,
                         rebuilt.view());
  // -0.2, 1.6, 3.4, 5.2: but known samples stay known.
  EXPECT_TRUE(rebuilt == frame_of({1, 2, 3, 5}));
}

TEST(HandWorkedRefine, DepthsBeyondInfinityAreTheFarthest) {
  // Inverse depths 1, 1, 1, 7.
  Parameters parameters = refined(9.0);
  parameters.domain = Domain::kInverse;
  parameters.inverse_scale = 700;
  parameters.max_value = 5000;
  const TestFrame frame = frame_of({700, 700, 700, 100});
  SegmentList list;
  reference::segment_filtered(frame.view(), parameters, &list);
  EXPECT_EQ(list.segments()[0], (Segment{0, 3, -0.19921875F, 5.19921875F}));
  TestFrame rebuilt(frame);
  reference::reconstruct(reference::filter(frame.view(), parameters), list, parameters,
                         rebuilt.view());
  EXPECT_TRUE(rebuilt == frame_of({5000, 437, 206, 135}));
}

TEST(HandWorkedRefine, FewSamples) {
  for (const Parameters& parameters : {refined(1.0), merged(1.0)}) {
    EXPECT_EQ(segment({0, 0}, parameters), Segments{});
    EXPECT_EQ(segment({0, 9, 0}, parameters), (Segments{{1, 1, 9, 9}}));
    EXPECT_EQ(segment({9, 300}, parameters), (Segments{{0, 1, 9, 300}}));
    EXPECT_EQ(segment({9}, parameters), (Segments{{0, 0, 9, 9}}));
  }
}

TEST(HandWorkedAbsolute, SamplesAreWeightedByTheirDistance) {
  // The least-squares line of 0, 0, 3 has residuals 0.5, 1, 0.5. The bound `near` is an eighth of
  // epsilon: weights 256, 128, 256, whose line goes from -0.3 to 2.7.
  EXPECT_EQ(segment({100, 100, 103}, absolute(refined(4.0))),
            (Segments{{0, 2, 99.69921875F, 102.69921875F}}));
  // `near` is at least a quarter of a sample step. Residuals 1/3, 2/3, 1/3 of 0, 1, 0 give weights
  // 192, 96, 192; 96 / 480 is 51.2 / 256.
  EXPECT_EQ(segment({100, 101, 100}, absolute(refined(1.0))),
            (Segments{{0, 2, 100.19921875F, 100.19921875F}}));
  // An exact line stays.
  EXPECT_EQ(segment({9}, absolute(refined(1.0))), (Segments{{0, 0, 9, 9}}));
  EXPECT_EQ(segment({9, 300}, absolute(merged(1.0))), (Segments{{0, 1, 9, 300}}));
}

// The first row of the lower of two segments after refitting. Their lines at 100 and 200 meet at
// `cut`; the `rows` samples are 200 from row `step` on.
int moved_cut(int rows, int cut, int step) {
  std::vector<reference::Sample> samples;
  for (int row = 0; row < rows; ++row) samples.push_back({row, row < step ? 100 : 200});
  const auto row = [](int value) { return static_cast<std::uint16_t>(value); };
  const Segments before = {{0, row(cut - 1), 100, 100}, {row(cut), row(rows - 1), 200, 200}};
  const Segments after = reference::refit(samples, before, segment_rules(absolute(refined(1.0))));
  EXPECT_EQ(after.size(), 2U);
  EXPECT_EQ(after[0].last_row + 1, after[1].first_row);
  EXPECT_EQ(after[0].first_row, 0);
  EXPECT_EQ(after[1].last_row, rows - 1);
  return after[1].first_row;
}

TEST(HandWorkedAbsolute, CutsMoveToWhereTheDistancesAreLeast) {
  EXPECT_EQ(moved_cut(40, 15, 15), 15);
  EXPECT_EQ(moved_cut(40, 15, 25), 25);
  EXPECT_EQ(moved_cut(40, 30, 20), 20);
  // The cut moves by at most 15 rows, up or down.
  EXPECT_EQ(moved_cut(100, 20, 36), 35);
  EXPECT_EQ(moved_cut(100, 60, 40), 45);
  // Both segments keep their middle rows: 4 and 24.
  EXPECT_EQ(moved_cut(30, 10, 2), 5);
  EXPECT_EQ(moved_cut(30, 20, 29), 24);
}

// Ten rows at 100, `rows` at 150 and ten at 100 again.
Column bump(int rows) {
  Column column(static_cast<std::size_t>(20 + rows), 100);
  std::fill_n(column.begin() + 10, rows, std::uint16_t{150});
  return column;
}

TEST(HandWorkedMerge, WhatIsShorterThanItsPriceIsNoSegment) {
  // As one segment, each bump sample costs epsilon squared, and the line is slightly off 100. As
  // three, two more segments cost 2 * 8^2 = 128, i.e. 8 rows of epsilon 4.
  EXPECT_EQ(segment(bump(9), merged(4.0, 8.0)).size(), 3U);
  EXPECT_EQ(segment(bump(9), merged(4.0, 30.0)).size(), 1U);
}

TEST(HandWorkedMerge, CostUnitIsThatOfEpsilon) {
  Parameters parameters = merged(4.0, 8.0);
  const Segments whole = segment(bump(9), parameters);
  parameters.sample_scale = 1.0 / 256;
  parameters.epsilon /= 256;
  parameters.merge_cost /= 256;
  EXPECT_EQ(segment(bump(9), parameters), whole);
}

TEST(HandWorkedMerge, LinesThatContinueAreOne) {
  Column column;
  for (int row = 0; row < 40; ++row) column.push_back(static_cast<std::uint16_t>(100 + 3 * row));
  EXPECT_EQ(segment(column, merged(1.0)), (Segments{{0, 39, 100, 217}}));
  column[20] += 6;
  EXPECT_EQ(segment(column, merged(1.0)).size(), 1U);
  EXPECT_GT(segment(column, refined(1.0)).size(), 2U);
}

TEST(HandWorkedMerge, MoreThanEightPiecesAreJoinedInPasses) {
  // Every third row deviates by 5: many pieces, none of which justifies a segment.
  Column column(600, 100);
  for (std::size_t row = 1; row < column.size(); row += 3) column[row] = 105;
  EXPECT_GT(segment(column, refined(2.0)).size(), 64U);
  EXPECT_EQ(segment(column, merged(2.0, 40.0)).size(), 1U);
}

// 40 rows at 5000, ten at each level, and 40 at 5000 again. Sum and moment of the levels' offsets
// are 0, so that the line through all samples stays at 5000.
Column detour(const std::vector<int>& levels) {
  Column column(40, 5000);
  for (const int level : levels) {
    column.insert(column.end(), 10, static_cast<std::uint16_t>(5000 + level));
  }
  column.insert(column.end(), 40, 5000);
  return column;
}

TEST(HandWorkedMerge, APassJoinsEightAndNoMore) {
  // A joined level costs 10 * 4^2 = 160, more than its segment, 12^2 = 144. Joining pays only if
  // both ends join with everything between them, which saves one segment. With 6 levels: 144 + 6 *
  // 160 = 1104 against 8 * 144 = 1152.
  const Column eight = detour({500, -1000, 500, -500, 1000, -500});
  ASSERT_EQ(segment(eight, refined(4.0)).size(), 8U);
  EXPECT_EQ(segment(eight, merged(4.0, 12.0)), (Segments{{0, 139, 5000, 5000}}));
  // With 7 levels, 144 + 7 * 160 = 1264 is below 9 * 144 = 1296, but that join is out of reach.
  const Column nine = detour({500, -500, 500, -1000, 500, -500, 500});
  ASSERT_EQ(segment(nine, refined(4.0)).size(), 9U);
  EXPECT_EQ(segment(nine, merged(4.0, 12.0)), segment(nine, refined(4.0)));
}

TEST(HandWorkedMerge, BoundedLinesEndNearThoseThatTheyJoin) {
  // The line through a step of 60 has a slope of 32 * 60 / 340 and ends 12.35 beyond both levels.
  Column column(8, 100);
  column.insert(column.end(), 8, 160);
  const Segments apart{{0, 7, 100, 100}, {8, 15, 160, 160}};
  const Segments joined{{0, 15, 87.6484375F, 172.3515625F}};
  Parameters parameters = merged(12.0, 999.0);
  EXPECT_EQ(segment(column, parameters), joined);
  parameters.merge_bounded = true;
  EXPECT_EQ(segment(column, parameters), apart);
  parameters.epsilon = 13.0;
  EXPECT_EQ(segment(column, parameters), joined);
  // The other way round.
  for (std::uint16_t& value : column) value = static_cast<std::uint16_t>(260 - value);
  parameters.epsilon = 12.0;
  EXPECT_EQ(segment(column, parameters), (Segments{{0, 7, 160, 160}, {8, 15, 100, 100}}));
  // Unknown rows beyond the last known ones do not count.
  column.insert(column.begin(), 100, 0);
  column.insert(column.end(), 100, 0);
  EXPECT_EQ(segment(column, parameters).size(), 2U);
  parameters.epsilon = 13.0;
  EXPECT_EQ(segment(column, parameters).size(), 1U);
}

TEST(HandWorkedMerge, EpsilonZeroDoesNotMergeEverything) {
  EXPECT_EQ(segment(bump(200), merged(0.0)).size(), 3U);
}

TEST(HandWorkedGap, LongerRunsOfUnknownRowsEndASegment) {
  const Column column = {10, 20, 0, 0, 50, 0, 0, 0, 90};
  EXPECT_EQ(segment(column, gap_of(0)), (Segments{{0, 8, 10, 90}}));
  EXPECT_EQ(segment(column, gap_of(3)), (Segments{{0, 8, 10, 90}}));
  EXPECT_EQ(segment(column, gap_of(2)), (Segments{{0, 4, 10, 50}, {8, 8, 90, 90}}));
  EXPECT_EQ(segment(column, gap_of(1)), (Segments{{0, 1, 10, 20}, {4, 4, 50, 50}, {8, 8, 90, 90}}));
}

TEST(HandWorkedGap, RunsAreSplitAndMergedEachByItself) {
  // Row 2 is 10 from its run's line, and nearer to the whole column's line.
  EXPECT_EQ(segment({10, 10, 20, 10, 0, 0, 40, 40}, gap_of(1, 6.0)),
            (Segments{{0, 2, 10, 20}, {2, 3, 20, 10}, {6, 7, 40, 40}}));
  Parameters parameters = merged(4.0, 1000.0);
  parameters.max_gap = 1;
  EXPECT_EQ(segment({10, 10, 10, 0, 10, 0, 0, 10, 10}, parameters),
            (Segments{{0, 4, 10, 10}, {7, 8, 10, 10}}));
}

// --- all ways -----------------------------------------------------------------------------------

// The cost of a segmentation of the pieces, computed sample by sample in long double.
class Costs {
 public:
  Costs(const std::vector<reference::Sample>& samples, const std::vector<std::size_t>& starts,
        const SegmentRules& rules)
      : samples_(samples), starts_(starts), rules_(rules) {}

  std::size_t pieces() const { return starts_.size() - 1; }

  long double of_segment(std::size_t first_piece, std::size_t end_piece) const {
    long double n = 0, x = 0, y = 0;
    for (std::size_t i = starts_[first_piece]; i < starts_[end_piece]; ++i) {
      n += 1;
      x += samples_[i].row;
      y += samples_[i].value;
    }
    long double xx = 0, xy = 0;
    for (std::size_t i = starts_[first_piece]; i < starts_[end_piece]; ++i) {
      xx += (samples_[i].row - x / n) * (samples_[i].row - x / n);
      xy += (samples_[i].row - x / n) * (samples_[i].value - y / n);
    }
    const long double slope = xx > 0 ? xy / xx : 0;
    long double cost = rules_.price;
    for (std::size_t p = first_piece; p < end_piece; ++p) {
      long double error = 0;
      for (std::size_t i = starts_[p]; i < starts_[p + 1]; ++i) {
        const long double d = samples_[i].value - y / n - slope * (samples_[i].row - x / n);
        error += d * d;
      }
      const auto count = static_cast<long double>(starts_[p + 1] - starts_[p]);
      cost += std::min(error, count * rules_.truncation2);
    }
    return cost;
  }

  // Bit p of `cuts`: a segment ends after piece p.
  long double of_cuts(unsigned cuts) const {
    long double cost = 0;
    std::size_t first = 0;
    for (std::size_t p = 0; p < pieces(); ++p) {
      if ((cuts >> p & 1) == 0 && p + 1 < pieces()) continue;
      cost += of_segment(first, p + 1);
      first = p + 1;
    }
    return cost;
  }

 private:
  const std::vector<reference::Sample>& samples_;
  const std::vector<std::size_t>& starts_;
  const SegmentRules& rules_;
};

TEST(Merge, IsTheCheapestOfAllWays) {
  std::mt19937 random(11);
  int joined = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    const double epsilon = 1 + below(5);
    const Parameters parameters = merged(epsilon, epsilon * (1 + below(6)));
    const SegmentRules rules = segment_rules(parameters);
    // Planes with noise and outliers.
    Column column;
    double value = 1000, slope = 0;
    const std::size_t rows = 4 + below(40);
    for (std::size_t row = 0; row < rows; ++row) {
      if (below(8) == 0) value += below(60) - 30.0;
      if (below(8) == 0) slope = below(9) - 4.0;
      value += slope;
      column.push_back(below(9) == 0 ? 0 : static_cast<std::uint16_t>(value + below(4)));
    }
    std::vector<reference::Sample> samples;
    for (std::size_t row = 0; row < rows; ++row) {
      if (column[row] != 0) samples.push_back({static_cast<int>(row), column[row]});
    }
    if (samples.size() < 2) continue;
    // The pieces: refine without merge.
    Parameters pieces = parameters;
    pieces.merge = false;
    pieces.refine = true;
    std::vector<std::size_t> starts;
    const auto place_of = [&](int row) {
      return static_cast<std::size_t>(std::ranges::find(samples, row, &reference::Sample::row) -
                                      samples.begin());
    };
    for (const Segment& piece : segment(column, pieces)) {
      starts.push_back(place_of(piece.first_row));
    }
    starts.push_back(samples.size());
    const Costs costs(samples, starts, rules);
    if (costs.pieces() > 8) continue;  // several passes may miss the cheapest
    long double cheapest = std::numeric_limits<long double>::infinity();
    for (unsigned cuts = 0; cuts < 1U << (costs.pieces() - 1); ++cuts) {
      cheapest = std::min(cheapest, costs.of_cuts(cuts));
    }
    const Segments found = segment(column, parameters);
    unsigned cuts = 0;
    for (const Segment& s : found) {
      const std::size_t end = place_of(s.last_row) + 1;
      cuts |= 1U << (std::ranges::find(starts, end) - starts.begin() - 1);
    }
    const long double cost = costs.of_cuts(cuts);
    // Tolerance for rounding in float.
    ASSERT_LE(cost, cheapest * (1 + 1e-5L)) << "trial " << trial;
    joined += found.size() < costs.pieces() ? 1 : 0;
  }
  EXPECT_GT(joined, 500);
}

TEST(SampleSums, ValuesAreRoundedHalfUpAndLimited) {
  // A line through rows 0 and 1, evaluated outside them, too.
  const auto line = [](int first, int last) { return SampleSums{2, 1, first + last, 1, last}; };
  EXPECT_EQ(fitted_value256(line(0, 1), 1), 256);
  EXPECT_EQ(fitted_value256(line(0, 1), -5), -5 * 256);
  // 1/512 is half of 1/256: the mean of 512 samples that are 0 except for a single 1.
  const SampleSums half{512, 0, 1, 0, 0};
  EXPECT_EQ(fitted_value256(half, 0), 1);
  EXPECT_EQ(fitted_value256(line(65535, 0), 3), 256 * kLeastFittedValue);
  EXPECT_EQ(fitted_value256(line(0, 65535), 3), 256 * kLargestFittedValue);
  EXPECT_EQ(fitted_value256(line(65535, 65535), 0), 65535 * 256);
}

// --- the limits of the arithmetic ---------------------------------------------------------------

// The same sums in 128 bits.
struct WideSums {
  __extension__ using Wide = __int128;
  Wide count = 0, rows = 0, values = 0, rows_rows = 0, rows_values = 0, values_values = 0;

  void add(int row, int value) {
    count += 1;
    rows += row;
    values += value;
    rows_rows += Wide{row} * row;
    rows_values += Wide{row} * value;
    values_values += Wide{value} * value;
  }
};

TEST(SampleSums, TheLargestColumnsFit) {
  // Everything at its largest, the steepest line, and the largest jumps at the end.
  for (const int kind : {0, 1, 2}) {
    SampleSums sums;
    WideSums wide;
    std::int64_t values_values = 0;
    for (std::int64_t row = 0; row < kMaxSide; ++row) {
      const std::int64_t value = kind == 0   ? 65535
                                 : kind == 1 ? row * 65535 / (kMaxSide - 1)
                                             : row % 2 * 65535;
      sums = sums + SampleSums{1, static_cast<std::int32_t>(row), static_cast<std::int32_t>(value),
                               row * row, row * value};
      values_values += value * value;
      wide.add(static_cast<int>(row), static_cast<int>(value));
    }
    EXPECT_TRUE(sums.rows == wide.rows && sums.values == wide.values);
    EXPECT_TRUE(sums.row_variation() == wide.count * wide.rows_rows - wide.rows * wide.rows);
    EXPECT_TRUE(sums.covariation() == wide.count * wide.rows_values - wide.rows * wide.values);
    EXPECT_TRUE(sums.count * values_values - std::int64_t{sums.values} * sums.values ==
                wide.count * wide.values_values - wide.values * wide.values);
    const Piece piece = make_piece(sums, values_values, 1.0F);
    // A straight line has almost no error; noise costs its variance.
    EXPECT_LT(piece.error, kind == 2 ? 1.8e13F : 2000.0F);
    EXPECT_GE(piece.error, kind == 2 ? 1.7e13F : 0.0F);
  }
}

TEST(SampleSums, ExactWhereNothingIsRounded) {
  // Rows 0, 1, 2 with values 5, 7, 9.
  const SampleSums sums{3, 3, 21, 5, 25};
  const FittedLine line = fit_line(sums);
  EXPECT_EQ(line.slope, 2.0F);
  EXPECT_EQ(line.row, 1.0F);
  EXPECT_EQ(line.value, 7.0F);
  EXPECT_EQ(fitted_value256(sums, 0), 5 * 256);
  EXPECT_EQ(fitted_value256(sums, 2), 9 * 256);
  EXPECT_EQ(fitted_value256(sums, -3), -1 * 256);
  const Piece piece = make_piece(sums, 25 + 49 + 81, 4.0F);
  EXPECT_EQ(piece.error, 0.0F);
  EXPECT_EQ(piece.spread, 2.0F);
  EXPECT_EQ(piece.limit, 12.0F);
  // From the line at 8: the samples are 3, 1 and 1 away.
  EXPECT_EQ(truncated_error(piece, {0.0F, 1.0F, 8.0F}), 11.0F);
  EXPECT_EQ(truncated_error(piece, {0.0F, 1.0F, 9.0F}), 12.0F);
}

TEST(SegmentRules, UnitsAndLimits) {
  Parameters parameters = merged(2.0, 6.0);
  SegmentRules rules = segment_rules(parameters);
  EXPECT_EQ(rules.truncation2, 4.0F);
  EXPECT_EQ(rules.price, 36.0F);
  EXPECT_TRUE(rules.refine && rules.merge);
  parameters.merge_cost = 0;  // four times epsilon
  EXPECT_EQ(segment_rules(parameters).price, 64.0F);
  parameters.epsilon = 0;  // truncated at a sample step
  EXPECT_EQ(segment_rules(parameters).truncation2, 1.0F);
  EXPECT_EQ(segment_rules(parameters).price, 16.0F);
  EXPECT_EQ(segment_rules(parameters).margin, std::numeric_limits<float>::infinity());
  parameters.merge_bounded = true;
  EXPECT_EQ(segment_rules(parameters).margin, 1.0F);
  parameters.epsilon = 2.0;
  EXPECT_EQ(segment_rules(parameters).margin, 2.0F);
  for (const double huge : {1e30, std::numeric_limits<double>::infinity()}) {
    parameters.epsilon = huge;
    parameters.merge_cost = huge;
    rules = segment_rules(parameters);
    EXPECT_EQ(rules.truncation2, 65536.0F * 65536.0F);
    EXPECT_EQ(rules.price, 65536.0F * 65536.0F * 128 * 128);
  }
  parameters.merge_cost = std::nan("");
  EXPECT_EQ(segment_rules(parameters).price, 16.0F * 65536.0F * 65536.0F);
}

// --- what is promised of any result --------------------------------------------------------------

// Vector loads read past the last sample, where a fuller column may have left samples.
TEST(ColumnSplitter, ClearsWhatVectorsReadPastTheLastSample) {
  constexpr int kRows = 64;
  constexpr int kFewer = 5;
  test::on_every_simd_target([] {
    const std::ptrdiff_t stride = column_stride(kRows);
    std::vector<std::uint16_t> columns(static_cast<std::size_t>(2 * stride), 77);
    const ColumnBlock block{columns.data(), stride};
    const KnownRange known{1, 65535};
    ColumnSplitter splitter;
    splitter.prepare(2, kRows);
    std::vector<PackedSample> vertices(2 * kRows + kPackedSlack);
    std::uint32_t counts[2];
    for (const int rows : {kRows, kFewer}) {
      splitter.clear();
      splitter.pack(block, 2, 0, rows, known);
      splitter.split(2, 256, 0, vertices.data(), counts);
      for (int c = 0; c < 2; ++c) {
        const PackedSample* past = splitter.samples(c) + rows;
        EXPECT_EQ(packed_row(past[-1]), rows - 1);
        EXPECT_EQ(std::count(past, past + kPackedSlack, 0U), kPackedSlack) << rows << " rows";
      }
    }
  });
}

TEST(Merge, SegmentsAreDisjointAndCoverWhatIsKnown) {
  std::mt19937 random(31);
  TestFrame frame(50, 200, SampleType::kU16);
  for (const Content content : test::kContents) {
    test::fill(frame.view(), content, &random);
    for (const Parameters& parameters : {merged(500.0), refined(500.0), merged(0.0, 1e9),
                                         absolute(merged(500.0)), absolute(refined(500.0))}) {
      SegmentList list;
      reference::segment_filtered(frame.view(), parameters, &list);
      for (int c = 0; c < list.columns(); ++c) {
        int next = 0;  // the first row that no segment has covered yet
        for (const Segment& s : list.column(c)) {
          ASSERT_LE(s.first_row, s.last_row);
          for (; next < s.first_row; ++next) ASSERT_EQ(frame.view().at(next, c), 0);
          ASSERT_EQ(next, s.first_row);
          ASSERT_NE(frame.view().at(s.first_row, c), 0);
          ASSERT_NE(frame.view().at(s.last_row, c), 0);
          next = s.last_row + 1;
        }
        for (; next < 200; ++next) ASSERT_EQ(frame.view().at(next, c), 0);
      }
    }
  }
}

}  // namespace
}  // namespace rdp
