// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine on the GPU against the reference, from samples to segments, depths and pictures. Runs
// on the stand-in driver, too, which counts what it is asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "kernels/rdp/gpu_engine.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::GpuFrame;
using test::GpuPicture;
using test::TestFrame;

constexpr SampleType kTypes[] = {SampleType::kU8, SampleType::kU16};
constexpr OverlayStyle kStyles[] = {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                    OverlayStyle::kEdges};

class GpuEngineTest : public test::GpuTest {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Segments, paints and reconstructs as an element does, and compares everything.
  void check(const TestFrame& frame, const Parameters& parameters) {
    if (!picker_.next()) return;
    const DepthView view = frame.view();
    OverlayOptions options;
    options.style = kStyles[below(3)];
    SegmentList expected;
    reference::segment_filtered(view, parameters, &expected);
    TestFrame reconstructed(frame);
    reference::reconstruct(reference::filter(view, parameters), expected, parameters,
                           reconstructed.view());
    std::vector<std::byte> pixels(static_cast<std::size_t>(view.width) *
                                  static_cast<std::size_t>(view.height) * 4);
    const RgbaView picture{pixels.data(), std::ptrdiff_t{4} * view.width, view.width, view.height};
    paint_overlay(view, expected, parameters, overlay_look(view, expected, parameters, options), 0,
                  view.width, picture);

    const GpuFrame in(view, test::random_layout(bytes_per_sample(view.type), &random_));
    const GpuPicture out(view.width, view.height, test::random_layout(4, &random_));
    do {
      std::fesetround(rounding_mode_);
      engine_.segment(in.view(), parameters, &list_, stream());
      engine_.paint(in.view(), list_, parameters, options, out.view(), stream());
      engine_.reconstruct(in.view(), parameters, list_, stream());
      const int left = std::fegetround();
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(left, rounding_mode_) << "the caller's rounding mode is gone";
      synchronize();
    } while (list_.grow_if_truncated());
    SegmentList actual;
    list_.copy_to(&actual, stream());
    const std::string question = std::to_string(view.width) + " x " + std::to_string(view.height) +
                                 " of " + std::to_string(bytes_per_sample(view.type)) +
                                 " bytes, column-width " + std::to_string(parameters.column_width);
    ASSERT_TRUE(std::ranges::equal(actual.offsets(), expected.offsets())) << question;
    ASSERT_TRUE(std::ranges::equal(actual.segments(), expected.segments())) << question;
    ASSERT_EQ(out.difference(picture), "") << question;
    ASSERT_EQ(in.difference(reconstructed.view()), "") << question;
  }

  int rounding_mode_ = FE_TONEAREST;  // of who calls the engine
  std::mt19937 random_{4};
  test::CasePicker picker_;
  cuda::GpuEngine engine_;
  cuda::DeviceSegmentList list_;
};

TEST_F(GpuEngineTest, EveryFilter) {
  for (const SampleType type : kTypes) {
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      for (const Median median : {Median::kNone, Median::k3x3, Median::k5x5}) {
        for (const int column_width : {1, 2, 5, 16}) {
          TestFrame frame(75, 58, type);
          test::fill(frame.view(), Content::kScene, &random_);
          Parameters parameters;
          parameters.domain = domain;
          parameters.inverse_scale = type == SampleType::kU8 ? 3e4 : 1e7;
          parameters.median = median;
          parameters.column_width = column_width;
          ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
        }
      }
    }
  }
}

TEST_F(GpuEngineTest, FramesOfAnyKindOneAfterTheOther) {
  for (int round = 0; round < 150; ++round) {
    const SampleType type = kTypes[below(2)];
    TestFrame frame(1 + below(200), 1 + below(below(5) == 0 ? 2000 : 120), type);
    test::fill(frame.view(), test::kContents[below(4)], &random_);
    Parameters parameters;
    parameters.epsilon = below(3) == 0 ? 0 : below(static_cast<int>(max_sample(type))) / 16.0;
    parameters.min_value = static_cast<std::uint32_t>(below(3));
    if (below(4) == 0) parameters.max_value = static_cast<std::uint32_t>(below(70000));
    if (below(2) == 0) parameters.domain = Domain::kInverse;
    parameters.inverse_scale = 1000.0 * (1 + below(60000));
    const Median medians[] = {Median::kNone, Median::k3x3, Median::k5x5};
    parameters.median = medians[below(3)];
    parameters.column_width = below(2) == 0 ? 1 : 1 + below(kMaxColumnWidth);
    ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
  }
}

