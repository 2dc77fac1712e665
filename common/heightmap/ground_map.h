// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_GROUND_MAP_H_
#define RDP_COMMON_HEIGHTMAP_GROUND_MAP_H_

#include <cstdint>

#include "common/heightmap/ground.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rules.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/round_numbers.h"

namespace rdp::heightmap {

// Mapping between the ground and its bird's-eye view: X to the right, Y up, in whole millimetres.
struct GroundMap {
  GroundGrid grid;         // cells are at least a pixel large; no columns: no map
  std::int64_t pixel = 1;  // mm a pixel
  int left = 0, top = 0;   // the map's rectangle in the picture
  int columns = 0, rows = 0;
  RoundNumber step;  // metres between grid lines; a digit of 0: no lines
  std::int64_t step_mm = 0;

  // Smallest X of a picture column, and smallest Y of a picture row.
  std::int64_t x_of(int column) const { return grid.x + (column - left) * pixel; }
  std::int64_t y_of(int row) const { return grid.y + (top + rows - 1 - row) * pixel; }
  Spot spot_of(std::int64_t x, std::int64_t y) const {
    return {left + static_cast<int>(floor_div(x - grid.x, pixel)),
            top + rows - 1 - static_cast<int>(floor_div(y - grid.y, pixel))};
  }
  bool contains(Spot spot) const {
    return spot.x >= left && spot.x < left + columns && spot.y >= top && spot.y < top + rows;
  }
  // True if a grid line crosses the pixel whose smallest coordinate is `least`.
  bool is_line(std::int64_t least) const {
    return step_mm > 0 && floor_div(least + pixel - 1, step_mm) * step_mm >= least;
  }
  // The grid's column or row shown at a picture column or row; -1: none.
  int cell_column(int column) const { return cell(x_of(column), grid.x, grid.columns); }
  int cell_row(int row) const { return cell(y_of(row), grid.y, grid.rows); }

 private:
  // The cell at the pixel's middle.
  int cell(std::int64_t least, int first, std::int64_t cells) const {
    const std::int64_t at = floor_div(least + pixel / 2 - first, grid.cell);
    return at >= 0 && at < cells ? static_cast<int>(at) : -1;
  }
};

// Maps an area's bounding box as large as the picture allows, at its right side (the legend is on
// the left). Cells have `cell` mm a side, or a multiple that is at least a pixel. `zoom` scales the
// grid's numbers; 0: no grid.
GroundMap ground_map(const Area& area, int cell, int width, int height, int zoom);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_GROUND_MAP_H_
