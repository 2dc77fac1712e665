// SPDX-License-Identifier: LGPL-2.1-or-later
// The filters on the GPU against the scalar reference, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "common/rdp/reference.h"
#include "kernels/filters/inverse_depth.h"
#include "kernels/filters/join_columns.h"
#include "kernels/filters/median.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/support/de_bruijn.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::GpuFrame;
using test::GpuFrames;
using test::GpuLayout;
using test::TestFrame;

constexpr SampleType kTypes[] = {SampleType::kU8, SampleType::kU16};

// Frames as large as there are in one direction, and around the sizes of a block of threads.
constexpr std::pair<int, int> kSizes[] = {
    {1, 1},    {1, 50},   {50, 1},   {kMaxSide, 1},     {kMaxSide, 3}, {1, kMaxSide}, {3, kMaxSide},
    {7, 15},   {8, 16},   {9, 17},   {16, 4},           {31, 33},      {255, 5},      {256, 6},
    {257, 31}, {258, 32}, {264, 33}, {kMaxSide - 1, 4}, {511, 18},     {641, 48}};

class GpuFilters : public test::GpuTest {
 protected:
  std::mt19937 random_{1};
  test::CasePicker picker_;

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  GpuLayout layout(SampleType type) {
    return test::random_layout(bytes_per_sample(type), &random_);
  }

  // Frames of different content.
  std::vector<TestFrame> several(std::size_t count, int width, int height, SampleType type) {
    std::vector<TestFrame> frames;
    for (std::size_t i = 0; i < count; ++i) {
      frames.emplace_back(width, height, type);
      test::fill(frames.back().view(), test::kContents[i % 4], &random_);
    }
    return frames;
  }

  // Filters several frames together, each of them and of the results in a layout of its own:
  // filter(in, out), which makes frames of this width and type, and expected(view) of one of them.
  template <typename Filter, typename Expected>
  void check_together(const std::vector<TestFrame>& frames, int width, SampleType type,
                      Filter filter, Expected expected) {
    if (!picker_.next()) return;
    const DepthView first = frames.front().view();
    const GpuFrames in(frames, [&] { return layout(first.type); });
    const GpuFrames out(frames.size(), width, first.height, type, [&] { return layout(type); });
    filter(in.view(), out.view());
    synchronize();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      ASSERT_EQ(out[i].difference(expected(frames[i].view()).view()), "")
          << "frame " << i << " of " << frames.size() << ", " << first.width << " x "
          << first.height << " of " << bytes_per_sample(first.type) << " bytes";
      ASSERT_EQ(in[i].difference(frames[i].view()), "") << "the input was written, frame " << i;
    }
  }
};

// As many frames as there are together, and sizes on both sides of a block of threads.
constexpr std::size_t kTogether[] = {2, 3, 31, 32};
constexpr std::pair<int, int> kSizesTogether[] = {{1, 1}, {75, 18}, {257, 33}};

class GpuMedian : public GpuFilters {
 protected:
  void check(int width, int height, SampleType type, Content content, const GpuLayout& in_layout,
             const GpuLayout& out_layout) {
    if (!picker_.next()) return;
    TestFrame frame(width, height, type);
    test::fill(frame.view(), content, &random_);
    const GpuFrame in(frame.view(), in_layout);
    for (const int side : {3, 5}) {
      const GpuFrame out(width, height, type, out_layout);
      median_.run(in.view(), side, out.view(), stream());
      synchronize();
      ASSERT_EQ(out.difference(reference::median(frame.view(), side).view()), "")
          << width << " x " << height << ", side " << side << ", " << bytes_per_sample(type)
          << " bytes; pitches " << in.view().pitch << ", " << out.view().pitch;
    }
    ASSERT_EQ(in.difference(frame.view()), "") << "the input was written";
  }

  cuda::MedianFilter median_;
};

