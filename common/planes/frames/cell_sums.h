// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_CELL_SUMS_H_
#define RDP_COMMON_PLANES_FRAMES_CELL_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/planes/moments.h"

// Depths and their sums, in SIMD.
namespace rdp::planes {

// Depths in units, row by row. `stride` is a multiple of a cell's columns, and the rows fill whole
// cells. 0: unknown, or outside of the frame.
struct DepthRows {
  std::int32_t* data = nullptr;
  std::ptrdiff_t stride = 0;

  std::int32_t* row(int y) const { return data + y * stride; }
};

// Converts the samples of a row with `table`, which has a depth for each sample. Depths beyond the
// frame's columns stay unchanged.
void look_up_row(const std::byte* samples, SampleType type, int width, const std::int32_t* table,
                 std::int32_t* depth);

// Sums of `cells` cells side by side, from the first row of theirs. `ray_x` has a number for each
// column, ray_y for each of the 8 rows.
void add_cells(const std::int32_t* depth, std::ptrdiff_t stride, int cells,
               const std::int32_t* ray_x, const std::int32_t* ray_y, Moments* moments);

// Adds the pixels [first, end) of a row. May read depths and rays up to a cell farther.
void add_run(const std::int32_t* depth, int first, int end, const std::int32_t* ray_x,
             std::int32_t ray_y, Moments* moments);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_CELL_SUMS_H_
