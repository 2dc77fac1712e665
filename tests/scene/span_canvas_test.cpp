// SPDX-License-Identifier: LGPL-2.1-or-later
// SpanCanvas against painting the same spans pixel by pixel.
#include "common/scene/span_canvas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace rdp {
namespace {

constexpr std::uint32_t kPx = 1U << 24;
using Picture = std::vector<std::vector<std::uint32_t>>;

Picture read(SpanCanvas* canvas) {
  Picture rows;
  for (int row = 0; row < canvas->height(); ++row) {
    const auto values = canvas->next_row();
    rows.emplace_back(values.begin(), values.end());
  }
  return rows;
}

TEST(DisparityLine, GoesThroughItsPoint) {
  const DisparityLine line = disparity_line(40.0, 100.0, 0.25);
  EXPECT_EQ(line.at(100), 40 * kPx);
  EXPECT_EQ(line.at(104), 41 * kPx);
  EXPECT_EQ(line.at(0), 15 * kPx);
  EXPECT_EQ(constant_disparity(3.5).at(16383), 3 * kPx + kPx / 2);
}

TEST(DisparityLine, MayBeNegativeWhereItIsNotDrawn) {
  const DisparityLine line = disparity_line(10.0, 200.0, 0.5);
  EXPECT_EQ(line.at(181), kPx / 2);
  EXPECT_EQ(line.at(182), kPx);
}

TEST(SpanCanvas, IsUnknownAtFirst) {
  SpanCanvas canvas;
  canvas.begin(3, 2);
  EXPECT_EQ(read(&canvas), Picture(2, std::vector<std::uint32_t>(3, 0)));
}

TEST(SpanCanvas, KeepsWhatIsInFront) {
  SpanCanvas canvas;
  canvas.begin(1, 6);
  canvas.cover(0, 2, 4, constant_disparity(9));
  canvas.cover(0, 1, 5, constant_disparity(5));
  canvas.cover(0, -100, 100, constant_disparity(2), SpanCanvas::Layer::kBackground);
  const Picture picture = read(&canvas);
  const std::vector<std::uint32_t> expected = {2, 5, 9, 9, 5, 2};
  for (std::size_t row = 0; row < expected.size(); ++row) {
    EXPECT_EQ(picture[row][0], expected[row] * kPx) << row;
  }
}

TEST(SpanCanvas, EmptyAndOutsideSpansDrawNothing) {
  SpanCanvas canvas;
  canvas.begin(1, 4);
  canvas.cover(0, 2, 2, constant_disparity(9));
  canvas.cover(0, 3, 1, constant_disparity(9));
  canvas.cover(0, -5, 0, constant_disparity(9));
  canvas.cover(0, 4, 9, constant_disparity(9));
  EXPECT_EQ(read(&canvas), Picture(4, std::vector<std::uint32_t>(1, 0)));
}

TEST(SpanCanvas, RandomSpansEqualPixelByPixel) {
  std::mt19937 random(7);
  SpanCanvas canvas;  // reused for each picture
  for (int round = 0; round < 400; ++round) {
    const int width = 1 + static_cast<int>(random() % 9);
    const int height = 1 + static_cast<int>(random() % 40);
    canvas.begin(width, height);
    Picture expected(static_cast<std::size_t>(height),
                     std::vector<std::uint32_t>(static_cast<std::size_t>(width), 0));
    for (int c = 0; c < width; ++c) {
      std::vector<bool> covered(static_cast<std::size_t>(height), false);
      // Five splits make six pieces, the most that a column can have.
      for (int span = 0; span < 5; ++span) {
        const int top = static_cast<int>(random() % 50) - 5;
        const int bottom = top + static_cast<int>(random() % 20);
        const DisparityLine line = disparity_line(static_cast<double>(random() % 200), top,
                                                  static_cast<double>(random() % 8) / 4);
        canvas.cover(c, top, bottom, line);
        for (int row = std::max(top, 0); row < std::min(bottom, height); ++row) {
          const auto r = static_cast<std::size_t>(row);
          if (covered[r]) continue;
          covered[r] = true;
          expected[r][static_cast<std::size_t>(c)] = line.at(row);
        }
      }
      canvas.cover(c, 0, height, constant_disparity(1), SpanCanvas::Layer::kBackground);
      for (std::size_t r = 0; r < covered.size(); ++r) {
        if (!covered[r]) expected[r][static_cast<std::size_t>(c)] = kPx;
      }
    }
    ASSERT_EQ(read(&canvas), expected) << "round " << round;
  }
}

TEST(SpanCanvas, LeavesOutWhatIsTooMuchButNotTheBackground) {
  constexpr int kHeight = 400;
  SpanCanvas canvas;
  canvas.begin(2, kHeight);
  // Column 0: more pieces than a column can have. Column 1: more spans than it accepts.
  for (int row = 1; row < kHeight; row += 4) canvas.cover(0, row, row + 1, constant_disparity(7));
  for (int row = 0; row < kHeight; ++row) canvas.cover(1, row, row + 1, constant_disparity(7));
  for (int c = 0; c < 2; ++c) {
    canvas.cover(c, 0, kHeight, constant_disparity(1), SpanCanvas::Layer::kBackground);
  }
  const Picture picture = read(&canvas);
  int in_front[2] = {0, 0};
  for (int row = 0; row < kHeight; ++row) {
    for (int c = 0; c < 2; ++c) {
      const std::uint32_t value =
          picture[static_cast<std::size_t>(row)][static_cast<std::size_t>(c)];
      ASSERT_TRUE(value == kPx || value == 7 * kPx) << "row " << row << " column " << c;
      in_front[c] += value == 7 * kPx;
    }
  }
  EXPECT_EQ(in_front[0], SpanCanvas::kMaxGaps - 1);
  EXPECT_EQ(in_front[1], SpanCanvas::kMaxSpans);
}

}  // namespace
}  // namespace rdp
