// SPDX-License-Identifier: LGPL-2.1-or-later
// The reconstruction on the GPU against reference::reconstruct(), bit for bit, on segments that the
// reference made.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>

#include "common/rdp/reference.h"
#include "kernels/rdp/reconstruct.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::GpuFrame;
using test::GpuSegments;
using test::NarrowFrame;
using test::TestFrame;

constexpr SampleType kTypes[] = {SampleType::kU8, SampleType::kU16};

class GpuReconstruct : public test::GpuTest {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Reconstructs the frame from what the reference makes of it. `missing`: so many segments too few
  // fit into the list.
  void check(const TestFrame& frame, const Parameters& parameters, std::int64_t missing = 0) {
    if (!picker_.next()) return;
    const DepthView view = frame.view();
    const reference::Frame filtered = reference::filter(view, parameters);
    SegmentList segments;
    reference::segment(filtered.view(), segmented_known_range(parameters, view.type),
                       epsilon256(parameters), &segments);
    TestFrame expected(frame);
    if (missing == 0) reference::reconstruct(filtered, segments, parameters, expected.view());

    const auto layout = [&](SampleType type) {
      return test::random_layout(bytes_per_sample(type), &random_);
    };
    const bool wide = parameters.domain == Domain::kInverse || view.type == SampleType::kU16;
    const NarrowFrame narrow(filtered.view());
    const GpuFrame source(wide ? filtered.view() : DepthView(narrow.view()),
                          layout(wide ? SampleType::kU16 : SampleType::kU8));
    const GpuSegments list(segments, static_cast<std::int64_t>(segments.segment_count()) - missing);
    const GpuFrame actual(view, layout(view.type));
    const bool in_place = parameters.domain == Domain::kLinear &&
                          parameters.median == Median::kNone && parameters.column_width == 1;
    reconstructor_.run(in_place ? actual.view() : source.view(), list.view(), parameters,
                       actual.view(), stream());
    synchronize();
    ASSERT_EQ(actual.difference(expected.view()), "")
        << view.width << " x " << view.height << " of " << bytes_per_sample(view.type)
        << " bytes, column-width " << parameters.column_width << ", "
        << (parameters.domain == Domain::kInverse ? "inverse" : "linear") << ", "
        << segments.segment_count() << " segments";
    ASSERT_EQ(source.difference(filtered.view()), "") << "what was segmented was written";
  }

  Parameters random_parameters(SampleType type) {
    Parameters parameters;
    parameters.epsilon = below(3) == 0 ? 0 : below(static_cast<int>(max_sample(type))) / 16.0;
    parameters.min_value = static_cast<std::uint32_t>(below(3));
    if (below(4) == 0) parameters.max_value = static_cast<std::uint32_t>(below(70000));
    if (below(2) == 0) parameters.domain = Domain::kInverse;
    parameters.inverse_scale =
        type == SampleType::kU8 ? 100.0 * (1 + below(600)) : 1000.0 * (1 + below(60000));
    const Median medians[] = {Median::kNone, Median::k3x3, Median::k5x5};
    parameters.median = medians[below(3)];
    parameters.column_width = below(2) == 0 ? 1 : 1 + below(kMaxColumnWidth);
    return parameters;
  }

  std::mt19937 random_{2};
  test::CasePicker picker_;
  cuda::Reconstructor reconstructor_;
};

TEST_F(GpuReconstruct, EveryColumnWidthDomainAndContent) {
  for (const SampleType type : kTypes) {
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      for (const Content content : test::kContents) {
        for (int column_width = 1; column_width <= kMaxColumnWidth; ++column_width) {
          TestFrame frame(1 + below(140), 1 + below(150), type);
          test::fill(frame.view(), content, &random_);
          Parameters parameters = random_parameters(type);
          parameters.domain = domain;
          parameters.column_width = column_width;
          ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
        }
      }
    }
  }
}

TEST_F(GpuReconstruct, RandomFramesAndParameters) {
  for (int round = 0; round < 300; ++round) {
    const SampleType type = kTypes[below(2)];
    TestFrame frame(1 + below(100), 1 + below(below(4) == 0 ? 700 : 100), type);
    test::fill(frame.view(), test::kContents[below(4)], &random_);
    ASSERT_NO_FATAL_FAILURE(check(frame, random_parameters(type)));
  }
}

TEST_F(GpuReconstruct, LargestSides) {
  for (const auto& [width, height] : std::initializer_list<std::pair<int, int>>{
           {1, 1}, {1, kMaxSide}, {3, kMaxSide}, {kMaxSide, 1}, {kMaxSide, 2}, {kMaxSide - 1, 5}}) {
    for (const SampleType type : kTypes) {
      for (const Content content : {Content::kNoise, Content::kScene}) {
        TestFrame frame(width, height, type);
        test::fill(frame.view(), content, &random_);
        Parameters parameters = random_parameters(type);
        parameters.median = Median::kNone;
        ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
      }
    }
  }
}

// One segment over as many rows as there can be, as steep as there can be.
TEST_F(GpuReconstruct, LongestAndSteepestSegments) {
  Parameters parameters;
  parameters.min_value = 0;
  parameters.epsilon = 1e9;
  for (const SampleType type : kTypes) {
    TestFrame frame(4, kMaxSide, type);
    test::fill(frame.view(), Content::kNoise, &random_);
    const auto largest = static_cast<std::uint16_t>(max_sample(type));
    for (int column = 0; column < 4; ++column) {
      frame.view().set(0, column, (column & 1) != 0 ? largest : std::uint16_t{0});
      frame.view().set(kMaxSide - 1, column, (column & 2) != 0 ? largest : std::uint16_t{0});
    }
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      parameters.domain = domain;
      parameters.min_value = domain == Domain::kInverse ? 1 : 0;
      ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
    }
  }
}

// A row that two segments share gets the lower one's value: the two lines' depths can differ there
// in the last bit.
TEST_F(GpuReconstruct, SharedRows) {
  for (int round = 0; round < 40; ++round) {
    TestFrame frame(64, 120, SampleType::kU16);
    test::fill(frame.view(), Content::kNoise, &random_);
    Parameters parameters;
    parameters.domain = Domain::kInverse;
    parameters.inverse_scale = 7e7 / (1 + below(1000));
    parameters.epsilon = 100.0 * below(20);
    ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
  }
}

TEST_F(GpuReconstruct, NothingKnown) {
  TestFrame frame(70, 40, SampleType::kU16);
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 70; ++column) frame.view().set(row, column, 0);
  }
  ASSERT_NO_FATAL_FAILURE(check(frame, Parameters()));
  frame.view().set(20, 35, 9);
  ASSERT_NO_FATAL_FAILURE(check(frame, Parameters()));
}

TEST_F(GpuReconstruct, ATruncatedListChangesNothing) {
  TestFrame frame(70, 40, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random_);
  ASSERT_NO_FATAL_FAILURE(check(frame, Parameters(), 1));
  ASSERT_NO_FATAL_FAILURE(check(frame, Parameters(), 100));
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
