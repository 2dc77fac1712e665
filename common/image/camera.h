// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_CAMERA_H_
#define RDP_COMMON_IMAGE_CAMERA_H_

#include <cmath>

#include "common/host_device.h"

// The mathematics of a camera, for engines and painters on the CPU and in kernels: IEEE 754 double,
// only + - * / and sqrt, in the order that is written here, compiled without contraction.
//
// Axes: x right, y down, z forward, metres. Pixel centres are whole numbers, the first (0, 0).
namespace rdp {

// The rule from a value (a sample, a segment's end) to a depth in metres:
//   reciprocal: Z = numerator / (value * factor + offset)     disparity; inverse depth
//   else:       Z = value * factor                            metric depth
// There is no depth (0) if the value or the divisor is not above 0.
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

// A lens's distortion of the position x, y at distance 1, in OpenCV's model of eight coefficients.
// The polynomial is fitted to a picture and invalid far outside it. There it turns back, and would
// map directions that the camera does not see into the picture. `reach` bounds the valid range, as
// a squared distance from the axis; find_reach() sets it.
//
// Fits of the rational model may have a pole that a zero of the numerator nearly cancels. The model
// is invalid in a ring around the pole, and valid again beyond it. These rings are the gaps.
struct LensGap {
  double from = 0.0, to = 0.0;  // squared radii of both edges, which are excluded
};
constexpr int kMaxGaps = 3;  // as many poles as a denominator has
struct Distortion {
  bool none = true;
  double k1 = 0.0, k2 = 0.0, p1 = 0.0, p2 = 0.0, k3 = 0.0, k4 = 0.0, k5 = 0.0, k6 = 0.0;
  double reach = 0.0;
  int gaps = 0;
  LensGap gap[kMaxGaps];
};

// True if the model is valid at this squared distance from the axis.
RDP_HOST_DEVICE inline bool in_model(double r2, const Distortion& d) {
  if (!(r2 <= d.reach)) return false;
  for (int i = 0; i < d.gaps; ++i) {
    if (r2 > d.gap[i].from && r2 < d.gap[i].to) return false;
  }
  return true;
}

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

// Distorts x, y. False where the model is invalid.
RDP_HOST_DEVICE inline bool distort(double x, double y, const Distortion& d, double* distorted_x,
                                    double* distorted_y) {
  *distorted_x = x;
  *distorted_y = y;
  if (d.none) return true;
  if (!in_model(x * x + y * y, d)) return false;
  const DistortionAt at = distortion_at(x, y, d);
  const double radial = at.numerator / at.denominator;
  *distorted_x = x * radial + at.shift_x;
  *distorted_y = y * radial + at.shift_y;
  return true;
}

constexpr int kUndistortIterations = 256;
constexpr double kUndistortTolerance = 1e-9;  // at distance 1: a millionth of a pixel, about

// The distorted radius of r by the radial part alone: r N(r2) / D(r2).
RDP_HOST_DEVICE inline double shown_radius(double r, const Distortion& d) {
  const double r2 = r * r;
  const double n = 1.0 + ((d.k3 * r2 + d.k2) * r2 + d.k1) * r2;
  const double m = 1.0 + ((d.k6 * r2 + d.k5) * r2 + d.k4) * r2;
  return r * n / m;
}

// Inverts distort() by fixed-point iteration from u, v, as OpenCV does, in at most
// kUndistortIterations steps. False if it does not converge: no point is better than a wrong one.
RDP_HOST_DEVICE inline bool undistort_from(double x, double y, const Distortion& d, double* u,
                                           double* v) {
  for (int i = 0; i < kUndistortIterations; ++i) {
    const DistortionAt at = distortion_at(*u, *v, d);
    const double inverse = at.denominator / at.numerator;
    const double next_u = (x - at.shift_x) * inverse;
    const double next_v = (y - at.shift_y) * inverse;
    const bool arrived = next_u == *u && next_v == *v;  // all that follow are the same
    *u = next_u;
    *v = next_v;
    if (arrived) break;
  }
  double seen_x, seen_y;
  if (!distort(*u, *v, d, &seen_x, &seen_y)) return false;
  const double error = (seen_x - x) * (seen_x - x) + (seen_y - y) * (seen_y - y);
  return error <= kUndistortTolerance * kUndistortTolerance;
}

// Inverts the radial part alone, by bisection in a range without gaps, where the distorted radius
// grows with r. False if the solution lies in a gap.
RDP_HOST_DEVICE inline bool undistort_radius(double x, double y, const Distortion& d, double* u,
                                             double* v) {
  constexpr int kHalvings = 64;
  const double shown = std::sqrt(x * x + y * y);
  double low = 0.0;
  double high = std::sqrt(d.reach);
  for (int i = 0; i < d.gaps; ++i) {
    const double edge = std::sqrt(d.gap[i].from);
    if (shown <= shown_radius(edge, d)) {
      high = edge;
      break;
    }
    low = std::sqrt(d.gap[i].to);
  }
  if (!(shown >= shown_radius(low, d))) return false;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    if (shown_radius(middle, d) < shown) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *u = x * (high / shown);
  *v = y * (high / shown);
  return true;
}

// The position that distort() moves to x, y. Iterates from x, y itself; if that fails and the lens
// has gaps, from the inverse of the radial part alone.
RDP_HOST_DEVICE inline bool undistort(double x, double y, const Distortion& d, double* straight_x,
                                      double* straight_y) {
  double u = x;
  double v = y;
  if (!d.none && !undistort_from(x, y, d, &u, &v)) {
    if (d.gaps == 0 || !undistort_radius(x, y, d, &u, &v)) return false;
    if (!undistort_from(x, y, d, &u, &v)) return false;
  }
  *straight_x = u;
  *straight_y = v;
  return true;
}

// The lens of a camera: its focal lengths, principal point and distortion.
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

// The pixel that shows a point. False: behind the camera, or beyond the reach of the distortion's
// model.
RDP_HOST_DEVICE inline bool pixel_of_point(double x, double y, double z, const CameraLens& lens,
                                           double* column, double* row) {
  if (!(z > 0.0)) return false;
  double u, v;
  if (!distort(x / z, y / z, lens.distortion, &u, &v)) return false;
  *column = u * lens.focal_x + lens.principal_x;
  *row = v * lens.focal_y + lens.principal_y;
  return true;
}

// A camera whose frames measure metres. If the lens distorts, only ray_of_pixel() and
// pixel_of_point() relate pixels to points.
struct MetricCamera : CameraLens {
  DepthOfValue depth;
};

struct Point {
  double x, y, z;
};

// The point that a pixel with this value shows. False if the value has no depth or the pixel no
// ray.
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

// The pose from one camera's axes to another's: inverse(to) from. Both arguments map camera to
// world.
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
