// SPDX-License-Identifier: LGPL-2.1-or-later
// Reconstruction against the scalar reference, bit for bit, on every SIMD target; and the bound of
// its error.
#include "common/rdp/reconstruct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

#include "common/rdp/reference.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Layout;
using test::TestFrame;

// What was segmented before its columns were joined, where that is not the frame itself.
std::optional<TestFrame> filtered_source(const DepthView& frame, const Parameters& parameters,
                                         Layout layout) {
  std::optional<TestFrame> source;
  if (parameters.domain == Domain::kInverse) {
    source.emplace(reference::inverse_depth(frame, inverse_depth_of(parameters)).view(), layout);
  }
  if (parameters.median != Median::kNone) {
    const DepthView view = source ? DepthView(source->view()) : frame;
    const reference::Frame median = reference::median(view, static_cast<int>(parameters.median));
    TestFrame result(view.width, view.height, view.type, layout);
    for (int row = 0; row < view.height; ++row) {
      for (int column = 0; column < view.width; ++column) {
        result.view().set(row, column, median.at(row, column));
      }
    }
    source.reset();
    source.emplace(result);
  }
  return source;
}

// Reconstructs `frame` on every target, in two ranges of columns, and compares all its bytes.
void check(const TestFrame& frame, const Parameters& parameters, Layout source_layout,
           std::mt19937* random, ReconstructScratch* scratch) {
  SegmentList segments;
  reference::segment_filtered(frame.view(), parameters, &segments);
  TestFrame expected(frame);
  reference::reconstruct(reference::filter(frame.view(), parameters), segments, parameters,
                         expected.view());
  const std::optional<TestFrame> source = filtered_source(frame.view(), parameters, source_layout);
  const int boundary = static_cast<int>((*random)() % (segments.columns() + 1));
  test::on_every_simd_target([&] {
    TestFrame actual(frame);
    const DepthView known = source ? source->view() : actual.view();
    reconstruct_columns(known, segments, parameters, boundary, segments.columns(), actual.view(),
                        scratch);
    reconstruct_columns(known, segments, parameters, 0, boundary, actual.view(), scratch);
    ASSERT_EQ(test::first_difference(expected.view(), actual.view()), "")
        << frame.view().width << " x " << frame.view().height << ", "
        << bytes_per_sample(frame.view().type) << " bytes, column width " << parameters.column_width
        << ", domain " << static_cast<int>(parameters.domain) << ", scale "
        << parameters.inverse_scale << ", known " << parameters.min_value << " to "
        << parameters.max_value;
    ASSERT_TRUE(expected == actual) << "bytes between the rows were written";
  });
}

Parameters random_parameters(std::mt19937* random) {
  const auto one_of = [&](auto... values) {
    const std::common_type_t<decltype(values)...> list[] = {values...};
    return list[(*random)() % sizeof...(values)];
  };
  Parameters parameters;
  parameters.epsilon = one_of(0.0, 1.0, 4.5, 50.0, 1000.0, 65536.0);
  parameters.min_value = one_of(0U, 1U, 1U, 1U, 60U);
  parameters.max_value = one_of(65535U, 65535U, 65535U, 200U, 40000U, 70000U, 50U);
  parameters.median = one_of(Median::kNone, Median::kNone, Median::k3x3, Median::k5x5);
  parameters.domain = one_of(Domain::kLinear, Domain::kInverse);
  parameters.inverse_scale = one_of(0.01, 77.7, 1e4, 1e6, 65535.0 * 255, 1e12);
  parameters.column_width =
      (*random)() % 2 == 0 ? 1 : 1 + static_cast<int>((*random)() % kMaxColumnWidth);
  return parameters;
}

TEST(Reconstruct, EqualsTheReferenceOnRandomFrames) {
  std::mt19937 random(1);
  ReconstructScratch scratch;
  for (int i = 0; i < 3000; ++i) {
    const int width = 1 + static_cast<int>(random() % (i % 10 == 0 ? 200 : 40));
    const int height = 1 + static_cast<int>(random() % (i % 10 == 0 ? 200 : 40));
    const SampleType type = random() % 2 == 0 ? SampleType::kU8 : SampleType::kU16;
    TestFrame frame(width, height, type,
                    {static_cast<int>(random() % 9), static_cast<int>(random() % 3)});
    test::fill(frame.view(), test::kContents[random() % 4], &random);
    SCOPED_TRACE("frame " + std::to_string(i));
    ASSERT_NO_FATAL_FAILURE(check(frame, random_parameters(&random),
                                  {static_cast<int>(random() % 5), 1}, &random, &scratch));
  }
}

// Long lines of every slope: where the estimated quotient is least exact.
TEST(Reconstruct, EqualsTheReferenceOnLongLines) {
  std::mt19937 random(2);
  ReconstructScratch scratch;
  for (const int height : {2, 3, 255, 1000, 4097, kMaxSide - 1, kMaxSide}) {
    const int width = 37;
    TestFrame frame(width, height, SampleType::kU16);
    for (int column = 0; column < width; ++column) {
      const int first = column == 0 ? 65535 : 1 + static_cast<int>(random() % 65535);
      const int last = column == 0   ? 1
                       : column == 1 ? 65535
                                     : 1 + static_cast<int>(random() % 65535);
      for (int row = 0; row < height; ++row) {
        const double line = first + (last - first) * (static_cast<double>(row) / (height - 1));
        frame.view().set(row, column, static_cast<std::uint16_t>(std::lround(line)));
      }
    }
    for (const double epsilon : {0.6, 65536.0}) {
      Parameters parameters;
      parameters.epsilon = epsilon;
      ASSERT_NO_FATAL_FAILURE(check(frame, parameters, {}, &random, &scratch));
      parameters.domain = Domain::kInverse;
      for (const double scale : {1.0, 1e4, 1e7, 12345678.9}) {
        parameters.inverse_scale = scale;
        ASSERT_NO_FATAL_FAILURE(check(frame, parameters, {}, &random, &scratch));
      }
    }
  }
}

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
