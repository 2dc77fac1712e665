// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_POINT_H_
#define RDP_COMMON_POINTS_POINT_H_

#include "common/host_device.h"

// A point of a cloud, for the reference, the engine and the kernel.
namespace rdp::points {

// Coordinates of a point: x, y and z.
constexpr int kCoordinates = 3;

// Infinity and NaN minus themselves are NaN, which equals nothing.
RDP_HOST_DEVICE inline bool is_finite(float value) { return value - value == 0.0F; }

// Rounds a point in the camera's axes (x right, y down, z forward) once, to floats, and writes it
// in these axes or with x forward, y left and z up. If a coordinate has no finite float, all three
// become `unknown`, a NaN.
RDP_HOST_DEVICE inline void write_point(double x, double y, double z, bool forward_left_up,
                                        float unknown, float* to) {
  const float right = static_cast<float>(x);
  const float down = static_cast<float>(y);
  const float forward = static_cast<float>(z);
  const bool known = is_finite(right) && is_finite(down) && is_finite(forward);
  to[0] = !known ? unknown : forward_left_up ? forward : right;
  to[1] = !known ? unknown : forward_left_up ? -right : down;
  to[2] = !known ? unknown : forward_left_up ? -down : forward;
}

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_POINT_H_
