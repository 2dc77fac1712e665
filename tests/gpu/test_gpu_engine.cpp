// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine on the GPU, from samples to segments, depths and pictures. Covers rounding modes,
// lists that are too small, and driver calls, which the stand-in counts. Segments and
// SegmentPictures of tests/bits compare all else with the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "kernels/rdp/engine.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::GpuFrame;
using test::GpuFrames;
using test::GpuPicture;
using test::TestFrame;

constexpr SampleType kTypes[] = {SampleType::kU8, SampleType::kU16};
constexpr OverlayStyle kStyles[] = {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                    OverlayStyle::kEdges};

class GpuEngineTest : public test::GpuTest {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Segments frames of one size together, paints one and reconstructs all, as an element does, and
  // compares all results. Counts attempts with a truncated list.
  void compare(const std::vector<TestFrame>& frames, const Parameters& parameters) {
    const DepthView first = frames.front().view();
    const std::size_t painted = static_cast<std::size_t>(below(static_cast<int>(frames.size())));
    OverlayOptions options;
    options.style = kStyles[below(3)];
    std::vector<SegmentList> expected(frames.size());
    std::vector<TestFrame> reconstructed;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      reference::segment_filtered(frames[i].view(), parameters, &expected[i]);
      reconstructed.emplace_back(frames[i]);
      reference::reconstruct(reference::filter(frames[i].view(), parameters), expected[i],
                             parameters, reconstructed.back().view());
    }
    std::vector<std::byte> pixels(static_cast<std::size_t>(first.width) *
                                  static_cast<std::size_t>(first.height) * 4);
    const RgbaView picture{pixels.data(), std::ptrdiff_t{4} * first.width, first.width,
                           first.height};
    paint_overlay(frames[painted].view(), expected[painted], parameters,
                  overlay_look(frames[painted].view(), expected[painted], parameters, options), 0,
                  first.width, picture);

    const std::string question =
        std::to_string(frames.size()) + " frames of " + std::to_string(first.width) + " x " +
        std::to_string(first.height) + " of " + std::to_string(bytes_per_sample(first.type)) +
        " bytes, column-width " + std::to_string(parameters.column_width) + ", painted " +
        std::to_string(painted);
    const GpuFrames in(frames,
                       [&] { return test::random_layout(bytes_per_sample(first.type), &random_); });
    const GpuPicture out(first.width, first.height, test::random_layout(4, &random_));
    const std::vector<std::byte> no_picture(pixels.size(), std::byte{0xA5});
    for (bool again = true; again;) {
      std::fesetround(rounding_mode_);
      engine_.segment(in.view(), parameters, &list_, stream());
      engine_.paint(in[painted].view(), list_, static_cast<int>(painted), parameters, options,
                    out.view(), stream());
      engine_.reconstruct(in.view(), parameters, list_, stream());
      const int left = std::fegetround();
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(left, rounding_mode_) << "the caller's rounding mode is gone";
      synchronize();
      again = list_.grow_if_truncated();
      if (!again) continue;
      ++truncated_;
      for (std::size_t i = 0; i < frames.size(); ++i) {
        ASSERT_EQ(in[i].difference(frames[i].view()), "")
            << "truncated: frame " << i << ", " << question;
      }
      const RgbaView none{const_cast<std::byte*>(no_picture.data()), picture.stride, picture.width,
                          picture.height};
      ASSERT_EQ(out.difference(none), "") << "truncated: " << question;
    }
    ASSERT_EQ(list_.frames(), static_cast<int>(frames.size()));
    for (std::size_t i = 0; i < frames.size(); ++i) {
      SegmentList actual;
      list_.copy_to(&actual, stream(), static_cast<int>(i));
      ASSERT_TRUE(std::ranges::equal(actual.offsets(), expected[i].offsets()))
          << "frame " << i << ", " << question;
      ASSERT_TRUE(std::ranges::equal(actual.segments(), expected[i].segments()))
          << "frame " << i << ", " << question;
      ASSERT_EQ(in[i].difference(reconstructed[i].view()), "") << "frame " << i << ", " << question;
    }
    ASSERT_EQ(out.difference(picture), "") << question;
  }
  // compare() for the sampled fraction of cases.
  void check(const std::vector<TestFrame>& frames, const Parameters& parameters) {
    if (picker_.next()) compare(frames, parameters);
  }
  void check(const TestFrame& frame, const Parameters& parameters) {
    check(std::vector<TestFrame>(1, frame), parameters);
  }

  std::vector<TestFrame> several(std::size_t count, int width, int height, SampleType type) {
    std::vector<TestFrame> frames;
    for (std::size_t i = 0; i < count; ++i) {
      frames.emplace_back(width, height, type);
      test::fill(frames.back().view(), test::kContents[below(4)], &random_);
    }
    return frames;
  }

  int rounding_mode_ = FE_TONEAREST;  // of the engine's caller
  std::mt19937 random_{4};
  test::CasePicker picker_;
  cuda::SegmentEngine engine_;
  cuda::DeviceSegmentList list_;
  int truncated_ = 0;
};

