// SPDX-License-Identifier: LGPL-2.1-or-later
// The reconstruction on the GPU against reference::reconstruct(), bit for bit, on segments that the
// reference made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "common/rdp/reference.h"
#include "kernels/rdp/reconstruct.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::GpuFrames;
using test::GpuSegments;
using test::TestFrame;

constexpr SampleType kTypes[] = {SampleType::kU8, SampleType::kU16};

class GpuReconstruct : public test::GpuTest {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Reconstructs the frames, which have one size, together, from what the reference makes of them.
  // `missing`: for so many segments of the frame that has most of them there is no room.
  void check(const std::vector<TestFrame>& frames, const Parameters& parameters,
             std::int64_t missing = 0) {
    if (!picker_.next()) return;
    const DepthView first = frames.front().view();
    const bool wide = parameters.domain == Domain::kInverse || first.type == SampleType::kU16;
    std::vector<reference::Frame> filtered;
    std::vector<SegmentList> lists(frames.size());
    std::vector<TestFrame> expected;
    // As the filters leave it, in samples of that size.
    std::vector<TestFrame> sources;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      filtered.push_back(reference::filter(frames[i].view(), parameters));
      const DepthView samples = filtered.back().view();
      reference::segment(samples, segmented_known_range(parameters, first.type),
                         epsilon256(parameters), &lists[i]);
      most = std::max(most, static_cast<std::int64_t>(lists[i].segment_count()));
      expected.emplace_back(frames[i]);
      if (missing == 0) {
        reference::reconstruct(filtered.back(), lists[i], parameters, expected.back().view());
      }
      sources.emplace_back(samples.width, samples.height,
                           wide ? SampleType::kU16 : SampleType::kU8);
      for (int row = 0; row < samples.height; ++row) {
        for (int column = 0; column < samples.width; ++column) {
          sources.back().view().set(row, column, samples.at(row, column));
        }
      }
    }
    const auto layout_of = [&](SampleType type) {
      return [this, type] { return test::random_layout(bytes_per_sample(type), &random_); };
    };
    const GpuFrames source(sources, layout_of(wide ? SampleType::kU16 : SampleType::kU8));
    const GpuSegments list(std::span<const SegmentList>(lists), most - missing);
    const GpuFrames actual(frames, layout_of(first.type));
    const bool in_place = parameters.domain == Domain::kLinear &&
                          parameters.median == Median::kNone && parameters.column_width == 1;
    reconstructor_.run(in_place ? actual.view() : source.view(), list.view(), parameters,
                       actual.view(), stream());
    synchronize();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      ASSERT_EQ(actual[i].difference(expected[i].view()), "")
          << "frame " << i << " of " << frames.size() << ", " << first.width << " x "
          << first.height << " of " << bytes_per_sample(first.type) << " bytes, column-width "
          << parameters.column_width << ", "
          << (parameters.domain == Domain::kInverse ? "inverse" : "linear") << ", "
          << lists[i].segment_count() << " segments";
      ASSERT_EQ(source[i].difference(sources[i].view()), "") << "what was segmented was written";
    }
  }
  void check(const TestFrame& frame, const Parameters& parameters, std::int64_t missing = 0) {
    check(std::vector<TestFrame>(1, frame), parameters, missing);
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

// Frames of different content; also in place, without any filter.
TEST_F(GpuReconstruct, SeveralFramesTogether) {
  for (const std::size_t count : {2, 3, 31, 32}) {
    for (const SampleType type : kTypes) {
      for (const bool in_place : {true, false}) {
        const int width = 1 + below(80);
        const int height = 1 + below(140);
        std::vector<TestFrame> frames;
        for (std::size_t i = 0; i < count; ++i) {
          frames.emplace_back(width, height, type);
          test::fill(frames.back().view(), test::kContents[i % 4], &random_);
        }
        Parameters parameters = in_place ? Parameters() : random_parameters(type);
        ASSERT_NO_FATAL_FAILURE(check(frames, parameters));
      }
    }
  }
}

// One frame has more segments than there is room for, whichever it is: no frame is written to.
TEST_F(GpuReconstruct, ATruncatedSliceChangesNoFrame) {
  for (const std::size_t count : {2, 8, 32}) {
    for (const std::size_t full : {std::size_t{0}, count / 2, count - 1}) {
      std::vector<TestFrame> frames;
      for (std::size_t i = 0; i < count; ++i) {
        frames.emplace_back(50, 40, SampleType::kU16);
        test::fill(frames.back().view(), i == full ? Content::kNoise : Content::kScene, &random_);
      }
      ASSERT_NO_FATAL_FAILURE(check(frames, Parameters(), 1));
    }
  }
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
