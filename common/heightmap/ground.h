// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_GROUND_H_
#define RDP_COMMON_HEIGHTMAP_GROUND_H_

#include <cstdint>
#include <span>

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"

namespace rdp::heightmap {

inline constexpr int kMaxCells = 16384;  // per side

// A raster on the ground: cells along X are columns, along Y rows, and row 0 has the smallest Y.
struct GroundGrid {
  int x = 0, y = 0;  // mm, of the corner of cell (0, 0): a multiple of `cell`
  int cell = 50;     // mm
  std::int64_t columns = 0;
  std::int64_t rows = 0;

  bool operator==(const GroundGrid&) const = default;
};

// The bounding box of an area, grown to whole cells of the world's grid.
GroundGrid ground_grid(const Area& area, int cell);

// Writes the maximum height of each cell in mm, 0 if empty, to `grid_samples`: 16 bits,
// `grid.columns` x `grid.rows`, at most kMaxCells of each. `labels` are the reference picture's,
// row by row. A known pixel below the horizon counts in the cell of its vote (reference::heads()).
void draw_ground(const Rig& rig, const Parameters& parameters, std::span<const std::uint8_t> labels,
                 const GroundGrid& grid, MutableDepthView grid_samples);

// Write the labels as 16-bit lengths, in the reference picture's size; 0: unknown. Heights: max(1,
// mm). Depths: along the optical axis, mm rounded to nearest, 0 beyond 65535.
void write_heights(const Parameters& parameters, std::span<const std::uint8_t> labels,
                   MutableDepthView samples);
void write_depths(const Rig& rig, const Parameters& parameters,
                  std::span<const std::uint8_t> labels, MutableDepthView samples);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_GROUND_H_
