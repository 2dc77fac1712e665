// SPDX-License-Identifier: LGPL-2.1-or-later
// rdp::cuda::Segmenter against the scalar reference, bit for bit: offsets, segments, report, and
// every byte around them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
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
constexpr KnownRange kRanges[] = {
    {1, 65535}, {0, 65535},     {5, 4},     {65535, 0}, {65535, 65535}, {0, 0},  {1, 1},
    {100, 200}, {32767, 32769}, {256, 300}, {0, 255},   {255, 255},     {1, 254}};
constexpr std::int64_t kTolerances[] = {1024,
                                        0,
                                        256,
                                        1,
                                        255,
                                        257,
                                        512,
                                        127,
                                        2048,
                                        128,
                                        40000,
                                        1000000,
                                        std::int64_t{65535} * 256,
                                        std::int64_t{65535} * 256 - 1,
                                        kMaxEpsilon256};

// Offsets and paddings in samples: odd ones make pitches that are no multiple of anything, and data
// that is only as aligned as a sample.
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

  // Compares one frame; false once something was wrong, which has been reported.
  bool right(const SegmentCase& question, const std::string& what) {
    ++frames_;
    const std::string wrong = tester_.compare(question);
    if (wrong.empty()) return true;
    const DepthView& frame = question.frame;
    ADD_FAILURE() << what << ", " << frame.width << "x" << frame.height << " of "
                  << 8 * bytes_per_sample(frame.type) << " bits, known " << question.known.first
                  << ".." << question.known.last << ", eps256 " << question.eps256 << ", offset "
                  << question.layout.offset << ", padding " << question.layout.padding << ", room "
                  << question.room << ": " << wrong;
    return false;
  }

  // A frame with columns of one kind, or of all kinds where `kind` is kColumnKinds.
  bool kind_right(int width, int height, SampleType type, int kind, int deep_every = 5) {
    if (!picker_.next()) return true;
    const int turn = turn_++;
    TestFrame frame(width, height, type);
    if (kind == kColumnKinds) {
      fill_mixed(frame.view(), deep_every, &random_);
    } else {
      fill(frame.view(), static_cast<ColumnKind>(kind), &random_);
    }
    SegmentCase question{frame.view()};
    // Usual parameters half of the time, all others in turn.
    if (turn % 2 == 1) {
      question.known = kRanges[(turn / 2) % std::size(kRanges)];
      question.eps256 = kTolerances[(turn / 3) % std::size(kTolerances)];
    } else {
      question.eps256 = kTolerances[(turn / 2) % 4];
    }
    question.layout = layout_of(turn, type);
    return right(question,
                 kind == kColumnKinds ? "mixed columns" : name_of(static_cast<ColumnKind>(kind)));
  }

  SegmentTester tester_;
  CasePicker picker_;
  std::mt19937 random_{20200603};
  int turn_ = 0;
  int frames_ = 0;
};

TEST_F(GpuSegment, OneSample) {
  for (const SampleType type : kTypes) {
    for (const std::uint32_t value : {0u, 1u, 128u, max_sample(type)}) {
      for (const KnownRange& known : kRanges) {
        TestFrame frame(1, 1, type);
        frame.view().set(0, 0, static_cast<std::uint16_t>(value));
        ASSERT_TRUE(right({frame.view(), known}, "one sample"));
      }
    }
  }
}

TEST_F(GpuSegment, EverySmallHeight) {
  picker_ = CasePicker(0.05);
  for (int height = 1; height <= 40; ++height) {
    for (const int width : {1, 2, 7, 8, 9, 15, 16, 17, 33}) {
      for (const SampleType type : kTypes) {
        for (int kind = 0; kind <= kColumnKinds; ++kind) {
          ASSERT_TRUE(kind_right(width, height, type, kind));
        }
      }
    }
  }
  std::printf("compared %d frames\n", frames_);
}

TEST_F(GpuSegment, HeightsAroundBoundaries) {
  for (const int height : {63,   64,   65,   127,  128,  129,  255,   256,   257,  375,  511,
                           512,  513,  767,  1023, 1024, 1025, 1536,  2047,  2048, 2049, 3000,
                           4095, 4096, 4097, 8191, 8192, 8193, 12289, 16383, 16384}) {
    for (const int width : {1, 7, 33}) {
      for (const SampleType type : kTypes) {
        for (int kind = 0; kind <= kColumnKinds; ++kind) {
          const bool all = kind == kColumnKinds;
          const bool deep = !all && is_deep(static_cast<ColumnKind>(kind));
          if (deep && (height > 2049 || (height > 600 && width > 7))) continue;
          ASSERT_TRUE(kind_right(width, height, type, kind, height > 2049 ? 0 : 16));
        }
      }
    }
  }
  std::printf("compared %d frames\n", frames_);
}

