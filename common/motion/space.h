// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_SPACE_H_
#define RDP_COMMON_MOTION_SPACE_H_

#include <cmath>

#include "common/image/camera.h"
#include "common/motion/input.h"
#include "common/motion/parameters.h"

// Conversion of segment values to metres: "3D" in motion.md, for the cameras of spec.md.
namespace rdp::motion {

inline constexpr double kMaxPlace = 1e6;     // px: no picture has a place further away
inline constexpr double kMaxDistance = 1e9;  // m: farther points are invalid
inline constexpr double kMaxNumber = 1e30;   // m, m/s, or their squares: maximum of computed values

// Also false for non-finite values.
inline bool is_within(double value, double most) { return value >= -most && value <= most; }

inline bool is_sound(const Point& p, double most) {
  return is_within(p.x, most) && is_within(p.y, most) && is_within(p.z, most);
}
inline bool is_sound(const Pose& pose) {
  for (const double value : pose.m) {
    if (!is_within(value, kMaxNumber)) return false;
  }
  return true;
}

// The value of a segment's line at a fractional row, also beyond its ends.
inline double value_at(const Segment& segment, double row) {
  const auto first = static_cast<double>(segment.first_value);
  if (segment.last_row == segment.first_row) return first;
  const double slope = (static_cast<double>(segment.last_value) - first) /
                       static_cast<double>(segment.last_row - segment.first_row);
  return first + slope * (row - static_cast<double>(segment.first_row));
}

// The measure of a value: px of disparity, or metres. 0 if there is none.
inline double measure_of(double value, const Values& values) {
  if (!(value > 0.0)) return 0.0;
  const double sample = values.inverse_scale > 0.0 ? values.inverse_scale / value : value;
  const double measure = sample * values.unit + values.offset;
  return measure > 0.0 && measure <= kMaxNumber ? measure : 0.0;
}

// The largest difference to `measure` of other measures on the same surface.
inline double measure_tolerance(double measure, const Values& values,
                                const Parameters& parameters) {
  if (values.measures == Measure::kDisparity) {
    return parameters.tolerance + parameters.tolerance_relative * measure;
  }
  return 3.0 * parameters.depth_noise * (measure * measure) +
         parameters.tolerance_relative * measure;
}

// Standard deviation of a measure.
inline double measure_noise(double measure, Measure measures, const Parameters& parameters) {
  return measures == Measure::kDisparity ? parameters.disparity_noise
                                         : parameters.depth_noise * (measure * measure);
}

// A camera, and the kind of its third measurement beside (u, v).
struct Space {
  Camera camera;
  Measure measures = Measure::kDisparity;
  double numerator = 0.0;  // Z = numerator / disparity

  Space() = default;
  Space(const Camera& c, Measure m) : camera(c), measures(m), numerator(c.focal_x * c.baseline) {}
};

// The point seen at (u, v) with a measure. False: none.
inline bool point_at(double u, double v, double measure, const Space& space, Point* point) {
  if (!(measure > 0.0)) return false;
  const Camera& c = space.camera;
  const double z = space.measures == Measure::kDisparity ? space.numerator / measure : measure;
  *point = {(u - c.principal_x) * z / c.focal_x, (v - c.principal_y) * z / c.focal_y, z};
  return z > 0.0 && is_sound(*point, kMaxDistance);
}

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_SPACE_H_
