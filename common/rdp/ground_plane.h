// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_GROUND_PLANE_H_
#define RDP_COMMON_RDP_GROUND_PLANE_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/image/camera.h"

// A ground that is known as a plane, as it looks in disparity or inverse depth: linear in the
// column, too, so that a camera may be rolled. Integers: whatever is told by them is the same on
// every machine and on the GPU.
namespace rdp {

// The value in pixel (column, row) is offset + per_column * column + per_row * row, in 2^-32 sample
// steps (u in Domain::kInverse). per_row is above 0; all 0: there is none.
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

// True of none, too.
inline bool is_within_limits(const GroundPlane& plane) {
  const auto within = [](std::int64_t value, std::int64_t most) {
    return value >= -most && value <= most;
  };
  if (plane.per_row == 0) return plane == GroundPlane{};
  return plane.per_row > 0 && within(plane.offset, kMaxGroundOffset) &&
         within(plane.per_column, kMaxGroundSlope) && within(plane.per_row, kMaxGroundSlope);
}

// Values are compared in half of that unit, 2^-33 steps, since the middle of a group of columns may
// lie between two pixels. No sample is beyond 2^24 steps; what is smaller than the unit is cut off.
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

// The place of the frame with the plane on the frame with the values: the centre of its pixel
// (column, row) at (column + 1/2) * scale_x + offset_x - 1/2, and likewise for rows.
struct PlanePlacement {
  double scale_x = 1.0;
  double scale_y = 1.0;
  double offset_x = 0.0;
  double offset_y = 0.0;
};

// The plane normal . p = distance, in metres and in the axes of a camera that sees like `lens`, of
// whose distortion there is none, as the values that become depths by `depth`. None where values
// are no disparities or inverse depths, where the plane goes through the camera, where the values
// do not grow from row to row, and where the numbers are beyond the limits.
GroundPlane ground_plane_of(const double normal[3], double distance, const CameraLens& lens,
                            const PlanePlacement& placement, const DepthOfValue& depth);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_GROUND_PLANE_H_
