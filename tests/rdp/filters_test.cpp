// SPDX-License-Identifier: LGPL-2.1-or-later
// The SIMD filters against other definitions: counted ones, OpenCV, integers. tests/bits compares
// them with the scalar reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "common/image/inverse_depth.h"
#include "common/image/median.h"
#include "tests/support/de_bruijn.h"
#include "tests/support/test_frame.h"

#ifdef RDP_TEST_HAVE_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace rdp {
namespace {

using test::DeBruijn;
using test::TestFrame;

// The 0-1 principle: a network of minima and maxima finds every median if it finds the medians of
// all windows of zeros and ones. Images whose columns run through a de Bruijn sequence contain all
// 2^(side * side) windows. Rows are processed in pairs: `row_in_pair` selects one of the two.
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
          TestFrame out(width, height, type);
          // In two bands, as two threads would.
          median_rows(in.view(), side, height / 2, height, out.view(), &scratch);
          median_rows(in.view(), side, 0, height / 2, out.view(), &scratch);
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

// Inverse depth: integer scales equal the integer formula floor(scale / z + 1/2).
TEST(InverseDepth, WholeScalesInIntegers) {
  TestFrame in(256, 256, SampleType::kU16);
  for (int z = 0; z < 65536; ++z) in.view().set(z / 256, z % 256, static_cast<std::uint16_t>(z));
  TestFrame out(256, 256, SampleType::kU16);
  InverseDepthTable table;
  Parameters parameters;
  for (const std::int64_t scale :
       {std::int64_t{1}, std::int64_t{3}, std::int64_t{5}, std::int64_t{65535}, std::int64_t{65536},
        std::int64_t{1000000}, std::int64_t{3000000000}, std::int64_t{1000000000000}}) {
    parameters.inverse_scale = static_cast<double>(scale);
    table.update(inverse_depth_of(parameters), SampleType::kU16);
    inverse_depth_rows(in.view(), table, 0, 256, out.view());
    for (int z = 1; z < 65536; ++z) {
      const std::int64_t rounded = (2 * scale + z) / (2 * z);
      ASSERT_EQ(out.view().at(z / 256, z % 256), std::clamp<std::int64_t>(rounded, 1, 65535))
          << "scale " << scale << ", z " << z;
    }
  }
}

}  // namespace
}  // namespace rdp