TEST_F(GpuMedian, EverySmallSize) {
  for (int height = 1; height <= 20; ++height) {
    for (int width = 1; width <= 20; ++width) {
      const SampleType type = kTypes[below(2)];
      ASSERT_NO_FATAL_FAILURE(
          check(width, height, type, test::kContents[below(4)], layout(type), layout(type)));
    }
  }
}

TEST_F(GpuMedian, EveryContentAtEverySize) {
  for (const auto& [width, height] : kSizes) {
    for (const SampleType type : kTypes) {
      for (const Content content : test::kContents) {
        ASSERT_NO_FATAL_FAILURE(check(width, height, type, content, {}, {}));
      }
    }
  }
}

TEST_F(GpuMedian, AnyAlignment) {
  for (const SampleType type : kTypes) {
    const int unit = bytes_per_sample(type);
    for (int padding = 0; padding <= 16; ++padding) {
      for (const int offset : {0, 1, 2, 4, 8}) {
        // A row of 264 samples is whole words of all sizes: the padding alone makes the pitch odd.
        const GpuLayout unaligned{padding * unit, offset * unit, 256};
        ASSERT_NO_FATAL_FAILURE(check(264, 7, type, Content::kNoise, unaligned, {}));
        ASSERT_NO_FATAL_FAILURE(check(264, 7, type, Content::kNoise, {0, 0, 0}, unaligned));
      }
    }
  }
}

TEST_F(GpuMedian, SeveralFramesTogether) {
  for (const std::size_t count : kTogether) {
    for (const auto& [width, height] : kSizesTogether) {
      for (const SampleType type : kTypes) {
        for (const int side : {3, 5}) {
          ASSERT_NO_FATAL_FAILURE(check_together(
              several(count, width, height, type), width, type,
              [&](const auto& in, const auto& out) { median_.run(in, side, out, stream()); },
              [side](const DepthView& frame) { return reference::median(frame, side); }));
        }
      }
    }
  }
}

// The 0-1 principle: what is made of minima and maxima alone finds the median of every window if it
// does so for windows of zeros and ones. All 2^(side * side) of those are in rows whose columns run
// through a de Bruijn sequence, that starts `shift` columns after the first.
void check_all_zero_one_windows(const cuda::MedianFilter& median, int side, int row_in_pair,
                                int shift, SampleType type, const cuda::Stream& stream) {
  const std::vector<std::uint8_t> columns = test::DeBruijn(1 << side, side).sequence();
  const int reach = side / 2;
  const int row = 2 + row_in_pair;
  const int chunk = kMaxSide;
  // Samples that are not 0 are as large as can be, and differ.
  const auto one = static_cast<std::uint16_t>(max_sample(type));
  TestFrame frame(chunk, 8, type);
  std::size_t windows = 0;
  for (std::size_t start = 0; start + side <= columns.size(); start += chunk - shift - side + 1) {
    const auto count =
        static_cast<int>(std::min<std::size_t>(chunk - shift, columns.size() - start));
    for (int x = 0; x < count; ++x) {
      for (int i = 0; i < side; ++i) {
        frame.view().set(row - reach + i, shift + x,
                         (columns[start + x] >> i & 1) != 0 ? one : std::uint16_t{0});
      }
    }
    const GpuFrame in(frame.view());
    const GpuFrame out(chunk, 8, type);
    median.run(in.view(), side, out.view(), stream.get());
    stream.synchronize();
    const std::vector<std::uint16_t> medians = out.row(row);
    int ones = 0;
    const auto ones_of = [&](int x) { return __builtin_popcount(columns[start + x]); };
    for (int x = 0; x < side - 1; ++x) ones += ones_of(x);
    for (int x = reach; x + reach < count; ++x, ++windows) {
      ones += ones_of(x + reach);
      ASSERT_EQ(medians[static_cast<std::size_t>(shift + x)], ones > side * side / 2 ? one : 0);
      ones -= ones_of(x - reach);
    }
  }
  ASSERT_EQ(windows, (std::size_t{1} << side * side) + 1);  // the sequence and one word once more
}

