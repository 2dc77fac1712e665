// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_ROWS_H_
#define RDP_COMMON_OBSTACLES_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/obstacles/ground_rules.h"
#include "common/obstacles/objects.h"
#include "common/obstacles/rules.h"

namespace rdp::obstacles {

// Numbers behind the last one of a row that are read and written, too.
constexpr int kRowPadding = 16;

// A row of depths, 0 where unknown and behind the last one, and what its pixels add to coordinates.
struct DepthRow {
  const std::int32_t* z;
  const std::int32_t* columns[3];
  std::int32_t row[3];
};

// The obstacle and drop samples of a row, in order.
struct ObstacleRow {
  std::int32_t* cell;
  std::int32_t* x;
  std::int32_t* y;
  std::int32_t* rho;
  std::int32_t* h;     // 0: a drop
  std::int32_t* mark;  // part_of_cell() << 16 | column
};

// A table of bearings, or of ones near them, with `size` entries: by y / (x + |y|).
struct BearingGuess {
  float first;
  float scale;
  std::int32_t size;
};

// A row of the part of a frame that the refinement sees.
struct GroundRow {
  const std::int32_t* z;  // 0 where unknown or beyond the range, and behind the last one
  const std::int32_t* u;  // 2^28 / z
  const std::int32_t* columns;
  std::int32_t row;
  std::int32_t count;
  std::int32_t first_x;  // from the middle of the frame
  std::int32_t step_x;
};

// A row of the grid. States of kFree and above are known; kNoView stays unseen.
constexpr std::uint8_t kNoView = 255;
struct CellRow {
  const std::uint8_t* states;
  std::int32_t x0;
  std::int32_t row;
};
// A cell that may be free: its column, and the pixel that shows it.
struct SeenCells {
  std::int32_t* cell_column;
  std::int32_t* column;
  std::int32_t* row;
  double* depth;
};

// The steps' rows, with SIMD.
struct RowSteps {
  // place_sample() of a row. Sets the states of cells with ground to kFree. Returns the number of
  // obstacle and drop samples.
  int (*place)(const DepthRow& row, const FrameRules& rules, const std::uint8_t* inside,
               std::uint8_t* states, std::uint8_t* classes, const ObstacleRow& out);
  // Entries of the table of bearings; -1 where x is not above 0.
  void (*guess)(const std::int32_t* x, const std::int32_t* y, int count, const BearingGuess& guess,
                std::int32_t* out);
  // Adds a row to n, x, u, xx, xu and below.
  void (*sum_ground)(const GroundRow& row, std::int32_t camera_height, const GroundBand& band,
                     GroundSums* sums);
  // side_cost().
  std::int64_t (*cost)(const SidePoints& points, const Sides& sides);
  // pixel_of_cell() of unseen cells. Returns how many have a pixel.
  int (*see)(const CellRow& row, const CellView& view, const FrameRules& rules,
             const SeenCells& out);
};

// The rows of the SIMD target in use.
const RowSteps& row_steps();

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_ROWS_H_
