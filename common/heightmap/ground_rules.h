// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_GROUND_RULES_H_
#define RDP_COMMON_HEIGHTMAP_GROUND_RULES_H_

#include <cmath>
#include <cstdint>

#include "common/heightmap/plane.h"
#include "common/heightmap/rules.h"
#include "common/host_device.h"

// Labels as samples (ground.h), for the host and the kernels.
namespace rdp::heightmap {

// The sample of a height in millimetres; 0 is left for unknown.
RDP_HOST_DEVICE inline std::uint16_t height_sample(int millimetres) {
  return static_cast<std::uint16_t>(millimetres < 1 ? 1 : millimetres);
}

// Norm of the optical axis in a matrix's third row: the value of 1 m of depth.
RDP_HOST_DEVICE inline double axis_length(const double third_row[4]) {
  const double* const m3 = third_row;
  return std::sqrt((m3[0] * m3[0] + m3[1] * m3[1]) + m3[2] * m3[2]);
}
// Depth of the plane at a pixel, in mm along the optical axis; 0: none, or too far.
RDP_HOST_DEVICE inline std::uint16_t depth_sample(const Plane& plane, double axis, int column,
                                                  int row) {
  const Vector3 q = times(plane.to_ground, column, row);
  if (!plane.before(q.z)) return 0;
  const double w = row_times(plane.to_pixel.m[2], q.x / q.z, q.y / q.z);
  const double depth = std::floor(1000.0 * (w / axis) + 0.5);
  if (!(depth >= 0.0 && depth <= 65535.0)) return 0;
  return static_cast<std::uint16_t>(depth);
}

// The cell of a raster for a coordinate in millimetres; cell 0 begins at `first`.
RDP_HOST_DEVICE inline std::int64_t raster_cell(int place, int first, int cell) {
  return floor_div(std::int64_t{place} - first, cell);
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_GROUND_RULES_H_