TEST_F(GpuSegment, WideFrames) {
  for (const auto& [width, height] : {std::pair{1242, 1},
                                      {1242, 2},
                                      {1242, 375},
                                      {1241, 256},
                                      {1242, 1024},
                                      {640, 480},
                                      {2048, 33},
                                      {4095, 7},
                                      {16383, 3},
                                      {16384, 1},
                                      {16384, 2},
                                      {16384, 33}}) {
    for (const SampleType type : kTypes) {
      for (const int kind :
           {static_cast<int>(ColumnKind::kNoise), static_cast<int>(ColumnKind::kScene),
            static_cast<int>(ColumnKind::kUnknown), kColumnKinds, kColumnKinds}) {
        ASSERT_TRUE(kind_right(width, height, type, kind, 100));
      }
    }
  }
  std::printf("compared %d frames\n", frames_);
}

TEST_F(GpuSegment, DeepestRecursion) {
  for (const ColumnKind kind : {ColumnKind::kAlternating, ColumnKind::kStairsDown,
                                ColumnKind::kStairsUp, ColumnKind::kStairsMiddle}) {
    for (const int height : {256, 1000, 1024, 1025, 2048, 4096, 8191, 16384}) {
      for (const std::int64_t eps256 : {0, 1024}) {
        if (!picker_.next()) continue;
        TestFrame frame(height > 4096 ? 2 : 5, height, SampleType::kU16);
        fill(frame.view(), kind, &random_);
        // Beside a deep column, one that is done at once.
        fill_column(frame.view(), frame.view().width - 1, ColumnKind::kConstant, &random_);
        ASSERT_TRUE(right({frame.view(), {1, 65535}, eps256}, name_of(kind)));
      }
    }
  }
  for (const int every : {2, 3, 8, 32, 33}) {
    if (!picker_.next()) continue;
    TestFrame frame(130, 1024, SampleType::kU16);
    fill_mixed(frame.view(), every, &random_);
    ASSERT_TRUE(right({frame.view()}, "a deep column now and then"));
  }
}

TEST_F(GpuSegment, KnownRanges) {
  picker_ = CasePicker(0.05);
  for (const KnownRange& known : kRanges) {
    for (const SampleType type : kTypes) {
      for (const int height : {17, 300, 1500}) {
        for (int kind = 0; kind <= static_cast<int>(ColumnKind::kAlternating); ++kind) {
          if (!picker_.next()) continue;
          TestFrame frame(19, height, type);
          fill(frame.view(), static_cast<ColumnKind>(kind), &random_);
          ASSERT_TRUE(right({frame.view(), known, 256}, name_of(static_cast<ColumnKind>(kind))));
        }
      }
    }
  }
}

TEST_F(GpuSegment, Tolerances) {
  for (const std::int64_t eps256 : kTolerances) {
    for (const SampleType type : kTypes) {
      for (const int height : {40, 700, 4096}) {
        for (int kind = 0; kind <= kColumnKinds; ++kind) {
          if (kind < kColumnKinds && is_deep(static_cast<ColumnKind>(kind))) continue;
          if (!picker_.next()) continue;
          TestFrame frame(11, height, type);
          if (kind == kColumnKinds) {
            fill_mixed(frame.view(), 0, &random_);
          } else {
            fill(frame.view(), static_cast<ColumnKind>(kind), &random_);
          }
          ASSERT_TRUE(right({frame.view(), {1, 65535}, eps256, layout_of(kind, type)},
                            "content " + std::to_string(kind)));
        }
      }
    }
  }
}