TEST_F(GpuEngineTest, InAnyRoundingMode) {
  double scale = 502.5;
  for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO}) {
    rounding_mode_ = mode;
    scale = 2005.0 - scale;  // another one, for which the engine makes a table in this mode
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      for (const bool merge : {false, true}) {
        TestFrame frame(60, 120, SampleType::kU16);
        test::fill(frame.view(), Content::kScene, &random_);
        for (int row = 0; row < 120; ++row) frame.view().set(row, 0, 5);  // see inverse_scale
        Parameters parameters;
        parameters.domain = domain;
        // 1 / 5 of it is so little below a half that it can be rounded to it.
        parameters.inverse_scale = std::nextafter(scale, 0.0);
        parameters.epsilon = 0.1;  // no double is
        parameters.sample_scale = 0.7;
        parameters.merge = merge;
        parameters.merge_cost = 3.3;
        ASSERT_NO_FATAL_FAILURE(check(frame, parameters)) << "mode " << mode;
      }
    }
  }
}

TEST_F(GpuEngineTest, AListThatIsTooSmallGrows) {
  // Samples of which each is a vertex: more than a list has room for at first.
  TestFrame frame(40, 3000, SampleType::kU16);
  test::fill(frame.view(), Content::kNoise, &random_);
  Parameters parameters;
  parameters.epsilon = 0;
  ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
  ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
}

TEST_F(GpuEngineTest, NeitherAllocatesNorWaitsInSteadyState) {
  if (!test::is_standin()) GTEST_SKIP() << "needs the stand-in driver, which counts";
  TestFrame frame(300, 200, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random_);
  Parameters parameters;
  parameters.domain = Domain::kInverse;
  parameters.median = Median::k3x3;
  parameters.column_width = 3;
  const GpuFrame in(frame.view());
  const GpuPicture out(300, 200);
  const auto work = [&] {
    engine_.segment(in.view(), parameters, &list_, stream());
    engine_.paint(in.view(), list_, parameters, {}, out.view(), stream());
  };
  do {
    work();
    synchronize();
  } while (list_.grow_if_truncated());
  const char* const counted[] = {
      "cuMemAlloc_v2",      "cuMemHostAlloc",       "cuMemFree_v2",        "cuStreamSynchronize",
      "cuEventSynchronize", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"};
  std::vector<int> before;
  for (const char* function : counted) before.push_back(standin::count(function));
  for (int i = 0; i < 3; ++i) work();
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(standin::count(counted[i]), before[i]) << counted[i];
  }
  synchronize();
}

TEST_F(GpuEngineTest, AFailedAllocationOrLaunchLeavesTheEngineUsable) {
  if (!test::is_standin()) GTEST_SKIP() << "needs the stand-in driver, which fails when asked to";
  TestFrame frame(300, 200, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random_);
  Parameters parameters;
  parameters.domain = Domain::kInverse;
  parameters.median = Median::k5x5;
  parameters.column_width = 4;
  const GpuFrame in(frame.view());
  for (const char* function : {"cuMemAlloc_v2", "cuMemHostAlloc", "cuMemcpyHtoDAsync_v2",
                               "cuEventRecord", "cuLaunchKernel"}) {
    for (int nth = 1; nth < 20; ++nth) {
      cuda::GpuEngine engine;
      cuda::DeviceSegmentList list;
      standin::inject(function, nth, CUDA_ERROR_OUT_OF_MEMORY);
      bool failed = false;
      try {
        engine.segment(in.view(), parameters, &list, stream());
      } catch (const cuda::CudaError& error) {
        failed = true;
        EXPECT_EQ(error.result(), CUDA_ERROR_OUT_OF_MEMORY);
      }
      standin::inject(function, 0, 0);
      do {
        engine.segment(in.view(), parameters, &list, stream());
        synchronize();
      } while (list.grow_if_truncated());
      SegmentList expected, actual;
      reference::segment_filtered(frame.view(), parameters, &expected);
      list.copy_to(&actual, stream());
      ASSERT_TRUE(std::ranges::equal(actual.segments(), expected.segments()))
          << function << ", call " << nth;
      if (!failed) break;
      ASSERT_LT(nth, 19);
    }
  }
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
