// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/free_place.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace rdp {

// The nearest place touches a taken box, never just the picture's edge, because `box` starts
// inside. So its row is the old one or adjoins a taken box. In each of these rows the box moves
// left and right until it is free.
bool move_to_free_place(int width, int height, std::span<const Box> taken, Box* box) {
  const int columns = box->right - box->left;
  const int rows = box->bottom - box->top;
  using Order = std::tuple<int, int, int>;  // square of the distance, row, column
  Order best{std::numeric_limits<int>::max(), 0, 0};
  const auto try_row = [&](int top) {
    const int down = (top - box->top) * (top - box->top);
    if (top < 0 || top + rows > height || down > std::get<0>(best)) return;
    for (const bool to_left : {true, false}) {
      Box tried{box->left, top, box->right, top + rows};
      for (bool moved = true; moved;) {
        moved = false;
        for (const Box& other : taken) {
          if (!overlap(tried, other)) continue;
          tried.left = to_left ? other.left - columns : other.right;
          tried.right = tried.left + columns;
          moved = true;
        }
      }
      if (tried.left < 0 || tried.right > width) continue;
      const int aside = (tried.left - box->left) * (tried.left - box->left);
      best = std::min(best, Order{down + aside, top, tried.left});
    }
  };
  try_row(box->top);
  for (const Box& beside : taken) {
    try_row(beside.top - rows);
    try_row(beside.bottom);
  }
  const auto [square, top, left] = best;
  if (square == std::numeric_limits<int>::max()) return false;
  *box = {left, top, left + columns, top + rows};
  return true;
}

}  // namespace rdp
