// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory and stream use of rdp::cuda::Segmenter. Columns of tests/bits compares its results with
// the scalar reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "common/rdp/reference.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/gpu/extra_driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/segment_tester.h"
#include "tests/gpu/test_scale.h"

namespace rdp::test {
namespace {

constexpr SampleType kTypes[] = {SampleType::kU16, SampleType::kU8};

// Offsets and paddings in samples. Odd ones give pitches without any alignment, and data aligned
// only to a sample.
Layout layout_of(int number, SampleType type) {
  constexpr Layout kLayouts[] = {{0, 0}, {1, 0}, {0, 1}, {3, 3}, {8, 5}, {13, 2}, {64, 16}, {2, 7}};
  const int bytes = bytes_per_sample(type);
  Layout layout = kLayouts[number % 8];
  layout.padding *= bytes;
  layout.offset *= bytes;
  return layout;
}

class GpuSegment : public GpuTest {
 protected:
  void TearDown() override { EXPECT_EQ(guard_damage(), ""); }

  SegmentTester tester_;
  CasePicker picker_;
  std::mt19937 random_{20200603};
};

// Consecutive frames of one segmenter on its stream, without a wait between them.
TEST_F(GpuSegment, FramesBackToBack) {
  constexpr int kFrames = 12;
  for (int round = 0; round < 20; ++round) {
    if (!picker_.next()) continue;
    std::vector<std::unique_ptr<TestFrame>> frames;
    std::vector<DeviceFrame> device(kFrames);
    std::vector<cuda::DeviceSegmentList> lists(kFrames);
    cuda::Segmenter segmenter;
    cuda::Stream stream;
    segmenter.prepare(300, 600);
    for (int i = 0; i < kFrames; ++i) {
      const int width = 1 + static_cast<int>(random_() % 300);
      const int height = 1 + static_cast<int>(random_() % 600);
      frames.push_back(std::make_unique<TestFrame>(width, height, kTypes[i % 2]));
      fill_mixed(frames.back()->view(), 20, &random_);
      device[i].upload(frames.back()->view(), layout_of(i, kTypes[i % 2]), stream.get());
      lists[i].prepare(width, kMaxSide);
    }
    stream.synchronize();
    const std::uint64_t allocations = device_allocations();
    for (int i = 0; i < kFrames; ++i) {
      segmenter.segment(device[i].view(), {1, 65535}, 700, &lists[i], stream.get());
    }
    EXPECT_EQ(device_allocations(), allocations) << "segment() allocated after prepare()";
    stream.synchronize();
    for (int i = 0; i < kFrames; ++i) {
      SegmentList expected;
      SegmentList actual;
      reference::segment(frames[i]->view(), {1, 65535}, 700, &expected);
      if (lists[i].grow_if_truncated()) {
        segmenter.segment(device[i].view(), {1, 65535}, 700, &lists[i], stream.get());
        stream.synchronize();
      }
      lists[i].copy_to(&actual, stream.get());
      ASSERT_TRUE(std::ranges::equal(expected.offsets(), actual.offsets())) << "frame " << i;
      ASSERT_TRUE(std::ranges::equal(expected.segments(), actual.segments())) << "frame " << i;
    }
  }
}

// A graph captured once and replayed on frames that change in place.
TEST_F(GpuSegment, CapturedInAGraph) {
  const ExtraDriver* extra = extra_driver();
  if (extra == nullptr) GTEST_SKIP() << "the driver has no CUDA graphs";
  for (const auto& [width, height] : {std::pair{1242, 375}, {33, 2000}, {1, 1}}) {
    TestFrame frame(width, height, SampleType::kU16);
    fill_mixed(frame.view(), 0, &random_);
    DeviceFrame device;
    cuda::DeviceSegmentList list;
    cuda::Segmenter segmenter;
    cuda::Stream stream;
    device.upload(frame.view(), {}, stream.get());
    // A list large enough for any content.
    list.prepare(width * ((height + 47) / 48), height);
    list.prepare(width, height);
    segmenter.prepare(width, height);
    stream.synchronize();
    CUgraph graph = nullptr;
    CUgraphExec replay = nullptr;
    ASSERT_EQ(extra->cuStreamBeginCapture_v2(stream.get(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
              CUDA_SUCCESS);
    segmenter.segment(device.view(), {1, 65535}, 512, &list, stream.get());
    ASSERT_EQ(extra->cuStreamEndCapture(stream.get(), &graph), CUDA_SUCCESS);
    ASSERT_EQ(extra->cuGraphInstantiateWithFlags(&replay, graph, 0), CUDA_SUCCESS);
    for (int i = 0; i < 4; ++i) {
      fill_mixed(frame.view(), 0, &random_);
      device.upload(frame.view(), {}, stream.get());
      ASSERT_EQ(extra->cuGraphLaunch(replay, stream.get()), CUDA_SUCCESS);
      SegmentList expected;
      SegmentList actual;
      reference::segment(frame.view(), {1, 65535}, 512, &expected);
      stream.synchronize();
      ASSERT_EQ(list.segment_count(), expected.segment_count());
      list.copy_to(&actual, stream.get());
      ASSERT_TRUE(std::ranges::equal(expected.offsets(), actual.offsets()));
      ASSERT_TRUE(std::ranges::equal(expected.segments(), actual.segments()));
    }
    extra->cuGraphExecDestroy(replay);
    extra->cuGraphDestroy(graph);
  }
}

// The device can read page-locked host memory.
TEST_F(GpuSegment, FrameInPinnedMemory) {
  TestFrame frame(333, 500, SampleType::kU16);
  fill_mixed(frame.view(), 0, &random_);
  cuda::PinnedBuffer memory;
  memory.ensure(333 * 500 * 2);
  for (int row = 0; row < 500; ++row) {
    std::memcpy(memory.get() + row * 666, frame.view().row(row), 666);
  }
  cuda::DeviceSegmentList list;
  list.prepare(333 * 12, 500);
  list.prepare(333, 500);
  cuda::Segmenter& segmenter = tester_.segmenter();
  segmenter.prepare(333, 500);
  const cuda::DeviceDepthView pinned{memory.device_pointer(), 666, 333, 500, SampleType::kU16};
  segmenter.segment(pinned, {1, 65535}, 256, &list, tester_.stream().get());
  tester_.stream().synchronize();
  SegmentList expected;
  SegmentList actual;
  reference::segment(frame.view(), {1, 65535}, 256, &expected);
  list.copy_to(&actual, tester_.stream().get());
  EXPECT_TRUE(std::ranges::equal(expected.offsets(), actual.offsets()));
  EXPECT_TRUE(std::ranges::equal(expected.segments(), actual.segments()));
}

// A frame stored bottom-up: the pitch is negative.
TEST_F(GpuSegment, RowsFromTheLastOneOn) {
  TestFrame frame(37, 300, SampleType::kU16);
  TestFrame stored(37, 300, SampleType::kU16);
  fill_mixed(frame.view(), 0, &random_);
  for (int row = 0; row < 300; ++row) {
    std::memcpy(stored.view().row(299 - row), frame.view().row(row), 37 * 2);
  }
  DeviceFrame device;
  device.upload(stored.view(), {}, tester_.stream().get());
  cuda::DeviceDepthView view = device.view();
  view.data += static_cast<cuda::DevicePointer>(299 * view.pitch);
  view.pitch = -view.pitch;
  SegmentList expected;
  reference::segment(frame.view(), {1, 65535}, 300, &expected);
  cuda::DeviceSegmentList list;
  list.prepare(37 * 8, 300);
  list.prepare(37, 300);
  cuda::Segmenter segmenter;
  segmenter.segment(view, {1, 65535}, 300, &list, tester_.stream().get());
  tester_.stream().synchronize();
  ASSERT_FALSE(list.grow_if_truncated());
  SegmentList actual;
  list.copy_to(&actual, tester_.stream().get());
  EXPECT_TRUE(std::ranges::equal(expected.offsets(), actual.offsets()));
  EXPECT_TRUE(std::ranges::equal(expected.segments(), actual.segments()));
}

// After the largest frame, no frame causes an allocation.
TEST_F(GpuSegment, SteadyStateAllocatesNothing) {
  TestFrame largest(800, 600, SampleType::kU16);
  fill(largest.view(), ColumnKind::kNoise, &random_);
  ASSERT_EQ(tester_.compare({largest.view(), {0, 65535}, 0}), "");
  DeviceFrame frame;
  frame.upload(largest.view(), {}, tester_.stream().get());
  const std::uint64_t allocations = device_allocations();
  CasePicker picker(0.05);
  for (int i = 0; i < 50; ++i) {
    if (!picker.next()) continue;
    cuda::DeviceDepthView part = frame.view();
    part.width = 1 + i * 16;
    part.height = 600 - i * 11;
    tester_.segmenter().prepare(part.width, part.height);
    tester_.list().prepare(part.width, part.height);
    tester_.segmenter().segment(part, {0, 65535}, i, &tester_.list(), tester_.stream().get());
    tester_.stream().synchronize();
    EXPECT_FALSE(tester_.list().grow_if_truncated());
  }
  EXPECT_EQ(device_allocations(), allocations);
}

}  // namespace
}  // namespace rdp::test
