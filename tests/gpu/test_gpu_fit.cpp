// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernel selection and allocation by rdp::cuda::Segmenter and its line fitter. Columns of
// tests/bits compares their results with the scalar reference.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "kernels/primitives/frame_list.h"
#include "kernels/runtime/driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/segment_tester.h"

namespace rdp::test {
namespace {

// Kernel selection: no frame is repeated more than once, and not every frame is repeated.
class GpuFitChoice : public GpuTest {
 protected:
  void TearDown() override { EXPECT_EQ(guard_damage(), ""); }

  // One column of `rows` noise samples; all other columns are unknown.
  void make(int width, int rows, DeviceFrame* device) {
    TestFrame frame(width, rows, SampleType::kU16);
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < width; ++column) {
        const auto noise = static_cast<std::uint16_t>(1 + random_() % 60000);
        frame.view().set(row, column, column == 0 ? noise : 0);
      }
    }
    device->upload(frame.view(), {}, stream_.get());
    stream_.synchronize();
  }
  void segment(const cuda::DeviceFrames& frames, const SegmentRules& rules,
               cuda::DeviceSegmentList* list) {
    list->prepare(frames.width(), frames.height(), frames.count());
    segmenter_.segment(frames, {1, 65535}, rules, list, stream_.get());
  }

  cuda::Stream stream_;
  cuda::Segmenter segmenter_;
  std::mt19937 random_{7};
};

// Two lists share a segmenter, as the groups of a batch do; one list is always complete.
TEST_F(GpuFitChoice, FramesBetweenTheTurnsOfAFrame) {
  Parameters parameters;
  parameters.epsilon = 0;
  parameters.merge = parameters.refine = true;
  const SegmentRules rules = segment_rules(parameters);
  DeviceFrame noise, easy;
  make(4, 300, &noise);
  make(4, 3, &easy);
  cuda::DeviceSegmentList of_noise, of_easy;
  for (int frame = 0; frame < 3; ++frame) {
    int turns = 0;
    do {
      ASSERT_LE(++turns, 2) << "frame " << frame;
      segment(noise.view(), rules, &of_noise);
      segment(easy.view(), rules, &of_easy);
      stream_.synchronize();
      ASSERT_FALSE(of_easy.grow_if_truncated());
    } while (of_noise.grow_if_truncated());
  }
}

// One column per frame has slightly more segments than a warp has room for. The many other columns
// on a small device would hide a column that is merely slow.
TEST_F(GpuFitChoice, SegmentsAtTheRoomOfAWarp) {
  Parameters parameters;
  parameters.epsilon = 0;
  parameters.max_gap = 1;
  DeviceFrame noise;
  make(150, 525, &noise);
  const std::vector<cuda::DeviceDepthView> frames(cuda::kMaxFrames, noise.view());
  cuda::DeviceSegmentList list;
  int again = 0;
  for (int frame = 0; frame < 4; ++frame) {
    do {
      segment(std::span(frames), segment_rules(parameters), &list);
      stream_.synchronize();
    } while (list.grow_if_truncated() && ++again < 3);
  }
  EXPECT_LE(again, 1);
}

TEST_F(GpuFitChoice, AllocatesOnlyForTheFirstFrameOfASize) {
  SegmentTester tester;
  Parameters parameters;
  parameters.merge = true;
  for (const int height : {375, 9000}) {
    TestFrame frame(60, height, SampleType::kU16);
    fill_mixed(frame.view(), 0, &random_);
    SegmentCase question{frame.view()};
    question.rules = segment_rules(parameters);
    question.eps256 = question.rules.epsilon256;
    ASSERT_EQ(tester.compare(question), "");
    const std::uint64_t allocations = device_allocations();
    ASSERT_EQ(tester.compare(question), "");
    EXPECT_EQ(device_allocations(), allocations);
  }
}

}  // namespace
}  // namespace rdp::test
