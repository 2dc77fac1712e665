// SPDX-License-Identifier: LGPL-2.1-or-later
// The SIMD filters against the scalar reference, bit for bit, on every SIMD target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/image/inverse_depth.h"
#include "common/image/join_columns.h"
#include "common/image/median.h"
#include "common/rdp/line.h"
#include "common/rdp/reference.h"
#include "tests/support/de_bruijn.h"
#include "tests/support/test_frame.h"

#ifdef RDP_TEST_HAVE_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace rdp {
namespace {

using test::DeBruijn;
using test::Layout;
using test::TestFrame;

// The median of `in`, computed in two bands as two threads would.
TestFrame median_in_bands(const TestFrame& in, int side, int boundary, Layout out_layout,
                          MedianScratch* scratch) {
  const DepthView view = in.view();
  TestFrame out(view.width, view.height, view.type, out_layout);
  median_rows(view, side, boundary, view.height, out.view(), scratch);
  median_rows(view, side, 0, boundary, out.view(), scratch);
  return out;
}

void check_median(int width, int height, SampleType type, test::Content content, Layout layout,
                  std::mt19937* random, MedianScratch* scratch) {
  TestFrame in(width, height, type, layout);
  test::fill(in.view(), content, random);
  const TestFrame before(in);
  const Layout out_layout{static_cast<int>((*random)() % 5), static_cast<int>((*random)() % 2)};
  const int boundary = static_cast<int>((*random)() % (height + 1));
  for (const int side : {3, 5}) {
    const TestFrame expected(reference::median(in.view(), side).view(), {});
    test::on_every_simd_target([&] {
      const TestFrame out = median_in_bands(in, side, boundary, out_layout, scratch);
      TestFrame wanted(width, height, type, out_layout);
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
          wanted.view().set(row, column, expected.view().at(row, column));
        }
      }
      ASSERT_EQ(test::first_difference(wanted.view(), out.view()), "")
          << width << " x " << height << ", side " << side;
      ASSERT_TRUE(wanted == out) << "bytes between the rows were written";
    });
    ASSERT_TRUE(in == before);
  }
}

TEST(Median, EverySmallSize) {
  std::mt19937 random(1);
  MedianScratch scratch;
  for (int height = 1; height <= 40; ++height) {
    for (int width = 1; width <= 40; ++width) {
      const SampleType type = random() % 2 == 0 ? SampleType::kU8 : SampleType::kU16;
      const Layout layout{static_cast<int>(random() % 9), static_cast<int>(random() % 3)};
      ASSERT_NO_FATAL_FAILURE(check_median(width, height, type, test::kContents[random() % 4],
                                           layout, &random, &scratch));
    }
  }
}

TEST(Median, EveryContentAndTypeAroundTheVectorSizes) {
  std::mt19937 random(2);
  MedianScratch scratch;
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const test::Content content : test::kContents) {
      for (const int width : {31, 32, 33, 63, 64, 65, 66, 97, 127, 128, 129, 641}) {
        ASSERT_NO_FATAL_FAILURE(check_median(width, 7, type, content, {3, 1}, &random, &scratch));
      }
    }
  }
}

TEST(Median, WidestFrame) {
  std::mt19937 random(3);
  MedianScratch scratch;
  check_median(kMaxSide, 3, SampleType::kU16, test::Content::kNoise, {}, &random, &scratch);
  check_median(kMaxSide, 2, SampleType::kU8, test::Content::kScene, {}, &random, &scratch);
}

// The 0-1 principle: what is made of minima and maxima alone finds the median of every window if it
// does so for windows of zeros and ones. All 2^(side * side) of those are in images whose columns
// run through a de Bruijn sequence. Rows are worked on in pairs: `row_in_pair` says of which.
void check_all_zero_one_windows(int side, int row_in_pair, SampleType type) {
  const std::vector<std::uint8_t> columns = DeBruijn(1 << side, side).sequence();
  const int reach = side / 2;
  const int first_row = reach;  // its window and the one of the row after lie within the image
  const int chunk = 16000;
  const TestFrame blank(chunk, side + 1, type);
  TestFrame in(blank);
  TestFrame out(blank);
  MedianScratch scratch;
  std::size_t windows = 0;
  for (std::size_t start = 0; start + side <= columns.size(); start += chunk - side + 1) {
    const auto width = static_cast<int>(std::min<std::size_t>(chunk, columns.size() - start));
    for (int x = 0; x < width; ++x) {
      for (int i = 0; i < side; ++i) {
        in.view().set(row_in_pair + i, x, columns[start + x] >> i & 1);
      }
    }
    median_rows(in.view(), side, first_row, first_row + 2, out.view(), &scratch);
    int ones = 0;
    const auto ones_of = [&](int x) { return __builtin_popcount(columns[start + x]); };
    for (int x = 0; x < side - 1; ++x) ones += ones_of(x);
    for (int x = reach; x + reach < width; ++x, ++windows) {
      ones += ones_of(x + reach);
      ASSERT_EQ(out.view().at(first_row + row_in_pair, x), ones > side * side / 2 ? 1 : 0);
      ones -= ones_of(x - reach);
    }
  }
  ASSERT_EQ(windows, (std::size_t{1} << side * side) + 1);  // the sequence and one word once more
}

