// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/ground_plane.h"

#include <cmath>

#include "common/image/float_environment.h"

namespace rdp {
namespace {

constexpr double kOne = 4294967296.0;  // a step in the plane's unit

// False beyond `most` and for NaN.
bool round_to(double steps, std::int64_t most, std::int64_t* fixed) {
  const double scaled = std::floor(steps * kOne + 0.5);
  const auto limit = static_cast<double>(most);
  if (!(scaled >= -limit && scaled <= limit)) return false;
  *fixed = static_cast<std::int64_t>(scaled);
  return true;
}

// 1 / Z of the plane is linear in the pixel, and so are values: Z = numerator / (value * factor +
// offset).
GroundPlane nearest(const double normal[3], double distance, const CameraLens& lens,
                    const PlanePlacement& placement, const DepthOfValue& depth) {
  if (!depth.reciprocal || !(distance > 0.0)) return {};
  const double steps = depth.numerator / (distance * depth.factor);
  // In the frame that the plane was found in.
  const double per_column = normal[0] / lens.focal_x * steps;
  const double per_row = normal[1] / lens.focal_y * steps;
  const double at_principal = normal[2] * steps - depth.offset / depth.factor;
  // Pixel (0, 0) of the frame that has the values, in the plane's frame.
  const double first_column = (0.5 - placement.offset_x) / placement.scale_x - 0.5;
  const double first_row = (0.5 - placement.offset_y) / placement.scale_y - 0.5;
  const double offset = at_principal + per_column * (first_column - lens.principal_x) +
                        per_row * (first_row - lens.principal_y);
  GroundPlane plane;
  if (!round_to(offset, kMaxGroundOffset, &plane.offset) ||
      !round_to(per_column / placement.scale_x, kMaxGroundSlope, &plane.per_column) ||
      !round_to(per_row / placement.scale_y, kMaxGroundSlope, &plane.per_row) ||
      plane.per_row <= 0) {
    return {};
  }
  return plane;
}

}  // namespace

GroundPlane ground_plane_of(const double normal[3], double distance, const CameraLens& lens,
                            const PlanePlacement& placement, const DepthOfValue& depth) {
  return with_standard_floats([&] { return nearest(normal, distance, lens, placement, depth); });
}

}  // namespace rdp
