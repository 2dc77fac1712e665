// SPDX-License-Identifier: LGPL-2.1-or-later
// rdp::cuda::LineFitter on the vertices of rdp::cuda::Segmenter against the scalar reference, bit
// for bit: gaps, least-squares lines, the merge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/primitives/frame_list.h"
#include "kernels/runtime/driver.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/segment_tester.h"
#include "tests/gpu/test_scale.h"

namespace rdp::test {
namespace {

constexpr SampleType kTypes[] = {SampleType::kU16, SampleType::kU8};

struct Rules {
  double epsilon;
  int max_gap;
  bool refine, merge;
  double merge_cost;
  Fit fit = Fit::kSquares;
};
constexpr Rules kRules[] = {
    {4, 1, false, false, 0},
    {4, 5, false, false, 0},
    {1, 30, false, false, 0},
    {4, 0, true, false, 0},
    {2, 3, true, false, 0},
    {4, 0, true, true, 0},
    {1, 0, true, true, 0},
    {0.5, 2, true, true, 0},
    {0, 0, true, true, 0},
    {300, 0, true, true, 0},
    {2, 0, true, true, 1e-3},
    {2, 40, true, true, 1e9},
    {1, 1000, true, true, 3},
    {20000, 1, true, true, 1e-9},
    {3, 16, true, true, 500},
    {2, 3, true, false, 0, Fit::kAbsolute},
    {1, 0, true, true, 0, Fit::kAbsolute},
    {0, 0, true, true, 0, Fit::kAbsolute},
    {300, 2, true, true, 0, Fit::kAbsolute},
    {2, 0, true, true, 1e9, Fit::kAbsolute},
};

class GpuFit : public GpuTest {
 protected:
  void TearDown() override {
    EXPECT_EQ(guard_damage(), "");
    std::printf("compared %d frames\n", frames_);
  }

  bool right(const DepthView& frame, const Rules& rules, const KnownRange& known = {1, 65535},
             int room = 0) {
    ++frames_;
    Parameters parameters;
    parameters.epsilon = rules.epsilon;
    parameters.max_gap = rules.max_gap;
    parameters.refine = rules.refine;
    parameters.merge = rules.merge;
    parameters.merge_cost = rules.merge_cost;
    parameters.fit = rules.fit;
    SegmentCase question{frame, known};
    question.rules = segment_rules(parameters);
    question.eps256 = question.rules.epsilon256;
    const int bytes = bytes_per_sample(frame.type);
    question.layout = {frames_ % 3 * bytes, frames_ % 5 * bytes};
    question.room = room;
    const std::string wrong = tester_.compare(question);
    if (wrong.empty()) return true;
    ADD_FAILURE() << frame.width << "x" << frame.height << " of " << 8 * bytes << " bits, known "
                  << known.first << ".." << known.last << ", epsilon " << rules.epsilon
                  << ", max-gap " << rules.max_gap
                  << (rules.merge    ? ", merge"
                      : rules.refine ? ", refine"
                                     : "")
                  << " with cost " << rules.merge_cost
                  << (rules.fit == Fit::kAbsolute ? ", fit=absolute: " : ": ") << wrong;
    return false;
  }

