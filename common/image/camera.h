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

// What a lens does to the position x, y at distance 1, in OpenCV's model of eight coefficients. A
// polynomial that was fitted to a picture means nothing far outside of it: there it turns back, and
// directions that the camera does not see would be found within the picture. `reach`, which
// reach_of() finds, is the square of the distance from the axis up to which it does not.
struct Distortion {
  bool none = true;
  double k1 = 0.0, k2 = 0.0, p1 = 0.0, p2 = 0.0, k3 = 0.0, k4 = 0.0, k5 = 0.0, k6 = 0.0;
  double reach = 0.0;
};

// The radial part is numerator / denominator, the tangential part is added to it.
struct DistortionAt {
  double numerator, denominator, shift_x, shift_y;
};

RDP_HOST_DEVICE inline DistortionAt distortion_at(double x, double y, const Distortion& d) {
  const double r2 = x * x + y * y;
  DistortionAt at;
  at.numerator = 1.0 + ((d.k3 * r2 + d.k2) * r2 + d.k1) * r2;
  at.denominator = 1.0 + ((d.k6 * r2 + d.k5) * r2 + d.k4) * r2;
  at.shift_x = 2.0 * d.p1 * x * y + d.p2 * (r2 + 2.0 * x * x);
  at.shift_y = d.p1 * (r2 + 2.0 * y * y) + 2.0 * d.p2 * x * y;
  return at;
}

// False beyond the model's reach.
RDP_HOST_DEVICE inline bool distort(double x, double y, const Distortion& d, double* distorted_x,
                                    double* distorted_y) {
  *distorted_x = x;
  *distorted_y = y;
  if (d.none) return true;
  if (!(x * x + y * y <= d.reach)) return false;
  const DistortionAt at = distortion_at(x, y, d);
  const double radial = at.numerator / at.denominator;
  *distorted_x = x * radial + at.shift_x;
  *distorted_y = y * radial + at.shift_y;
  return true;
}

constexpr int kUndistortIterations = 256;
constexpr double kUndistortTolerance = 1e-9;  // at distance 1: a millionth of a pixel, about

// The position that distort() moves to x, y: a fixed number of iterations to a fixed point, as
// OpenCV finds it. False where they do not lead to one, so that there is no point rather than a
// wrong one.
RDP_HOST_DEVICE inline bool undistort(double x, double y, const Distortion& d, double* straight_x,
                                      double* straight_y) {
  double u = x;
  double v = y;
  if (!d.none) {
    for (int i = 0; i < kUndistortIterations; ++i) {
      const DistortionAt at = distortion_at(u, v, d);
      const double inverse = at.denominator / at.numerator;
      const double next_u = (x - at.shift_x) * inverse;
      const double next_v = (y - at.shift_y) * inverse;
      const bool arrived = next_u == u && next_v == v;  // all that follow are the same
      u = next_u;
      v = next_v;
      if (arrived) break;
    }
    double seen_x, seen_y;
    if (!distort(u, v, d, &seen_x, &seen_y)) return false;
    const double error = (seen_x - x) * (seen_x - x) + (seen_y - y) * (seen_y - y);
    if (!(error <= kUndistortTolerance * kUndistortTolerance)) return false;
  }
  *straight_x = u;
  *straight_y = v;
  return true;
}

// How far from the axis the distorted radius r N(r2) / D(r2) grows with r, squared; looked for in
// small steps up to 86 degrees.
RDP_HOST_DEVICE inline double reach_of(const Distortion& d) {
  constexpr int kSteps = 1024;
  constexpr double kStep = 1.0 / 64.0;
  double reach = 0.0;
  for (int i = 1; i <= kSteps; ++i) {
    const double r2 = (i * kStep) * (i * kStep);
    const double n = 1.0 + ((d.k3 * r2 + d.k2) * r2 + d.k1) * r2;
    const double m = 1.0 + ((d.k6 * r2 + d.k5) * r2 + d.k4) * r2;
    const double dn = (3.0 * d.k3 * r2 + 2.0 * d.k2) * r2 + d.k1;
    const double dm = (3.0 * d.k6 * r2 + 2.0 * d.k5) * r2 + d.k4;
    const double slope = n * m + 2.0 * r2 * (dn * m - n * dm);  // times m squared
    if (!(n > 0.0) || !(m > 0.0) || !(slope > 0.0)) break;
    reach = r2;
  }
  return reach;
}

// Where a camera sees what.
struct CameraLens {
  double focal_x = 1.0;
  double focal_y = 1.0;
  double principal_x = 0.0;
  double principal_y = 0.0;
  Distortion distortion;
};

// The ray through a pixel: the point x, y at distance 1. False where the distortion cannot be
// undone.
RDP_HOST_DEVICE inline bool ray_of_pixel(double column, double row, const CameraLens& lens,
                                         double* x, double* y) {
  return undistort((column - lens.principal_x) / lens.focal_x,
                   (row - lens.principal_y) / lens.focal_y, lens.distortion, x, y);
}

// Where a point is seen. False: behind the camera, or beyond the reach of the distortion's model.
RDP_HOST_DEVICE inline bool pixel_of_point(double x, double y, double z, const CameraLens& lens,
                                           double* column, double* row) {
  if (!(z > 0.0)) return false;
  double u, v;
  if (!distort(x / z, y / z, lens.distortion, &u, &v)) return false;
  *column = u * lens.focal_x + lens.principal_x;
  *row = v * lens.focal_y + lens.principal_y;
  return true;
}

// A camera whose frames measure metres. Where the lens distorts, only ray_of_pixel() and
// pixel_of_point() say what is where.
struct MetricCamera : CameraLens {
  DepthOfValue depth;
};

struct Point {
  double x, y, z;
};

// False where there is no distance.
RDP_HOST_DEVICE inline bool point_of_value(double column, double row, double value,
                                           const MetricCamera& camera, Point* point) {
  const double z = depth_of_value(value, camera.depth);
  double x, y;
  if (!(z > 0.0) || !ray_of_pixel(column, row, camera, &x, &y)) return false;
  *point = {x * z, y * z, z};
  return true;
}

// A pose: three rows of a rotation and a shift, as in GstRdpCameraInfo.
struct Pose {
  double m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
};

RDP_HOST_DEVICE inline Point transform(const Pose& pose, const Point& p) {
  const double* m = pose.m;
  return {m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
          m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
}

// From one camera's axes to another's, both poses world from camera: inverse(to) from.
RDP_HOST_DEVICE inline Pose pose_between(const Pose& from, const Pose& to) {
  Pose result;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      double sum = 0.0;
      for (int i = 0; i < 3; ++i) {
        const double shift = c == 3 ? to.m[4 * i + 3] : 0.0;
        sum += to.m[4 * i + r] * (from.m[4 * i + c] - shift);
      }
      result.m[4 * r + c] = sum;
    }
  }
  return result;
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_CAMERA_H_
