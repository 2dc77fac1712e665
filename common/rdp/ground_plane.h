// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_GROUND_PLANE_H_
#define RDP_COMMON_RDP_GROUND_PLANE_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/image/camera.h"

// A ground known as a plane, in disparity or inverse depth: linear in the column, too, so that a
// camera may be rolled. In integers, so that results are bit-identical on every machine and on the
// GPU.
namespace rdp {

// The value in pixel (column, row) is offset + per_column * column + per_row * row, in 2^-32 sample
// steps (u in Domain::kInverse). per_row is above 0; all 0: no ground.
struct GroundPlane {
  std::int64_t offset = 0;
  std::int64_t per_column = 0;
  std::int64_t per_row = 0;

  bool operator==(const GroundPlane& other) const {
    return offset == other.offset && per_column == other.per_column && per_row == other.per_row;
  }
};

// The largest absolute values of these numbers: 2^26 steps, and 2^12 a pixel. Sums of them in
// frames of 16384 pixels a side stay below 2^62, in 2^-33 steps.
inline constexpr std::int64_t kMaxGroundOffset = std::int64_t{1} << 58;
inline constexpr std::int64_t kMaxGroundSlope = std::int64_t{1} << 44;

RDP_HOST_DEVICE inline bool has_ground(const GroundPlane& plane) { return plane.per_row > 0; }

// True without a ground, too.
inline bool is_within_limits(const GroundPlane& plane) {
  const auto within = [](std::int64_t value, std::int64_t most) {
    return value >= -most && value <= most;
  };
  if (plane.per_row == 0) return plane == GroundPlane{};
  return plane.per_row > 0 && within(plane.offset, kMaxGroundOffset) &&
         within(plane.per_column, kMaxGroundSlope) && within(plane.per_row, kMaxGroundSlope);
}

// Converts a value to 2^-33 steps, half of the plane's unit, because the middle of a group of
// columns may lie between two pixels. Clamps to 2^24 steps, beyond all samples, and truncates.
RDP_HOST_DEVICE inline std::int64_t ground_fixed(double value) {
  constexpr double kMost = 16777216.0;
  const double within = value > -kMost ? (value < kMost ? value : kMost) : -kMost;
  return static_cast<std::int64_t>(within * 8589934592.0);
}

// Twice the middle of segmented column `column` of a frame of `width` pixels.
RDP_HOST_DEVICE inline int twice_middle(int column, int column_width, int width) {
  const int end = (column + 1) * column_width;
  return column * column_width + (end < width ? end : width) - 1;
}

// The ground's value, in 2^-33 steps.
RDP_HOST_DEVICE inline std::int64_t ground_value(const GroundPlane& plane, int twice_column,
                                                 int row) {
  return 2 * plane.offset + plane.per_column * twice_column + 2 * plane.per_row * row;
}

// The place of the plane's frame on the frame with the values. The centre of its pixel (column,
// row) is at (column + 1/2) * scale_x + offset_x - 1/2, and likewise for rows.
struct PlanePlacement {
  double scale_x = 1.0;
  double scale_y = 1.0;
  double offset_x = 0.0;
  double offset_y = 0.0;
};

// Converts the plane normal . p = distance, in metres and camera axes, to values that `depth` turns
// into depths. `lens` has no distortion. Returns no ground if values are no disparities or inverse
// depths, or distance is not above 0. The same if values do not grow from row to row, or if a
// number is beyond the limits above.
GroundPlane ground_plane_of(const double normal[3], double distance, const CameraLens& lens,
                            const PlanePlacement& placement, const DepthOfValue& depth);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_GROUND_PLANE_H_
