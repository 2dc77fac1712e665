// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_CAMERA_H_
#define RDP_COMMON_IMAGE_CAMERA_H_

#include "common/host_device.h"

// The mathematics of a camera, for engines and painters on the CPU and in kernels: IEEE 754 double,
// only + - * / and sqrt, in the order that is written here, compiled without contraction.
//
// Axes: x right, y down, z forward, metres. Pixel centres are whole numbers, the first (0, 0).
namespace rdp {

// How a value (a sample, a segment's end) becomes a depth in metres:
//   reciprocal: Z = numerator / (value * factor + offset)     disparity; inverse depth
//   else:       Z = value * factor                            metric depth
// There is none (0) where the value or the divisor is not above 0.
struct DepthOfValue {
  bool reciprocal = false;
  double numerator = 0.0;
  double factor = 0.0;
  double offset = 0.0;
};

RDP_HOST_DEVICE inline double depth_of_value(double value, const DepthOfValue& rule) {
  if (!(value > 0.0)) return 0.0;
  const double linear = value * rule.factor + rule.offset;
  if (!(linear > 0.0)) return 0.0;
  return rule.reciprocal ? rule.numerator / linear : linear;
}

// A camera without distortion whose frames measure metres.
struct MetricCamera {
  double focal_x = 1.0;
  double focal_y = 1.0;
  double principal_x = 0.0;
  double principal_y = 0.0;
  DepthOfValue depth;
};

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_CAMERA_H_
