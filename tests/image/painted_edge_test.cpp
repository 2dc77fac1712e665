// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/painted_edge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace rdp {
namespace {

TEST(PaintedEdge, RunsFromEndToEnd) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto side = [&] { return static_cast<int>(random() % 16384); };
    const PaintedEdge edge{side(), side(), side(), side()};
    const int steps = edge_steps(edge);
    int x = edge.x0;
    int y = edge.y0;
    ASSERT_EQ(along_edge(edge.x0, edge.x1, 0, steps), edge.x0);
    ASSERT_EQ(along_edge(edge.y0, edge.y1, steps, steps), edge.y1);
    for (int k = 0; k <= steps; k += 1 + steps / 50) {
      const double exact = edge.x0 + static_cast<double>(edge.x1 - edge.x0) * k / steps;
      ASSERT_LE(std::abs(along_edge(edge.x0, edge.x1, k, steps) - exact), 0.5);
    }
    // Without gaps.
    for (int k = 1; k <= std::min(steps, 100); ++k) {
      const int next_x = along_edge(edge.x0, edge.x1, k, steps);
      const int next_y = along_edge(edge.y0, edge.y1, k, steps);
      ASSERT_LE(std::abs(next_x - x), 1);
      ASSERT_LE(std::abs(next_y - y), 1);
      x = next_x;
      y = next_y;
    }
  }
  EXPECT_EQ(along_edge(5, 5, 0, 0), 5);
}

}  // namespace
}  // namespace rdp