TEST_F(GpuMedian, AllZeroOneWindowsOf3x3) {
  const cuda::Stream stream;
  for (const SampleType type : kTypes) {
    for (int shift = 0; shift < 8; ++shift) {
      for (const int row_in_pair : {0, 1}) {
        ASSERT_NO_FATAL_FAILURE(
            check_all_zero_one_windows(median_, 3, row_in_pair, shift, type, stream));
      }
    }
  }
}

TEST_F(GpuMedian, AllZeroOneWindowsOf5x5) {
  if (test::is_standin()) GTEST_SKIP() << "this is about the kernel";
  if (test::test_scale() < 1) GTEST_SKIP() << "RDP_GPU_TEST_SCALE asks for fewer cases";
  const cuda::Stream stream;
  for (const int row_in_pair : {0, 1}) {
    ASSERT_NO_FATAL_FAILURE(
        check_all_zero_one_windows(median_, 5, row_in_pair, 0, SampleType::kU8, stream));
  }
}

class GpuInverseDepth : public GpuFilters {
 protected:
  void check(const TestFrame& frame, const Parameters& parameters) {
    if (!picker_.next()) return;
    const DepthView view = frame.view();
    const GpuFrame in(view, layout(view.type));
    const GpuFrame out(view.width, view.height, SampleType::kU16, layout(SampleType::kU16));
    inverse_depth_.run(in.view(), parameters, out.view(), stream());
    synchronize();
    ASSERT_EQ(out.difference(reference::inverse_depth(view, inverse_depth_of(parameters)).view()),
              "")
        << view.width << " x " << view.height << ", inverse-scale " << parameters.inverse_scale;
    ASSERT_EQ(in.difference(view), "") << "the input was written";
  }

  cuda::InverseDepth inverse_depth_;
};

TEST_F(GpuInverseDepth, EveryDepth) {
  TestFrame all(256, 256, SampleType::kU16);
  TestFrame all_narrow(256, 1, SampleType::kU8);
  for (int z = 0; z < 65536; ++z) {
    all.view().set(z / 256, z % 256, static_cast<std::uint16_t>(z));
    if (z < 256) all_narrow.view().set(0, z, static_cast<std::uint16_t>(z));
  }
  for (const double scale : {1e-3, 0.5, 1.0, 254.5, 65535.0, 1e6, 3e7, 1e9, 1e300}) {
    for (const auto& [first, last] : std::initializer_list<std::pair<unsigned, unsigned>>{
             {1, 65535}, {0, 65535}, {0, 0}, {100, 200}, {200, 100}, {255, 4000000000U}}) {
      Parameters parameters;
      parameters.domain = Domain::kInverse;
      parameters.inverse_scale = scale;
      parameters.min_value = first;
      parameters.max_value = last;
      ASSERT_NO_FATAL_FAILURE(check(all, parameters));
      ASSERT_NO_FATAL_FAILURE(check(all_narrow, parameters));
    }
  }
}

TEST_F(GpuInverseDepth, EverySizeAndLayout) {
  Parameters parameters;
  for (int round = 0; round < 4; ++round) {
    for (const auto& [width, height] : kSizes) {
      TestFrame frame(width, height, kTypes[below(2)]);
      test::fill(frame.view(), Content::kNoise, &random_);
      parameters.inverse_scale = 1000.0 * (1 + below(3000));
      ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
    }
  }
}

TEST_F(GpuInverseDepth, SeveralFramesTogether) {
  for (const std::size_t count : kTogether) {
    for (const auto& [width, height] : kSizesTogether) {
      for (const SampleType type : kTypes) {
        Parameters parameters;
        parameters.domain = Domain::kInverse;
        parameters.inverse_scale = 1000.0 * (1 + below(3000));
        ASSERT_NO_FATAL_FAILURE(check_together(
            several(count, width, height, type), width, SampleType::kU16,
            [&](const auto& in, const auto& out) {
              inverse_depth_.run(in, parameters, out, stream());
            },
            [&](const DepthView& frame) {
              return reference::inverse_depth(frame, inverse_depth_of(parameters));
            }));
      }
    }
  }
}

