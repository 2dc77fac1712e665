// SPDX-License-Identifier: LGPL-2.1-or-later
// The assessment of segments (tests/bench) on hand-made columns, and the merge's cost, which must
// be close to the optimum.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/scene/test_pattern.h"
#include "tests/bench/accuracy/accuracy_measure.h"
#include "tests/bench/accuracy/optimal_segments.h"
#include "tests/bench/accuracy/stixels_file.h"

namespace rdp::bench {
namespace {

constexpr KnownRange kKnown = {1, 65535};

reference::Frame column(std::vector<std::uint16_t> samples) {
  return {1, static_cast<int>(samples.size()), std::move(samples)};
}

SegmentList list_of(const std::vector<std::vector<Segment>>& columns) {
  SegmentList list;
  std::uint32_t* offsets = list.resize_columns(static_cast<int>(columns.size()));
  std::vector<Segment> all;
  offsets[0] = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    all.insert(all.end(), columns[c].begin(), columns[c].end());
    offsets[c + 1] = static_cast<std::uint32_t>(all.size());
  }
  std::copy(all.begin(), all.end(), list.resize_segments());
  return list;
}

TEST(Accuracy, ErrorsByHand) {
  // 0 is unknown. The lines deviate by 0, 2 and 10 from 10, 10 and 30.
  const reference::Frame frame = column({10, 10, 0, 30});
  const SegmentList segments = list_of({{{0, 0, 10, 10}, {1, 3, 12, 20}}});
  const Errors errors = errors_of_segments(frame, kKnown, segments, 1, 1.0);
  EXPECT_EQ(errors.samples, 3U);
  EXPECT_DOUBLE_EQ(errors.mean, 4.0);
  EXPECT_DOUBLE_EQ(errors.relative, (0.2 + 1.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(errors.outliers, 1.0 / 3);
  // A sample step is half a unit: nothing deviates by more than 5, and all values exceed 1.
  EXPECT_DOUBLE_EQ(errors_of_segments(frame, kKnown, segments, 1, 0.5).mean, 2.0);
  EXPECT_DOUBLE_EQ(errors_of_segments(frame, kKnown, segments, 1, 0.25).outliers, 0.0);
  // A sample step is a twentieth of a unit: two values do not exceed 1.
  EXPECT_DOUBLE_EQ(errors_of_segments(frame, kKnown, segments, 1, 0.05).relative, 1.0 / 3);
}

TEST(Accuracy, SharedRowsCountOnce) {
  const SegmentList segments = list_of({{{0, 1, 10, 20}, {1, 2, 20, 10}}});
  const Errors errors = errors_of_segments(column({10, 20, 10}), kKnown, segments, 1, 1.0);
  EXPECT_EQ(errors.samples, 3U);
  EXPECT_EQ(errors.mean, 0.0);
}

TEST(Accuracy, AgainstTruth) {
  const reference::Frame frame = column({10, 10, 0, 30});
  const reference::Frame truth = column({0, 14, 50, 30});
  const SegmentList segments = list_of({{{0, 3, 10, 25}}});
  const Errors of_segments = errors_of_segments(frame, kKnown, segments, 1, 1.0, &truth);
  const Errors of_frame = errors_of_frame(frame, kKnown, segments, 1, 1.0, truth);
  EXPECT_EQ(of_segments.samples, 2U);
  EXPECT_DOUBLE_EQ(of_segments.mean, 3.0);  // 15 for 14 and 25 for 30
  EXPECT_EQ(of_frame.samples, 2U);
  EXPECT_DOUBLE_EQ(of_frame.mean, 2.0);
}

TEST(Accuracy, GroupsOfColumns) {
  const reference::Frame frame{3, 2, {10, 12, 5, 10, 12, 5}};
  const SegmentList segments = list_of({{{0, 1, 10, 10}}, {{0, 1, 5, 5}}});
  EXPECT_DOUBLE_EQ(errors_of_segments(frame, kKnown, segments, 2, 1.0).mean, 4.0 / 6);
}

TEST(Accuracy, Compression) {
  const reference::Frame frame{3, 4, {1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1}};
  const Compression c =
      compression_of(frame, kKnown, list_of({{{0, 2, 1, 1}}, {}, {{0, 1, 1, 1}, {2, 3, 1, 1}}}));
  EXPECT_EQ(c.columns, 2U);
  EXPECT_EQ(c.segments, 3U);
  EXPECT_DOUBLE_EQ(c.rows_a_segment, 8.0 / 3);
  EXPECT_DOUBLE_EQ(c.samples_a_segment, 7.0 / 3);
  EXPECT_EQ(c.bytes, 3U * 12 + 4 * 4);
}

TEST(Accuracy, Levels) {
  // One line, a tent, two adjacent tents, and an unknown column, which does not count.
  reference::Frame frame{4, 5, {}};
  const std::uint16_t rows[5][4] = {
      {9, 9, 9, 0}, {9, 29, 49, 0}, {9, 49, 9, 0}, {9, 29, 29, 0}, {9, 9, 9, 0}};
  for (const auto& row : rows) frame.samples.insert(frame.samples.end(), row, row + 4);
  const Levels levels = split_levels(frame.view(), kKnown, 4 * 256);
  EXPECT_EQ(levels.most, 3);
  EXPECT_DOUBLE_EQ(levels.mean, 4.0 / 3);
  EXPECT_NEAR(levels.deviation, std::sqrt(14.0 / 9), 1e-12);
}

SegmentRules rules_of(double epsilon, double merge_cost) {
  Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.merge = true;
  parameters.merge_cost = merge_cost;
  return segment_rules(parameters);
}

TEST(Optimum, ByHand) {
  const reference::Frame frame = column({100, 100, 100, 0, 200, 201, 202, 203});
  SegmentList found;
  for (const Distances distances : {Distances::kSquared, Distances::kTruncated}) {
    optimal_segments(frame.view(), kKnown, rules_of(10, 10), distances, &found);
    ASSERT_EQ(found.segment_count(), 2U);
    EXPECT_EQ(found.segments()[0], (Segment{0, 2, 100, 100}));
    EXPECT_EQ(found.segments()[1], (Segment{4, 7, 200, 203}));
    EXPECT_EQ(segments_cost(frame.view(), kKnown, found, rules_of(10, 10), distances), 200.0);
  }
  // Truncated at 100, seven samples cost at most 700, and a second segment 1600.
  optimal_segments(frame.view(), kKnown, rules_of(10, 40), Distances::kTruncated, &found);
  EXPECT_EQ(found.segment_count(), 1U);
  EXPECT_EQ(segments_cost(frame.view(), kKnown, list_of({{{0, 7, 9000, 9000}}}), rules_of(10, 40),
                          Distances::kTruncated),
            1600.0 + 700.0);
}

// A frame of depthtestsrc, as from a stereo matcher: planes, steps, noise and holes.
TEST(Optimum, TheMergeComesNear) {
  TestPatternOptions options;
  options.noise = 0.3;
  options.unknown_ratio = 0.1;
  reference::Frame frame{48, 200, std::vector<std::uint16_t>(48 * 200)};
  TestPatternRenderer renderer;
  renderer.draw(
      3, options,
      {reinterpret_cast<std::byte*>(frame.samples.data()), 96, 48, 200, SampleType::kU16});
  for (const double epsilon : {1.0, 2.0, 4.0}) {
    Parameters parameters;
    parameters.sample_scale = 1.0 / 256;
    parameters.epsilon = epsilon;
    parameters.merge = true;
    const SegmentRules rules = segment_rules(parameters);
    SegmentList merged, cheapest;
    reference::segment_filtered(frame.view(), parameters, &merged);
    optimal_segments(frame.view(), kKnown, rules, Distances::kTruncated, &cheapest);
    const auto cost = [&](const SegmentList& segments) {
      return segments_cost(frame.view(), kKnown, segments, rules, Distances::kTruncated);
    };
    EXPECT_GT(cheapest.segment_count(), 48U);
    EXPECT_LE(cost(merged), 1.10 * cost(cheapest)) << "epsilon " << epsilon;
    // No cost is below the optimum, apart from rounding to 1/256.
    EXPECT_GE(cost(merged), 0.999 * cost(cheapest)) << "epsilon " << epsilon;
  }
}

class StixelsFile : public testing::Test {
 protected:
  ~StixelsFile() override { std::filesystem::remove(path_); }

  bool read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_stixels(path_, frame_.view(), 0.5, &list_);
  }

  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("stixels-" + std::to_string(getpid()));
  const reference::Frame frame_{2, 4, {0, 8, 6, 8, 10, 8, 20, 8}};
  SegmentList list_;
};

TEST_F(StixelsFile, ReadsGroundObjectsAndSky) {
  // Rows from the bottom: ground in rows 2 and 3, an object in row 1, the sky above.
  ASSERT_TRUE(read("2,3,3,0.01;1,2,2,3.5;0,0,1,7.5;\n1,0,3,4;\n"));
  ASSERT_EQ(list_.segment_count(), 4U);
  EXPECT_EQ(list_.column(0)[0], (Segment{0, 0, 0, 0}));
  EXPECT_EQ(list_.column(0)[1], (Segment{1, 1, 7, 7}));
  EXPECT_EQ(list_.column(0)[2], (Segment{2, 3, 10, 20}));
  EXPECT_EQ(list_.column(1)[0], (Segment{0, 3, 8, 8}));
}

TEST_F(StixelsFile, RefusesWhatIsNotOfTheFrame) {
  EXPECT_FALSE(read("1,0,3,4;\n"));                      // a column too few
  EXPECT_FALSE(read("1,0,3,4;\n1,0,3,4;\n1,0,3,4;\n"));  // one too many
  EXPECT_FALSE(read("1,0,4,4;\n1,0,3,4;\n"));            // rows beyond the frame
  EXPECT_FALSE(read("1,2,1,4;\n1,0,3,4;\n"));
  EXPECT_FALSE(read("3,0,3,4;\n1,0,3,4;\n"));  // no such type
  EXPECT_FALSE(read("x\n1,0,3,4;\n"));
}

}  // namespace
}  // namespace rdp::bench