  SegmentTester tester_;
  CasePicker picker_;
  std::mt19937 random_{20210117};
  int frames_ = 0;
};

TEST_F(GpuFit, EverySmallHeight) {
  for (int height = 1; height <= 40; ++height) {
    for (const int width : {1, 3, 4, 5, 17}) {
      for (const SampleType type : kTypes) {
        for (const Rules& rules : kRules) {
          if (!picker_.next()) continue;
          TestFrame frame(width, height, type);
          fill_mixed(frame.view(), 5, &random_);
          ASSERT_TRUE(right(frame.view(), rules));
        }
      }
    }
  }
}

TEST_F(GpuFit, EveryKindOfColumn) {
  for (const int height : {64, 65, 127, 300, 511, 512, 513, 1024, 1025}) {
    for (int kind = 0; kind <= kColumnKinds; ++kind) {
      for (const Rules& rules : kRules) {
        if (!picker_.next()) continue;
        TestFrame frame(9, height, kTypes[kind % 2]);
        if (kind == kColumnKinds) {
          fill_mixed(frame.view(), 9, &random_);
        } else {
          fill(frame.view(), static_cast<ColumnKind>(kind), &random_);
        }
        ASSERT_TRUE(right(frame.view(), rules))
            << (kind < kColumnKinds ? name_of(static_cast<ColumnKind>(kind)) : "mixed");
      }
    }
  }
}

// As many pieces as shared memory takes, in either kernel, and some more and fewer.
TEST_F(GpuFit, PiecesAroundTheRoomInSharedMemory) {
  for (const int pieces : {1, 2, 8, 9, 32, 33, 50, 51, 52, 53, 56, 57, 58, 59, 60, 255, 256}) {
    // In frames that a warp may fit, and in higher ones.
    for (const int rows : {4, 1024 / pieces + 1}) {
      TestFrame frame(7, rows * pieces, SampleType::kU16);
      for (int column = 0; column < 7; ++column) {
        for (int row = 0; row < rows * pieces; ++row) {
          const int level = 1000 * (row / rows % 2 == 0 ? 1 : 2 + column) + 17 * (row / rows);
          frame.view().set(row, column, static_cast<std::uint16_t>(level));
        }
      }
      for (const Rules& rules : kRules) ASSERT_TRUE(right(frame.view(), rules)) << pieces;
    }
  }
}

// Slanted pieces with noise and holes, as recorded columns have them: from one on to more than a
// warp keeps, so that segments are joined in several passes, within runs of all lengths.
TEST_F(GpuFit, ColumnsOfSomeDozensOfPieces) {
  for (const int height : {100, 1000, 1100}) {
    TestFrame frame(32, height, SampleType::kU16);
    for (int column = 0; column < frame.view().width; ++column) {
      const int longest = height / (column + 1) + 1;
      double value = 0;
      double slope = 0;
      int left = 0;
      bool hole = false;
      for (int row = 0; row < height; ++row, --left) {
        if (left <= 0) {
          left = 1 + static_cast<int>(random_() % static_cast<unsigned>(longest));
          if (random_() % 2 == 0) value = 2000 + random_() % 60000;
          slope = (static_cast<double>(random_() % 2001) - 1000) / (1 + random_() % 100);
          hole = column % 3 != 0 && random_() % 5 == 0;
        }
        value = std::clamp(value + slope + random_() % 16 - 7.5, 1.0, 65535.0);
        const bool known = !hole && (column % 4 != 0 || random_() % 4 != 0);
        frame.view().set(row, column, static_cast<std::uint16_t>(known ? value : 0));
      }
    }
    for (std::size_t i = 0; i < std::size(kRules); ++i) {
      Rules rules = kRules[i];
      // Mostly beyond the noise.
      if (i % 4 != 0) rules.epsilon *= 20;
      ASSERT_TRUE(right(frame.view(), rules)) << height;
    }
  }
}

TEST_F(GpuFit, TallFrames) {
  for (const int height : {2047, 4096, 5000, 8192, 8193, 16384}) {
    for (const SampleType type : kTypes) {
      for (const Rules& rules : kRules) {
        if (!picker_.next()) continue;
        TestFrame frame(5, height, type);
        fill_mixed(frame.view(), 0, &random_);
        ASSERT_TRUE(right(frame.view(), rules));
      }
    }
  }
}

// Where the sums are largest: samples of 65535 in the last of 16384 rows.
TEST_F(GpuFit, LargestSums) {
  for (const Rules& rules : kRules) {
    TestFrame frame(4, kMaxSide, SampleType::kU16);
    for (int row = 0; row < kMaxSide; ++row) {
      frame.view().set(row, 0, 65535);
      frame.view().set(row, 1, static_cast<std::uint16_t>(row * 65535LL / (kMaxSide - 1)));
      frame.view().set(row, 2, row % 1000 == 0 ? 0 : 65535);
      frame.view().set(row, 3, row < kMaxSide / 2 ? 1 : 65535);
    }
    ASSERT_TRUE(right(frame.view(), rules, {0, 65535}));
  }
}

TEST_F(GpuFit, KnownRangesAndTruncatedLists) {
  for (const KnownRange& known :
       {KnownRange{0, 65535}, {5, 4}, {100, 200}, {255, 255}, {65535, 65535}, {300, 40000}}) {
    for (const SampleType type : kTypes) {
      for (const Rules& rules : kRules) {
        TestFrame frame(11, 200, type);
        fill_mixed(frame.view(), 0, &random_);
        ASSERT_TRUE(right(frame.view(), rules, known));
        ASSERT_TRUE(right(frame.view(), rules, known, 2));
      }
    }
  }
  EXPECT_GT(tester_.truncated(), 0);
}

// How the kernels for a frame are chosen: nothing is done again more than once, nor frame by frame.
class GpuFitChoice : public GpuTest {
 protected:
  // A column of noise of so many rows beside others without samples.
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

// Two lists of one object, as the groups of a batch have them, of which one is always complete.
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

// A column of a few more segments than a warp has room for, among so many columns of a small device
// that those would hide one that is merely slow.
TEST_F(GpuFitChoice, SegmentsAtTheRoomOfAWarp) {
  Parameters parameters;
  parameters.epsilon = 0;
  parameters.max_gap = 1;
  DeviceFrame noise;
  make(150, 525, &noise);
  const std::vector<cuda::DeviceDepthView> frames(cuda::kMostFrames, noise.view());
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

TEST_F(GpuFit, AllocatesOnlyForTheFirstFrameOfASize) {
  Parameters parameters;
  parameters.merge = true;
  for (const int height : {375, 9000}) {
    TestFrame frame(60, height, SampleType::kU16);
    fill_mixed(frame.view(), 0, &random_);
    SegmentCase question{frame.view()};
    question.rules = segment_rules(parameters);
    question.eps256 = question.rules.epsilon256;
    ASSERT_EQ(tester_.compare(question), "");
    const std::uint64_t allocations = device_allocations();
    ASSERT_EQ(tester_.compare(question), "");
    EXPECT_EQ(device_allocations(), allocations);
  }
}

// More tiles than blocks, and one object for frames of changing sizes.
TEST_F(GpuFit, WideAndManyFrames) {
  for (const auto& [width, height] : {std::pair{16384, 3}, {1242, 375}, {1242, 1024}, {5000, 64}}) {
    for (const Rules& rules : kRules) {
      if (!picker_.next()) continue;
      TestFrame frame(width, height, SampleType::kU16);
      fill_mixed(frame.view(), 0, &random_);
      ASSERT_TRUE(right(frame.view(), rules));
    }
  }
  for (int i = 0; i < 300; ++i) {
    if (!picker_.next()) continue;
    const int height = 1 + static_cast<int>(std::exp(std::log(3000.0) * (random_() % 1000) / 1000));
    TestFrame frame(1 + static_cast<int>(random_() % 200), height, kTypes[i % 2]);
    fill_mixed(frame.view(), height < 600 ? 30 : 0, &random_);
    Rules rules = kRules[random_() % std::size(kRules)];
    rules.epsilon = static_cast<double>(random_() % 4096) / 64;
    rules.merge_cost = static_cast<double>(random_() % 8192) / 16;
    rules.max_gap = i % 3 == 0 ? static_cast<int>(random_() % 20) : 0;
    ASSERT_TRUE(right(frame.view(), rules));
  }
}

}  // namespace
}  // namespace rdp::test

int main(int argc, char** argv) {
  if (rdp::cuda::load_driver() != nullptr) rdp::test::guard_device_memory();
  return rdp::test::gpu_test_main(argc, argv);
}