TEST_F(GpuEngineTest, InAnyRoundingMode) {
  double scale = 502.5;
  for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO}) {
    rounding_mode_ = mode;
    scale = 2005.0 - scale;  // another one, for which the engine makes a table in this mode
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      for (const auto& [merge, fit] :
           {std::pair{false, Fit::kSquares}, {true, Fit::kSquares}, {true, Fit::kAbsolute}}) {
        TestFrame frame(60, 120, SampleType::kU16);
        test::fill(frame.view(), Content::kScene, &random_);
        for (int row = 0; row < 120; ++row) frame.view().set(row, 0, 5);  // see inverse_scale
        Parameters parameters;
        parameters.domain = domain;
        // 1 / 5 of it is slightly below a half and may round up to it.
        parameters.inverse_scale = std::nextafter(scale, 0.0);
        parameters.epsilon = 0.1;  // no double is
        parameters.sample_scale = 0.7;
        parameters.merge = merge;
        parameters.merge_cost = 3.3;
        parameters.fit = fit;
        ASSERT_NO_FATAL_FAILURE(check(frame, parameters)) << "mode " << mode;
      }
    }
  }
}

// A frame of noise among streets overflows its slice, at any index. No frame is written before all
// slices are large enough.
TEST_F(GpuEngineTest, OneSliceThatIsTooSmall) {
  for (const std::size_t count : {2, 8}) {
    for (const std::size_t noise : {std::size_t{0}, count / 2, count - 1}) {
      for (const int column_width : {1, 2}) {
        std::vector<TestFrame> frames;
        for (std::size_t i = 0; i < count; ++i) {
          frames.emplace_back(20, 300, SampleType::kU16);
          test::fill(frames.back().view(), i == noise ? Content::kNoise : Content::kScene,
                     &random_);
        }
        Parameters parameters;
        parameters.epsilon = 0;
        parameters.column_width = column_width;
        list_ = cuda::DeviceSegmentList();
        const int before = truncated_;
        ASSERT_NO_FATAL_FAILURE(compare(frames, parameters));
        EXPECT_EQ(truncated_, before + 1);
        ASSERT_NO_FATAL_FAILURE(compare(frames, parameters));
        EXPECT_EQ(truncated_, before + 1) << "not once more for the same frames";
      }
    }
  }
}

// Each step is one launch for any number of frames.
TEST_F(GpuEngineTest, OneLaunchAStep) {
  if (!test::is_standin()) GTEST_SKIP() << "needs the stand-in driver, which counts";
  for (const std::size_t count : {1, 8, 32}) {
    const std::vector<TestFrame> frames = several(count, 60, 40, SampleType::kU16);
    const GpuFrames in(frames, [] { return test::GpuLayout(); });
    const auto launches = [&](const Parameters& parameters) {
      const int before = standin::count("cuLaunchKernel");
      engine_.segment(in.view(), parameters, &list_, stream());
      return standin::count("cuLaunchKernel") - before;
    };
    Parameters parameters;
    EXPECT_EQ(launches(parameters), 1);
    parameters.median = Median::k3x3;
    EXPECT_EQ(launches(parameters), 2);
    parameters.domain = Domain::kInverse;
    EXPECT_EQ(launches(parameters), 3);
    parameters.column_width = 4;
    EXPECT_EQ(launches(parameters), 4);
    const int before = standin::count("cuLaunchKernel");
    engine_.reconstruct(in.view(), parameters, list_, stream());
    EXPECT_EQ(standin::count("cuLaunchKernel") - before, 1);
    // Least absolute deviations need a launch of their own only if the frames fill the device.
    Parameters absolute;
    absolute.merge = true;
    absolute.fit = Fit::kAbsolute;
    EXPECT_EQ(launches(absolute), count == 1 ? 1 : 2);
    synchronize();
  }
}

TEST_F(GpuEngineTest, AListThatIsTooSmallGrows) {
  // Every sample is a vertex: more than the initial capacity of a list.
  TestFrame frame(40, 3000, SampleType::kU16);
  test::fill(frame.view(), Content::kNoise, &random_);
  Parameters parameters;
  parameters.epsilon = 0;
  ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
  ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
}

TEST_F(GpuEngineTest, NeitherAllocatesNorWaitsInSteadyState) {
  if (!test::is_standin()) GTEST_SKIP() << "needs the stand-in driver, which counts";
  const std::vector<TestFrame> frames = several(3, 300, 200, SampleType::kU16);
  Parameters parameters;
  parameters.domain = Domain::kInverse;
  parameters.median = Median::k3x3;
  parameters.column_width = 3;
  const GpuFrames in(frames, [] { return test::GpuLayout(); });
  const GpuPicture out(300, 200);
  const auto work = [&] {
    engine_.segment(in.view(), parameters, &list_, stream());
    engine_.paint(in[1].view(), list_, 1, parameters, {}, out.view(), stream());
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
      cuda::SegmentEngine engine;
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
