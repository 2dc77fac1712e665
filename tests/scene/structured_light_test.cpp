// SPDX-License-Identifier: LGPL-2.1-or-later
// Errors of a simulated structured light camera: noise, edges, shadows.
#include "common/scene/structured_light.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace rdp {
namespace {

constexpr std::uint32_t kPixel = 1U << 24;

// Disparities in px of `height` copies of a row.
std::vector<std::vector<double>> sensed(const std::vector<std::uint32_t>& row, int height,
                                        const StructuredLight::Options& options) {
  StructuredLight light;
  light.begin(options, static_cast<int>(row.size()));
  std::vector<std::vector<double>> rows;
  std::vector<std::uint32_t> out(row.size());
  for (int r = 0; r < height; ++r) {
    light.sense(row.data(), row.data(), row.data(), out.data());
    rows.emplace_back();
    for (const std::uint32_t d : out) rows.back().push_back(d * 0x1p-24);
  }
  return rows;
}

struct Statistics {
  double mean = 0.0, deviation = 0.0, aside = 0.0, below = 0.0;  // correlations at `lag`

  Statistics(const std::vector<std::vector<double>>& rows, std::size_t lag) {
    double count = 0.0, square = 0.0, x = 0.0, y = 0.0;
    for (const auto& row : rows) {
      for (const double d : row) {
        mean += d;
        ++count;
      }
    }
    mean /= count;
    count = 0.0;
    for (std::size_t r = 0; r + lag < rows.size(); ++r) {
      for (std::size_t c = 0; c + lag < rows[r].size(); ++c) {
        const double d = rows[r][c] - mean;
        square += d * d;
        x += d * (rows[r][c + lag] - mean);
        y += d * (rows[r + lag][c] - mean);
        ++count;
      }
    }
    deviation = std::sqrt(square / count);
    aside = x / square;
    below = y / square;
  }
};

// White noise after a Gaussian filter of width s: pixels d apart correlate by exp(-d^2 / 4 s^2).
TEST(StructuredLight, NoiseIsSmooth) {
  const auto rows = sensed(std::vector<std::uint32_t>(640, 20 * kPixel), 480,
                           {.frame_key = 3, .camera_key = 4, .noise = 0.5});
  const Statistics next(rows, 1);
  EXPECT_NEAR(next.mean, 20.0, 0.01);
  EXPECT_NEAR(next.deviation, 0.5, 0.01);
  EXPECT_NEAR(next.aside, std::exp(-0.25), 0.01);
  EXPECT_NEAR(next.below, std::exp(-0.25), 0.01);
  const Statistics apart(rows, 6);
  EXPECT_NEAR(apart.aside, 0.0, 0.01);
  for (const auto& row : rows) {
    for (const double d : row) ASSERT_EQ(d * 16.0, std::floor(d * 16.0));
  }
}

TEST(StructuredLight, TheSlowErrorIsSlowAndStays) {
  const std::vector<std::uint32_t> row(4000, 20 * kPixel);
  const auto rows = sensed(row, 1000, {.frame_key = 3, .camera_key = 4, .bend = 0.5});
  const Statistics apart(rows, 50);
  EXPECT_NEAR(apart.mean, 20.0, 0.1);
  EXPECT_NEAR(apart.deviation, 0.5, 0.05);
  EXPECT_NEAR(apart.aside, std::exp(-0.25), 0.05);
  EXPECT_NEAR(apart.below, std::exp(-0.25), 0.05);
  EXPECT_EQ(rows, sensed(row, 1000, {.frame_key = 9, .camera_key = 4, .bend = 0.5}));
  EXPECT_NE(rows[0], sensed(row, 1, {.frame_key = 3, .camera_key = 5, .bend = 0.5})[0]);
}

// An edge moves if its error exceeds half a pixel: one tail beyond 5/3 sigma.
TEST(StructuredLight, EdgesAreRagged) {
  std::vector<std::uint32_t> row(400);
  for (std::size_t c = 0; c < row.size(); ++c) row[c] = (c / 20 % 2 == 0 ? 20 : 40) * kPixel;
  const auto rows = sensed(row, 4000, {.noise = 1e-6});
  int edges = 0, moved = 0, inside = 0;
  for (const auto& sensed_row : rows) {
    for (std::size_t c = 20; c < 380; ++c) {
      const bool other = sensed_row[c] != row[c] * 0x1p-24;
      if (c % 20 == 0 || c % 20 == 19) {
        ++edges;
        moved += other;
      } else {
        inside += other;
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(moved) / edges, 0.0478, 0.006);
  EXPECT_EQ(inside, 0);
}

// The projector is on the left: near surfaces cast shadows to the right, as wide as the difference
// of disparities.
TEST(StructuredLight, ShadowsAreToTheRight) {
  std::vector<std::uint32_t> row(40, 10 * kPixel);
  for (std::size_t c = 10; c < 20; ++c) row[c] = 15 * kPixel;
  StructuredLight::shade(row);
  for (std::size_t c = 0; c < row.size(); ++c) {
    const bool near = c >= 10 && c < 20;
    // Wall columns 20 to 23 coincide with near columns 15 to 18.
    EXPECT_EQ(row[c], near ? 15 * kPixel : c >= 20 && c < 24 ? 0 : 10 * kPixel) << c;
  }
}

TEST(StructuredLight, StaysWithinWhatDisparitiesCanSay) {
  for (const std::uint32_t d : {1U, kPixel, 0xFFFFFFFFU}) {
    for (const auto& row : sensed(std::vector<std::uint32_t>(50, d), 50, {.noise = 64.0})) {
      for (const double sensed_disparity : row) {
        ASSERT_GE(sensed_disparity, 1.0 / 16.0);
        ASSERT_LT(sensed_disparity, 256.0);
      }
    }
  }
  for (const auto& row : sensed(std::vector<std::uint32_t>(50, 0), 5, {.noise = 64.0})) {
    for (const double unknown : row) ASSERT_EQ(unknown, 0.0);
  }
}

}  // namespace
}  // namespace rdp
