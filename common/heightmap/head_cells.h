// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_HEAD_CELLS_H_
#define RDP_COMMON_HEIGHTMAP_HEAD_CELLS_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/plane.h"
#include "common/heightmap/rules.h"
#include "common/host_device.h"

// Ground cells of head votes as numbers, row by row, which is the order of heads. Shared by the
// engine and the kernels.
namespace rdp::heightmap {

// Largest distance at which scores are compared, in rows or columns of cells.
inline constexpr int kHeadLook = 5;
static_assert(kHeadLook * kHeadLook <= kHeadApart &&
              (kHeadLook + 1) * (kHeadLook + 1) > kHeadApart);

// Number of the first row and column: before all cells with votes, by more than any reach.
inline constexpr int kFirstHeadCell = -(kFarthest / kHeadCell) - 4 * kHeadLook;
inline constexpr int kHeadCells = -2 * kFirstHeadCell;
static_assert(kHeadCells < 1 << 16);

RDP_HOST_DEVICE constexpr std::uint32_t head_cell(int row, int column) {
  return static_cast<std::uint32_t>(row) << 16 | static_cast<std::uint32_t>(column);
}
RDP_HOST_DEVICE constexpr int head_cell_row(std::uint32_t cell) {
  return static_cast<int>(cell >> 16);
}
RDP_HOST_DEVICE constexpr int head_cell_column(std::uint32_t cell) {
  return static_cast<int>(cell & 0xFFFF);
}
// The cell of a place from ground_of(). Never 0.
RDP_HOST_DEVICE inline std::uint32_t head_cell_at(int x, int y) {
  return head_cell(static_cast<int>(floor_div(y, kHeadCell)) - kFirstHeadCell,
                   static_cast<int>(floor_div(x, kHeadCell)) - kFirstHeadCell);
}

// Largest column distance within the squared distance `squared`, `rows` rows away; -1: none.
RDP_HOST_DEVICE constexpr int head_reach(int rows, int squared) {
  int reach = -1;
  while ((reach + 1) * (reach + 1) + rows * rows <= squared) ++reach;
  return reach;
}

// Maximum number of heads: they are too far apart to share a vote.
inline std::size_t most_heads(std::size_t pixels, int least) {
  static_assert(4 * kHeadReach < kHeadApart);
  return pixels / static_cast<std::size_t>(least) + 1;
}

// Rank, from the highest vote on, of the vote that gives a head its height.
RDP_HOST_DEVICE inline std::int64_t head_rank(std::int64_t votes) {
  const std::int64_t rank = votes / kHeadHeightPart;
  return rank < 1 ? 1 : rank;
}
// The mean of coordinates that have this sum, rounded to nearest.
RDP_HOST_DEVICE inline int mean_place(std::int64_t sum, std::int64_t count) {
  return static_cast<int>(floor_div(2 * sum + count, 2 * count));
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_HEAD_CELLS_H_