class GpuJoinColumns : public GpuFilters {
 protected:
  void check(const TestFrame& frame, const KnownRange& known, int column_width) {
    if (!picker_.next()) return;
    const DepthView view = frame.view();
    const GpuFrame in(view, layout(view.type));
    const GpuFrame out((view.width + column_width - 1) / column_width, view.height, view.type,
                       layout(view.type));
    joiner_.run(in.view(), known, column_width, out.view(), stream());
    synchronize();
    ASSERT_EQ(out.difference(reference::join_columns(view, known, column_width).view()), "")
        << view.width << " x " << view.height << ", column-width " << column_width << ", known "
        << known.first << " to " << known.last;
    ASSERT_EQ(in.difference(view), "") << "the input was written";
  }

  cuda::ColumnJoiner joiner_;
};

TEST_F(GpuJoinColumns, EveryColumnWidthAndContent) {
  for (const SampleType type : kTypes) {
    const std::uint32_t largest = max_sample(type);
    const KnownRange ranges[] = {{1, largest}, {0, largest}, {0, largest - 1},   {0, 1},
                                 {2, 1},       {1, 1},       {largest, largest}, {3, largest / 2}};
    for (const Content content : test::kContents) {
      for (int column_width = 1; column_width <= kMaxColumnWidth; ++column_width) {
        TestFrame frame(1 + below(150), 1 + below(20), type);
        test::fill(frame.view(), content, &random_);
        for (const KnownRange& known : ranges) {
          ASSERT_NO_FATAL_FAILURE(check(frame, known, column_width));
        }
      }
    }
  }
}

TEST_F(GpuJoinColumns, EverySize) {
  for (const auto& [width, height] : kSizes) {
    for (const SampleType type : kTypes) {
      TestFrame frame(width, height, type);
      test::fill(frame.view(), Content::kSmallStep, &random_);
      ASSERT_NO_FATAL_FAILURE(check(frame, {1, 2}, 1 + below(kMaxColumnWidth)));
    }
  }
}

TEST_F(GpuJoinColumns, SeveralFramesTogether) {
  for (const std::size_t count : kTogether) {
    for (const auto& [width, height] : kSizesTogether) {
      for (const SampleType type : kTypes) {
        const int column_width = 1 + below(kMaxColumnWidth);
        const KnownRange known{2, max_sample(type)};
        ASSERT_NO_FATAL_FAILURE(check_together(
            several(count, width, height, type), (width + column_width - 1) / column_width, type,
            [&](const auto& in, const auto& out) {
              joiner_.run(in, known, column_width, out, stream());
            },
            [&](const DepthView& frame) {
              return reference::join_columns(frame, known, column_width);
            }));
      }
    }
  }
}

// Each of the 2^16 ways in which 16 columns can be known or not, with samples in any order.
TEST_F(GpuJoinColumns, EveryPatternOfKnownSamples) {
  TestFrame frame(16 * 256, 256, SampleType::kU16);
  for (int pattern = 0; pattern < 65536; ++pattern) {
    std::array<std::uint16_t, 16> values;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i + 1);
    std::shuffle(values.begin(), values.end(), random_);
    for (int i = 0; i < 16; ++i) {
      const bool known = (pattern >> i & 1) != 0;
      frame.view().set(pattern / 256, pattern % 256 * 16 + i,
                       known ? values[static_cast<std::size_t>(i)] : std::uint16_t{0});
    }
  }
  for (const int column_width : {4, 8, 15, 16}) {
    ASSERT_NO_FATAL_FAILURE(check(frame, {1, 65535}, column_width));
  }
}

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
