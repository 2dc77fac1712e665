// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_ROWS_H_
#define RDP_COMMON_OBSTACLES_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/obstacles/ground_rules.h"
#include "common/obstacles/objects.h"
#include "common/obstacles/rules.h"

namespace rdp::obstacles {

// Numbers after the end of a row that SIMD code reads and writes.
constexpr int kRowPadding = 16;

// A row of depths, 0 if unknown and after the end, and the contributions of its pixels to
// coordinates.
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

// A table of bearings, or of nearby ones, with `size` entries, indexed by y / (x + |y|).
struct BearingGuess {
  float first;
  float scale;
  std::int32_t size;
};

// A row of the pixels used by the refinement.
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

// The SIMD steps for a row.
struct RowSteps {
  // place_sample() of a row. Sets the states of cells with ground to kFree. Returns the number of
  // obstacle and drop samples.
  int (*place)(const DepthRow& row, const FrameRules& rules, const std::uint8_t* inside,
               std::uint8_t* states, std::uint8_t* classes, const ObstacleRow& out);
  // Looks up entries of the table of bearings; -1 for x <= 0.
  void (*guess)(const std::int32_t* x, const std::int32_t* y, int count, const BearingGuess& guess,
                std::int32_t* out);
  // Adds a row to n, x, u, xx, xu and below.
  void (*sum_ground)(const GroundRow& row, std::int32_t camera_height, const GroundBand& band,
                     GroundSums* sums);
  // side_cost().
  std::int64_t (*cost)(const SidePoints& points, const Sides& sides);
  // pixel_of_cell() for unseen cells. Returns the number of cells with a pixel.
  int (*see)(const CellRow& row, const CellView& view, const FrameRules& rules,
             const SeenCells& out);
};

// The steps for the SIMD target in use.
const RowSteps& row_steps();

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_ROWS_H_
