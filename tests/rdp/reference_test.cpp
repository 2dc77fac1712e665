// SPDX-License-Identifier: LGPL-2.1-or-later
// The exact scalar reference against columns worked out by hand, and against a second, independent
// implementation that recurses and compares distances as fractions.
#include "common/rdp/reference.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "common/rdp/line.h"
#include "tests/support/compare.h"
#include "tests/support/test_frame.h"

namespace rdp {

namespace {

using test::TestFrame;
using Column = std::vector<std::uint16_t>;
using Segments = std::vector<Segment>;

TestFrame frame_of(const Column& column, SampleType type) {
  TestFrame frame(1, static_cast<int>(column.size()), type);
  for (std::size_t row = 0; row < column.size(); ++row) {
    frame.view().set(static_cast<int>(row), 0, column[row]);
  }
  return frame;
}

Segments segment(const Column& column, const Parameters& parameters,
                 SampleType type = SampleType::kU16) {
  SegmentList list;
  reference::segment_filtered(frame_of(column, type).view(), parameters, &list);
  EXPECT_EQ(list.columns(), 1);
  return {list.column(0).begin(), list.column(0).end()};
}

Segments segment(const Column& column, double epsilon, SampleType type = SampleType::kU16) {
  Parameters parameters;
  parameters.epsilon = epsilon;
  return segment(column, parameters, type);
}

TEST(HandWorked, StraightLineIsOneSegment) {
  EXPECT_EQ(segment({10, 12, 14, 16, 18}, 0.0), (Segments{{0, 4, 10, 18}}));
  EXPECT_EQ(segment({18, 16, 14, 12, 10}, 0.0), (Segments{{0, 4, 18, 10}}));
  EXPECT_EQ(segment({7, 7, 7}, 0.0), (Segments{{0, 2, 7, 7}}));
}

TEST(HandWorked, SpikeSplitsOnlyBeyondEpsilon) {
  // Row 2 is 4 from the line: not more than epsilon.
  EXPECT_EQ(segment({100, 100, 104, 100, 100}, 4.0), (Segments{{0, 4, 100, 100}}));
  // One step more splits; then rows 1 and 3 are 2.5 from their lines.
  EXPECT_EQ(segment({100, 100, 105, 100, 100}, 4.0),
            (Segments{{0, 2, 100, 105}, {2, 4, 105, 100}}));
  EXPECT_EQ(segment({100, 100, 96, 100, 100}, 4.0), (Segments{{0, 4, 100, 100}}));
  EXPECT_EQ(segment({100, 100, 95, 100, 100}, 4.0), (Segments{{0, 2, 100, 95}, {2, 4, 95, 100}}));
}

TEST(HandWorked, DistanceIsNotRounded) {
  // Row 1 is at 104, the line at 100 1/3: the distance is 11/3, which is 938.67/256.
  const Column column = {100, 104, 101, 101};
  EXPECT_EQ(segment(column, 939.0 / 256), (Segments{{0, 3, 100, 101}}));
  // The rest, rows 1 to 3 from 104 to 101, is 1.5 away in row 2.
  EXPECT_EQ(segment(column, 938.0 / 256), (Segments{{0, 1, 100, 104}, {1, 3, 104, 101}}));
}

TEST(HandWorked, FirstOfEqualDistancesSplits) {
  // Rows 1 and 2 are both 10 away; after a split at row 1 the rest is at most 5 from its line. A
  // split at row 2 would give (0,2) and (2,3).
  EXPECT_EQ(segment({100, 110, 110, 100}, 6.0), (Segments{{0, 1, 100, 110}, {1, 3, 110, 100}}));
  // The same on the other side of the line.
  EXPECT_EQ(segment({100, 90, 90, 100}, 6.0), (Segments{{0, 1, 100, 90}, {1, 3, 90, 100}}));
}

TEST(HandWorked, PlateausMeetInAStep) {
  // From 100 to 200 over 7 rows: row 3 lies 300/7 below the line, row 4 as much above it; row 3 is
  // first. From there, row 4 is 75 above the line.
  EXPECT_EQ(segment({100, 100, 100, 100, 200, 200, 200, 200}, 4.0),
            (Segments{{0, 3, 100, 100}, {3, 4, 100, 200}, {4, 7, 200, 200}}));
}

TEST(HandWorked, UnknownRowsAreBridged) {
  // Known rows 2, 4, 5 and 8 rise by 2 a row.
  EXPECT_EQ(segment({0, 0, 100, 0, 104, 106, 0, 0, 112, 0}, 0.0), (Segments{{2, 8, 100, 112}}));
  // Row 4 is 6 above that line. From there to row 8 the line is at 110.5 in row 5, 4.5 away.
  EXPECT_EQ(segment({0, 0, 100, 0, 110, 106, 0, 0, 112, 0}, 5.0),
            (Segments{{2, 4, 100, 110}, {4, 8, 110, 112}}));
}

TEST(HandWorked, FewKnownSamples) {
  EXPECT_EQ(segment({0, 0, 0, 0}, 4.0), Segments{});
  EXPECT_EQ(segment({0, 0, 9, 0}, 4.0), (Segments{{2, 2, 9, 9}}));
  EXPECT_EQ(segment({9}, 4.0), (Segments{{0, 0, 9, 9}}));
  EXPECT_EQ(segment({0}, 4.0), Segments{});
  EXPECT_EQ(segment({9, 300}, 0.0), (Segments{{0, 1, 9, 300}}));
  EXPECT_EQ(segment({9, 0, 0, 300}, 0.0), (Segments{{0, 3, 9, 300}}));
}

TEST(HandWorked, KnownRangeHasTwoEnds) {
  Parameters parameters;
  parameters.epsilon = 0.0;
  parameters.min_value = 10;
  parameters.max_value = 200;
  // 9 and 201 are unknown, 10 and 200 are not.
  EXPECT_EQ(segment({9, 10, 201, 10, 9, 10}, parameters), (Segments{{1, 5, 10, 10}}));
  EXPECT_EQ(segment({200, 201, 200, 65535}, parameters), (Segments{{0, 2, 200, 200}}));
  parameters.min_value = 0;
  EXPECT_EQ(segment({0, 0, 0}, parameters), (Segments{{0, 2, 0, 0}}));
  parameters.min_value = 201;  // an empty range
  EXPECT_EQ(segment({200, 201, 202}, parameters), Segments{});
}

TEST(HandWorked, EightBitSamples) {
  EXPECT_EQ(segment({255, 255, 0, 251, 255}, 4.0, SampleType::kU8), (Segments{{0, 4, 255, 255}}));
  EXPECT_EQ(segment({255, 255, 0, 250, 255}, 4.0, SampleType::kU8),
            (Segments{{0, 3, 255, 250}, {3, 4, 250, 255}}));
}

TEST(HandWorked, EveryRowIsAVertexWhereEpsilonIsZero) {
  EXPECT_EQ(segment({1, 4, 9, 16}, 0.0), (Segments{{0, 1, 1, 4}, {1, 2, 4, 9}, {2, 3, 9, 16}}));
}

// The tallest column: products must not overflow, and recursion must not use the call stack.
void expect_every_row_is_a_vertex(const Column& column) {
  Parameters parameters;
  parameters.epsilon = 0.0;
  parameters.min_value = 0;
  const Segments segments = segment(column, parameters);
  ASSERT_EQ(segments.size(), column.size() - 1);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto row = static_cast<std::uint16_t>(i);
    const Segment expected{row, static_cast<std::uint16_t>(row + 1), static_cast<float>(column[i]),
                           static_cast<float>(column[i + 1])};
    ASSERT_EQ(segments[i], expected) << "segment " << i;
  }
}

TEST(Extremes, FullSwingsOverTheTallestColumn) {
  Column column(kMaxSide);
  for (int row = 0; row < kMaxSide; ++row) column[row] = row % 2 == 0 ? 0 : 65535;
  expect_every_row_is_a_vertex(column);
}

TEST(Extremes, DeepestRecursion) {
  // Oscillation that shrinks downwards: the second row of each rest is the farthest, so every split
  // removes a single row.
  Column column(kMaxSide);
  for (int row = 0; row < kMaxSide; ++row) {
    column[row] = static_cast<std::uint16_t>(32768 + (row % 2 == 0 ? 1 : -1) * (32767 - row));
  }
  expect_every_row_is_a_vertex(column);
  // Shrinking upwards, where the last row but one is the farthest.
  expect_every_row_is_a_vertex(Column(column.rbegin(), column.rend()));
}

TEST(Extremes, LargestDistance) {
  // One row of 65535 before the end of a column of zeros, and one after its start.
  Parameters parameters;
  parameters.min_value = 0;
  Column column(kMaxSide, 0);
  column[kMaxSide - 2] = 65535;
  EXPECT_EQ(segment(column, parameters),
            (Segments{{0, 16381, 0, 0}, {16381, 16382, 0, 65535}, {16382, 16383, 65535, 0}}));
  column[kMaxSide - 2] = 0;
  column[1] = 65535;
  EXPECT_EQ(segment(column, parameters),
            (Segments{{0, 1, 0, 65535}, {1, 2, 65535, 0}, {2, 16383, 0, 0}}));
  parameters.epsilon = 65535;
  EXPECT_EQ(segment(column, parameters), (Segments{{0, 16383, 0, 0}}));
}

// The second oracle.

__extension__ typedef __int128 Integer;

struct Fraction {
  Integer numerator;
  Integer denominator;  // > 0
};

bool less(const Fraction& a, const Fraction& b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

// | y[f] + (y[l] - y[f]) (i - f) / (l - f) - y[i] |
Fraction distance(const Column& y, int f, int l, int i) {
  const Integer numerator =
      Integer{y[f]} * (l - f) + (Integer{y[l]} - y[f]) * (i - f) - Integer{y[i]} * (l - f);
  return {numerator < 0 ? -numerator : numerator, l - f};
}

void split_recursively(const Column& y, const KnownRange& known, const Fraction& epsilon, int f,
                       int l, Segments* segments) {
  int m = -1;
  Fraction largest{-1, 1};
  for (int i = f + 1; i < l; ++i) {
    if (!known.contains(y[i])) continue;
    const Fraction d = distance(y, f, l, i);
    if (less(largest, d)) {
      largest = d;
      m = i;
    }
  }
  if (less(epsilon, largest)) {
    split_recursively(y, known, epsilon, f, m, segments);
    split_recursively(y, known, epsilon, m, l, segments);
  } else {
    segments->push_back({static_cast<std::uint16_t>(f), static_cast<std::uint16_t>(l),
                         static_cast<float>(y[f]), static_cast<float>(y[l])});
  }
}

Segments oracle(const Column& y, const KnownRange& known, const Fraction& epsilon) {
  int first = -1;
  int last = -1;
  for (int i = 0; i < static_cast<int>(y.size()); ++i) {
    if (!known.contains(y[i])) continue;
    if (first < 0) first = i;
    last = i;
  }
  Segments segments;
  if (first >= 0) split_recursively(y, known, epsilon, first, last, &segments);
  return segments;
}

// Invariants of a column's segments, for any algorithm.
void expect_valid(const Column& y, const KnownRange& known, const Fraction& epsilon,
                  const Segments& segments) {
  int covered = -1;  // the last row of the segment before
  for (const Segment& s : segments) {
    ASSERT_LE(s.first_row, s.last_row);
    if (covered >= 0) {
      ASSERT_EQ(s.first_row, covered);
      ASSERT_LT(s.first_row, s.last_row);
    }
    ASSERT_EQ(s.first_value, y[s.first_row]);
    ASSERT_EQ(s.last_value, y[s.last_row]);
    ASSERT_TRUE(known.contains(y[s.first_row]) && known.contains(y[s.last_row]));
    for (int i = s.first_row + 1; i < s.last_row; ++i) {
      if (known.contains(y[i])) {
        ASSERT_FALSE(less(epsilon, distance(y, s.first_row, s.last_row, i))) << "row " << i;
      }
    }
    covered = s.last_row;
  }
  for (int i = 0; i < static_cast<int>(y.size()); ++i) {
    if (!known.contains(y[i])) continue;
    ASSERT_FALSE(segments.empty());
    ASSERT_GE(i, segments.front().first_row);
    ASSERT_LE(i, covered);
  }
}

TEST(Oracle, AgreesOnRandomColumns) {
  std::mt19937 random(2);
  const KnownRange ranges[] = {{1, 65535}, {0, 65535}, {0, 200}, {2, 2}, {9, 3}};
  const std::int64_t tolerances[] = {0, 1, 255, 256, 257, 1024, 4 * 65536, kMaxEpsilon256};
  for (int i = 0; i < 20000; ++i) {
    const int height = 1 + static_cast<int>(random() % (i % 100 == 0 ? 1500 : 60));
    const SampleType type = random() % 3 == 0 ? SampleType::kU8 : SampleType::kU16;
    TestFrame frame(1, height, type);
    test::fill(frame.view(), test::kContents[random() % 4], &random);
    Column column(height);
    for (int row = 0; row < height; ++row) column[row] = frame.view().at(row, 0);
    const KnownRange known = ranges[random() % 5];
    const std::int64_t eps256 = tolerances[random() % 8];

    SegmentList list;
    reference::segment(frame.view(), known, eps256, &list);
    const Segments segments(list.column(0).begin(), list.column(0).end());
    const Fraction epsilon{eps256, 256};
    SCOPED_TRACE("column " + std::to_string(i));
    ASSERT_EQ(segments, oracle(column, known, epsilon));
    ASSERT_NO_FATAL_FAILURE(expect_valid(column, known, epsilon, segments));
  }
}

TEST(Frames, ColumnsAreIndependent) {
  std::mt19937 random(3);
  TestFrame frame(23, 40, SampleType::kU16, {6, 1});
  test::fill(frame.view(), test::Content::kScene, &random);
  for (int row = 0; row < 40; ++row) frame.view().set(row, 5, 0);  // a column without a segment
  Parameters parameters;
  parameters.epsilon = 50;
  SegmentList list;
  reference::segment_filtered(frame.view(), parameters, &list);
  ASSERT_EQ(list.columns(), 23);
  EXPECT_EQ(list.offsets()[0], 0U);
  EXPECT_TRUE(list.column(5).empty());
  for (int column = 0; column < 23; ++column) {
    Column samples(40);
    for (int row = 0; row < 40; ++row) samples[row] = frame.view().at(row, column);
    const Segments alone = segment(samples, parameters);
    EXPECT_EQ(Segments(list.column(column).begin(), list.column(column).end()), alone);
  }
}

// The reference's filters, each on a frame with an obvious result.

reference::Frame frame_16(int width, int height, std::vector<std::uint16_t> samples) {
  return {width, height, std::move(samples)};
}

TEST(HandWorked, MedianReplicatesTheBorderAndCountsUnknown) {
  const reference::Frame frame = frame_16(3, 3,
                                          {0, 0, 9,  //
                                           0, 5, 8,  //
                                           7, 6, 4});
  const reference::Frame result = reference::median(frame.view(), 3);
  // Centre: 0 0 0 4 5 6 7 8 9. Upper left: 0 four times, 0 0, 0 0, 5. Lower right: 5 8 8, 6 4 4, 6
  // 4 4.
  EXPECT_EQ(result.at(1, 1), 5);
  EXPECT_EQ(result.at(0, 0), 0);
  EXPECT_EQ(result.at(2, 2), 5);
  EXPECT_EQ(reference::median(frame_16(1, 1, {42}).view(), 5).at(0, 0), 42);
}

TEST(HandWorked, JoinedColumnsTakeTheLowerMedian) {
  const KnownRange known{1, 65535};
  const auto join = [&](std::vector<std::uint16_t> row, int column_width) {
    const auto width = static_cast<int>(row.size());
    return reference::join_columns(frame_16(width, 1, std::move(row)).view(), known, column_width)
        .samples;
  };
  using Row = std::vector<std::uint16_t>;
  EXPECT_EQ(join({5, 1, 9}, 3), Row{5});
  EXPECT_EQ(join({5, 1, 9, 7}, 4), Row{5});          // the lower of 5 and 7
  EXPECT_EQ(join({0, 8, 0, 6}, 4), Row{6});          // half are known
  EXPECT_EQ(join({0, 8, 0, 0}, 4), Row{0});          // fewer
  EXPECT_EQ(join({0, 8, 0}, 3), Row{0});             // 1 of 3
  EXPECT_EQ(join({3, 2, 1, 0, 4}, 3), (Row{2, 4}));  // the last group has two columns, one known
  EXPECT_EQ(join({3, 0, 1}, 1), (Row{3, 0, 1}));
}

TEST(HandWorked, FiltersComeInTheirOrder) {
  // Depths 2 and 4 become u = 50 and 25. The median of the row 50 0 25 is 25 in its middle (all
  // rows of the window are equal). Then 50 25 25 joins to 25.
  Parameters parameters;
  parameters.domain = Domain::kInverse;
  parameters.inverse_scale = 100;
  parameters.median = Median::k3x3;
  parameters.column_width = 3;
  const reference::Frame frame = frame_16(3, 2, {2, 0, 4, 2, 0, 4});
  const reference::Frame filtered = reference::filter(frame.view(), parameters);
  ASSERT_EQ(filtered.width, 1);
  EXPECT_EQ(filtered.at(0, 0), 25);
  SegmentList list;
  reference::segment_filtered(frame.view(), parameters, &list);
  EXPECT_EQ(Segments(list.column(0).begin(), list.column(0).end()), (Segments{{0, 1, 25, 25}}));
}

TEST(HandWorked, ReconstructionWritesKnownRowsOnly) {
  TestFrame frame = frame_of({0, 100, 103, 0, 107, 108, 0}, SampleType::kU16);
  Parameters parameters;
  parameters.epsilon = 4.0;
  SegmentList list;
  reference::segment_filtered(frame.view(), parameters, &list);
  reference::reconstruct(reference::filter(frame.view(), parameters), list, parameters,
                         frame.view());
  // The line from row 1 to row 5 rises by 2 a row.
  const TestFrame expected = frame_of({0, 100, 102, 0, 106, 108, 0}, SampleType::kU16);
  EXPECT_EQ(test::first_difference(expected.view(), frame.view()), "");
}

}  // namespace
}  // namespace rdp