TEST(MedianNetwork, AllZeroOneWindowsOf3x3) {
  test::on_every_simd_target([] {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      check_all_zero_one_windows(3, 0, type);
      check_all_zero_one_windows(3, 1, type);
    }
  });
}

TEST(MedianNetwork, AllZeroOneWindowsOf5x5) {
  // Once: the network is the same on every target.
  check_all_zero_one_windows(5, 0, SampleType::kU8);
  check_all_zero_one_windows(5, 1, SampleType::kU8);
}

TEST(Median, EqualsOpenCv) {
#ifdef RDP_TEST_HAVE_OPENCV
  std::mt19937 random(4);
  const std::pair<int, int> sizes[] = {{1, 1},     {1, 9},      {9, 1},      {2, 2},    {3, 5},
                                       {16, 16},   {17, 31},    {40, 40},    {127, 65}, {450, 375},
                                       {641, 480}, {1242, 375}, {1019, 1021}};
  MedianScratch scratch;
  for (const auto& [width, height] : sizes) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      for (const test::Content content : test::kContents) {
        TestFrame in(width, height, type);
        test::fill(in.view(), content, &random);
        const cv::Mat image(height, width, type == SampleType::kU8 ? CV_8UC1 : CV_16UC1,
                            in.view().data, static_cast<std::size_t>(in.view().stride));
        for (const int side : {3, 5}) {
          cv::Mat expected;
          cv::medianBlur(image, expected, side);
          const DepthView expected_view{reinterpret_cast<const std::byte*>(expected.data),
                                        static_cast<std::ptrdiff_t>(expected.step), width, height,
                                        type};
          const TestFrame out = median_in_bands(in, side, height / 2, {}, &scratch);
          ASSERT_EQ(test::first_difference(expected_view, out.view()), "")
              << width << " x " << height << ", side " << side;
        }
      }
    }
  }
#else
  GTEST_SKIP() << "built without OpenCV (core and imgproc): not compared with cv::medianBlur";
#endif
}

// Inverse depth.

TEST(InverseDepth, EveryValueOfManyScales) {
  TestFrame in(256, 256, SampleType::kU16);
  for (int z = 0; z < 65536; ++z) in.view().set(z / 256, z % 256, static_cast<std::uint16_t>(z));
  TestFrame out(256, 256, SampleType::kU16, {2, 1});
  InverseDepthTable table;
  Parameters parameters;
  for (const double scale : {1e-9, 0.5, 1.0, 3.0, 5.0, 32767.5, 65535.0, 65535.5, 65536.0, 1e6,
                             123456.789, 3.0e9, 1e12}) {
    for (const KnownRange& known :
         {KnownRange{1, 65535}, KnownRange{0, 65535}, KnownRange{500, 8000}, KnownRange{7, 3},
          KnownRange{0, 70000}}) {
      parameters.inverse_scale = scale;
      parameters.min_value = known.first;
      parameters.max_value = known.last;
      table.update(inverse_depth_of(parameters), SampleType::kU16);
      inverse_depth_rows(in.view(), table, 100, 256, out.view());
      inverse_depth_rows(in.view(), table, 0, 100, out.view());
      for (int z = 0; z < 65536; ++z) {
        const int u = out.view().at(z / 256, z % 256);
        ASSERT_EQ(u, inverse_of_depth(static_cast<std::uint16_t>(z), inverse_depth_of(parameters)))
            << "scale " << scale << ", z " << z;
        // For whole scales the same in integers: floor(scale / z + 1/2).
        const auto whole = static_cast<std::int64_t>(scale);
        if (z > 0 && known.contains(z) && static_cast<double>(whole) == scale) {
          const std::int64_t rounded = (2 * whole + z) / (2 * z);
          ASSERT_EQ(u, std::clamp<std::int64_t>(rounded, 1, 65535))
              << "scale " << scale << ", z " << z;
        }
      }
    }
  }
}

TEST(InverseDepth, EightBitInputWithPaddedRows) {
  std::mt19937 random(5);
  Parameters parameters;
  parameters.inverse_scale = 1e4;
  InverseDepthTable table;
  table.update(inverse_depth_of(parameters), SampleType::kU16);
  table.update(inverse_depth_of(parameters), SampleType::kU8);
  TestFrame in(61, 17, SampleType::kU8, {5, 1});
  test::fill(in.view(), test::Content::kNoise, &random);
  TestFrame out(61, 17, SampleType::kU16, {3, 1});
  inverse_depth_rows(in.view(), table, 0, 17, out.view());
  const reference::Frame expected =
      reference::inverse_depth(in.view(), inverse_depth_of(parameters));
  EXPECT_EQ(test::first_difference(expected.view(), out.view()), "");
  EXPECT_TRUE(out == TestFrame(expected.view(), {3, 1}));
}

