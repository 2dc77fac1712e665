// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAME_RULES_H_
#define RDP_COMMON_PLANES_FRAME_RULES_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/limits.h"

namespace rdp::planes {

constexpr int kRayBits = 18;              // fraction of a ray
constexpr int kMaxRay = 1 << 19;          // 2, which is 64 degrees off the axis
constexpr int kMaxPlainPixels = 1 << 20;  // more than these need a coarser unit
constexpr int kLevels = 5;                // nodes of 8, 16, 32, 64 and 128 pixels

// The rules of the steps on a frame that are the same for all frames of one size, camera and
// setting. Lengths are in units: 16 a millimetre, fewer for frames of more than 2^20 pixels, so
// that the sums of products fit 64 bits. Passed to kernels as it is.
struct FrameRules {
  int width = 0;
  int height = 0;
  int columns = 0;  // of cells
  int rows = 0;
  double focal_x = 0.0;  // pixels
  double focal_y = 0.0;
  double principal_x = 0.0;
  double principal_y = 0.0;
  double unit = 0.0;         // metres
  double floor = 0.0;        // of the tolerance
  double bend = 0.0;         // of the tolerance
  double noise = 0.0;        // 1/m; 0: measured
  double noise_scale = 0.0;  // from 1/m to a factor of the squared depth in units
  double rounding = 0.0;     // variance of a sample's rounding
  double fill = 0.0;
  double merge_floor = 0.0;  // most that a merged plane bends
  double merge_slope = 0.0;
  double max_thickness = 0.0;  // squared; 0: any
  double angle_step = 0.0;     // pi / directions
  double distance_step = 0.0;
  int distances = 0;  // distance cells of the ball, enough for the farthest point
  int rounds = 0;
  std::int64_t min_votes = 0;
  std::int64_t min_inliers = 0;
  std::int64_t min_part = 0;  // pixels of a part of a plane
  int max_planes = 0;
  bool connected = true;
  bool hull = true;
};

// T(z), squared with extent: what the points of a plane deviate at the depth z, without and with a
// distance of e from its middle. `slope`: noise * noise_scale.
RDP_HOST_DEVICE inline double tolerance_at(const FrameRules& rules, double slope, double z) {
  return rules.floor + slope * z * z;
}

RDP_HOST_DEVICE inline double squared_tolerance(const FrameRules& rules, double slope, double z,
                                                double squared_extent) {
  const double t = tolerance_at(rules, slope, z);
  return t * t + rules.bend * rules.bend * squared_extent;
}

// A coordinate from a depth and a ray.
RDP_HOST_DEVICE inline std::int32_t back_project(std::int32_t depth, std::int32_t ray) {
  return static_cast<std::int32_t>(
      (static_cast<std::int64_t>(depth) * ray + (1 << (kRayBits - 1))) >> kRayBits);
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAME_RULES_H_