// A distance that equals the tolerance does not split; one 256th less does.
TEST_F(GpuSegment, DistanceThatEqualsTheTolerance) {
  for (const int height : {3, 5, 64, 65, 1000, 16384}) {
    for (const int bump : {1, 2, 7, 1000, 65000}) {
      for (const int off : {-1, 0, 1}) {
        TestFrame frame(9, height, SampleType::kU16);
        for (int column = 0; column < 9; ++column) {
          for (int row = 0; row < height; ++row) {
            const bool peak = row == 1 + column * (height - 3) / 8;
            frame.view().set(row, column, static_cast<std::uint16_t>(peak ? 500 + bump : 500));
          }
        }
        ASSERT_TRUE(right({frame.view(), {1, 65535}, 256 * bump + off}, "a tie with epsilon"));
      }
    }
  }
}

// The largest products that the proof of the 32-bit integers allows.
TEST_F(GpuSegment, LargestProducts) {
  for (int variant = 0; variant < 16; ++variant) {
    TestFrame frame(4, kMaxSide, SampleType::kU16);
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < kMaxSide; ++row) {
        const bool end = row == 0 || row == kMaxSide - 1;
        const bool high =
            end ? ((row == 0) == ((variant & 1) != 0)) != ((variant & 8) != 0 && row > 0)
                : (row == kMaxSide / 2 + column) == ((variant & 2) != 0);
        frame.view().set(row, column, high ? 65535 : 0);
      }
    }
    ASSERT_TRUE(right({frame.view(), {0, 65535}, (variant & 4) != 0 ? 0 : 65535},
                      "variant " + std::to_string(variant)));
  }
}

TEST_F(GpuSegment, TruncatedLists) {
  CasePicker picker(0.15);
  int frames = 0;
  for (const SampleType type : kTypes) {
    for (const auto& [width, height] :
         {std::pair{1, 3}, {1, 16384}, {7, 100}, {33, 1024}, {300, 257}, {1242, 64}, {2, 4096}}) {
      for (const int room : {1, 2, 7, 40}) {
        if (room >= height || !picker.next()) continue;
        TestFrame frame(width, height, type);
        fill(frame.view(), ColumnKind::kNoise, &random_);
        ASSERT_TRUE(right({frame.view(), {1, 65535}, 0, layout_of(room, type), room}, "noise"));
        fill_mixed(frame.view(), 0, &random_);
        ASSERT_TRUE(right({frame.view(), {1, 65535}, 0, {}, room}, "mixed columns"));
        ++frames;
      }
    }
  }
  EXPECT_GE(tester_.truncated(), frames);
  std::printf("%d lists were truncated\n", tester_.truncated());
}

// One object, frames of changing sizes: its scratch memory must be as it was after each of them.
TEST_F(GpuSegment, ManyFramesOnOneObject) {
  picker_ = CasePicker(0.02);
  // The first one is not among the largest: it is never left out.
  for (int i = 1; i <= 400; ++i) {
    if (!picker_.next()) continue;
    const int height = 1 + static_cast<int>(random_() % (i % 10 == 0 ? 3000 : 400));
    const int width = 1 + static_cast<int>(random_() % (i % 7 == 0 ? 3000 : 90));
    const SampleType type = kTypes[random_() % 2];
    TestFrame frame(width, height, type);
    fill_mixed(frame.view(), height < 1000 ? 50 : 0, &random_);
    SegmentCase question{frame.view(), {1, 65535}, kTolerances[random_() % 9]};
    question.layout = layout_of(i, type);
    question.room = i % 5 == 0 ? 3 : 0;
    ASSERT_TRUE(right(question, "frame " + std::to_string(i)));
    // The same again, on the same memory.
    question.room = 0;
    ASSERT_TRUE(right(question, "frame " + std::to_string(i) + " again"));
  }
}

// Frames of one object that follow each other on its stream without a wait between them.
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

// Captured once, replayed on frames that change in place.
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
    // A list that is large enough for anything.
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

// Page-locked memory of the host is memory that the device can read, too.
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

// A frame that is stored from its last row on: the pitch is negative.
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

// After the largest frame nothing is allocated any more, whatever comes.
TEST_F(GpuSegment, SteadyStateAllocatesNothing) {
  TestFrame largest(800, 600, SampleType::kU16);
  fill(largest.view(), ColumnKind::kNoise, &random_);
  ASSERT_TRUE(right({largest.view(), {0, 65535}, 0}, "noise"));
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

int main(int argc, char** argv) {
  if (rdp::cuda::load_driver() != nullptr) rdp::test::guard_device_memory();
  return rdp::test::gpu_test_main(argc, argv);
}
