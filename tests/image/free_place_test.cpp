// SPDX-License-Identifier: LGPL-2.1-or-later
// Free places against their definition, by exhaustive search.
#include "common/image/free_place.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace rdp {
namespace {

bool is_free(const std::vector<Box>& taken, int left, int top, int columns, int rows) {
  for (const Box& other : taken) {
    const bool beside = left >= other.right || other.left >= left + columns;
    const bool above = top >= other.bottom || other.top >= top + rows;
    if (!beside && !above) return false;
  }
  return true;
}

bool move_slowly(int width, int height, const std::vector<Box>& taken, Box* box) {
  const int columns = box->right - box->left;
  const int rows = box->bottom - box->top;
  int least = -1;
  Box best{};
  for (int top = 0; top + rows <= height; ++top) {
    for (int left = 0; left + columns <= width; ++left) {
      const int aside = left - box->left;
      const int down = top - box->top;
      const int square = aside * aside + down * down;
      if (least >= 0 && square >= least) continue;
      if (!is_free(taken, left, top, columns, rows)) continue;
      least = square;
      best = {left, top, left + columns, top + rows};
    }
  }
  if (least >= 0) *box = best;
  return least >= 0;
}

// Pictures that fill up until no place is left.
TEST(FreePlace, IsTheNearestOne) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int moved = 0;
  int none = 0;
  for (int i = 0; i < 100; ++i) {
    const int width = 20 + below(100);
    const int height = 20 + below(60);
    std::vector<Box> taken;
    for (int k = 0; k < 40; ++k) {
      const int columns = 1 + below(20);
      const int rows = 1 + below(20);
      const int left = below(i % 2 == 0 ? width - columns + 1 : 1);
      const int top = below(height - rows + 1);
      Box box{left, top, left + columns, top + rows};
      Box expected = box;
      const bool found = move_slowly(width, height, taken, &expected);
      ASSERT_EQ(move_to_free_place(width, height, taken, &box), found) << i << ", " << k;
      ASSERT_EQ(box.left, expected.left) << i << ", " << k;
      ASSERT_EQ(box.top, expected.top) << i << ", " << k;
      ASSERT_EQ(box.right - box.left, columns);
      ASSERT_EQ(box.bottom - box.top, rows);
      none += found ? 0 : 1;
      moved += box.left != left ? 1 : 0;
      // With a margin, which may reach beyond the picture.
      const int gap = below(3);
      if (found)
        taken.push_back({box.left - gap, box.top - gap, box.right + gap, box.bottom + gap});
    }
  }
  EXPECT_GT(moved, 100);
  EXPECT_GT(none, 100);
}

TEST(FreePlace, TiesGoUpThenLeft) {
  const Box block[] = {{10, 10, 14, 14}};
  Box box{10, 10, 14, 14};
  ASSERT_TRUE(move_to_free_place(24, 24, block, &box));
  EXPECT_EQ(box.left, 10);
  EXPECT_EQ(box.top, 6);
  const Box bar[] = {{10, 0, 14, 24}};
  box = {10, 10, 14, 14};
  ASSERT_TRUE(move_to_free_place(24, 24, bar, &box));
  EXPECT_EQ(box.left, 6);
  EXPECT_EQ(box.top, 10);
}

}  // namespace
}  // namespace rdp
