// SPDX-License-Identifier: LGPL-2.1-or-later
// Reconstruction: its error bound, and the samples it leaves unchanged. tests/bits compares it with
// the scalar reference.
#include "common/rdp/reconstruct.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "common/rdp/reference.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

TEST(Reconstruct, ErrorIsAtMostEpsilonAndHalfAStep) {
  std::mt19937 random(3);
  ReconstructScratch scratch;
  for (int i = 0; i < 200; ++i) {
    const SampleType type = i % 2 == 0 ? SampleType::kU8 : SampleType::kU16;
    TestFrame frame(1 + static_cast<int>(random() % 50), 1 + static_cast<int>(random() % 300),
                    type);
    test::fill(frame.view(), test::kContents[random() % 4], &random);
    Parameters parameters;
    parameters.sample_scale = 1.0 / 256;
    parameters.epsilon = static_cast<double>(random() % 1000) / 256;
    const double bound = parameters.epsilon / parameters.sample_scale + 0.5;
    SegmentList segments;
    reference::segment_filtered(frame.view(), parameters, &segments);
    TestFrame written(frame);
    reconstruct_columns(written.view(), segments, parameters, 0, segments.columns(), written.view(),
                        &scratch);
    for (int column = 0; column < frame.view().width; ++column) {
      for (int row = 0; row < frame.view().height; ++row) {
        const int before = frame.view().at(row, column);
        const int after = written.view().at(row, column);
        if (before == 0) {
          ASSERT_EQ(after, 0) << "an unknown sample was written";
        } else {
          ASSERT_LE(std::abs(before - after), bound) << "row " << row << ", column " << column;
        }
      }
      for (const Segment& segment : segments.column(column)) {
        ASSERT_EQ(written.view().at(segment.first_row, column), segment.first_value);
        ASSERT_EQ(written.view().at(segment.last_row, column), segment.last_value);
      }
    }
  }
}

TEST(Reconstruct, OtherColumnsAreLeftAlone) {
  std::mt19937 random(4);
  ReconstructScratch scratch;
  for (const int column_width : {1, 3}) {
    TestFrame frame(100, 30, SampleType::kU16, {6, 0});
    test::fill(frame.view(), test::Content::kScene, &random);
    Parameters parameters;
    parameters.epsilon = 5000;
    parameters.column_width = column_width;
    SegmentList segments;
    reference::segment_filtered(frame.view(), parameters, &segments);
    TestFrame all(frame);
    reference::reconstruct(reference::filter(frame.view(), parameters), segments, parameters,
                           all.view());
    TestFrame expected(frame);
    for (int row = 0; row < 30; ++row) {
      for (int column = 5 * column_width; column < 20 * column_width; ++column) {
        expected.view().set(row, column, all.view().at(row, column));
      }
    }
    TestFrame actual(frame);
    reconstruct_columns(actual.view(), segments, parameters, 5, 20, actual.view(), &scratch);
    EXPECT_EQ(test::first_difference(expected.view(), actual.view()), "");
    EXPECT_TRUE(expected == actual);
  }
}

}  // namespace
}  // namespace rdp