TEST(InverseDepth, TableFollowsEachParameter) {
  Parameters parameters;
  InverseDepthTable table;
  const auto check = [&](SampleType type) {
    table.update(inverse_depth_of(parameters), type);
    for (std::uint32_t z = 0; z <= max_sample(type); ++z) {
      ASSERT_EQ(table.data()[z],
                inverse_of_depth(static_cast<std::uint16_t>(z), inverse_depth_of(parameters)));
    }
  };
  check(SampleType::kU8);
  check(SampleType::kU16);
  parameters.inverse_scale = 2e6;
  check(SampleType::kU16);
  parameters.min_value = 700;
  check(SampleType::kU16);
  parameters.max_value = 900;
  check(SampleType::kU16);
  const std::uint16_t* before = table.data();
  check(SampleType::kU16);
  EXPECT_EQ(table.data(), before);
}

// Joined columns.

// `count` contiguous columns as join_columns() wants them, and the result.
class Columns {
 public:
  Columns(int count, int rows) : rows_(rows), memory_(count + 1) {
    padded_ = (rows + 31) / 32 * 32;
    for (GrowBuffer<std::uint16_t>& column : memory_) {
      pointers_.push_back(column.ensure(static_cast<std::size_t>(padded_)));
      std::fill_n(pointers_.back(), padded_, std::uint16_t{0xA5A5});
    }
  }
  std::uint16_t* column(int c) { return pointers_[c]; }

  // Compares join_columns() on every target with the reference.
  void check(const KnownRange& known) {
    const int count = static_cast<int>(pointers_.size()) - 1;
    reference::Frame frame{count, rows_, {}};
    for (int row = 0; row < rows_; ++row) {
      for (int c = 0; c < count; ++c) frame.samples.push_back(pointers_[c][row]);
    }
    const reference::Frame expected = reference::join_columns(frame.view(), known, count);
    test::on_every_simd_target([&] {
      std::fill_n(pointers_[count], padded_, std::uint16_t{0xA5A5});
      join_columns(pointers_.data(), count, rows_, known, pointers_[count]);
      for (int row = 0; row < rows_; ++row) {
        ASSERT_EQ(pointers_[count][row], expected.samples[row])
            << count << " columns, row " << row << " of " << rows_ << ", known " << known.first
            << " to " << known.last;
      }
    });
  }

 private:
  int rows_;
  int padded_;
  std::vector<GrowBuffer<std::uint16_t>> memory_;
  std::vector<std::uint16_t*> pointers_;
};

constexpr KnownRange kRanges[] = {{0, 65535}, {1, 65535},     {0, 100},       {0, 65534}, {2, 2},
                                  {9, 3},     {65535, 65535}, {70000, 80000}, {1, 70000}};

TEST(JoinColumns, RandomSamplesOfEveryCount) {
  std::mt19937 random(6);
  for (int count = 1; count <= kMaxColumnWidth; ++count) {
    for (const KnownRange& known : kRanges) {
      const int rows = 1 + static_cast<int>(random() % 300);
      TestFrame frame(count, rows, SampleType::kU16);
      test::fill(frame.view(), test::kContents[random() % 4], &random);
      Columns columns(count, rows);
      for (int c = 0; c < count; ++c) {
        for (int row = 0; row < rows; ++row) columns.column(c)[row] = frame.view().at(row, c);
      }
      ASSERT_NO_FATAL_FAILURE(columns.check(known));
    }
  }
}

// The 0-1 principle once more: every pattern of two values sorts every input; and every pattern of
// known and unknown samples.
TEST(JoinColumns, EveryPatternOfEveryCount) {
  std::mt19937 random(7);
  for (int count = 1; count <= kMaxColumnWidth; ++count) {
    const int rows = 1 << count;
    Columns two_values(count, rows);
    Columns known_or_not(count, rows);
    for (int c = 0; c < count; ++c) {
      for (int row = 0; row < rows; ++row) {
        const bool bit = (row >> c & 1) != 0;
        two_values.column(c)[row] = bit ? 2 : 1;
        known_or_not.column(c)[row] = bit ? static_cast<std::uint16_t>(1 + random() % 65535) : 0;
      }
    }
    ASSERT_NO_FATAL_FAILURE(two_values.check({1, 2}));
    ASSERT_NO_FATAL_FAILURE(known_or_not.check({1, 65535}));
  }
}

TEST(JoinColumns, OutputMayBeAColumn) {
  const int rows = 77;
  Columns columns(3, rows);
  reference::Frame frame{3, rows, {}};
  for (int row = 0; row < rows; ++row) {
    for (int c = 0; c < 3; ++c) {
      columns.column(c)[row] = static_cast<std::uint16_t>((row * 7 + c * 13) % 29);
      frame.samples.push_back(columns.column(c)[row]);
    }
  }
  const KnownRange known{1, 65535};
  const reference::Frame expected = reference::join_columns(frame.view(), known, 3);
  const std::uint16_t* const pointers[] = {columns.column(0), columns.column(1), columns.column(2)};
  join_columns(pointers, 3, rows, known, columns.column(1));
  for (int row = 0; row < rows; ++row) {
    ASSERT_EQ(columns.column(1)[row], expected.samples[row]) << "row " << row;
  }
}

}  // namespace
}  // namespace rdp
