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

// The place of the ground on a picture of it from above: X to the right, Y up, in whole
// millimetres.
struct GroundMap {
  GroundGrid grid;         // none of its cells is smaller than a pixel; no columns: there is no map
  std::int64_t pixel = 1;  // mm a pixel
  int left = 0, top = 0;   // the part of the picture that is the map
  int columns = 0, rows = 0;
  RoundNumber step;  // metres between two lines of its grid; a digit of 0: there are none
  std::int64_t step_mm = 0;

  // The least X of a column of the picture and the least Y of a row.
  std::int64_t x_of(int column) const { return grid.x + (column - left) * pixel; }
  std::int64_t y_of(int row) const { return grid.y + (top + rows - 1 - row) * pixel; }
  Spot spot_of(std::int64_t x, std::int64_t y) const {
    return {left + static_cast<int>(floor_div(x - grid.x, pixel)),
            top + rows - 1 - static_cast<int>(floor_div(y - grid.y, pixel))};
  }
  bool contains(Spot spot) const {
    return spot.x >= left && spot.x < left + columns && spot.y >= top && spot.y < top + rows;
  }
  // True if one of the grid's lines is within the pixel with this least coordinate.
  bool is_line(std::int64_t least) const {
    return step_mm > 0 && floor_div(least + pixel - 1, step_mm) * step_mm >= least;
  }
  // The cells that are seen there; -1: none.
  int cell_column(int column) const { return cell(x_of(column), grid.x, grid.columns); }
  int cell_row(int row) const { return cell(y_of(row), grid.y, grid.rows); }

 private:
  // By the middle of the pixel.
  int cell(std::int64_t least, int first, std::int64_t cells) const {
    const std::int64_t at = floor_div(least + pixel / 2 - first, grid.cell);
    return at >= 0 && at < cells ? static_cast<int>(at) : -1;
  }
};

// The map of what an area's bounding box has, as large as a picture allows, at its right side: the
// legend is on the left. Its cells have `cell` mm a side, or so many times that that none is
// smaller than a pixel. `zoom`: of the text of the grid's numbers; 0: no grid.
GroundMap ground_map(const Area& area, int cell, int width, int height, int zoom);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_GROUND_MAP_H_
