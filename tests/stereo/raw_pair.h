// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STEREO_RAW_PAIR_H_
#define RDP_TESTS_STEREO_RAW_PAIR_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/lens_reach.h"
#include "common/stereo/rectification.h"

// Stereo cameras as a calibration describes them, and pictures for them.
namespace rdp::stereo::test {

struct Picture {
  Picture(int w, int h, int padding = 0)
      : samples(static_cast<std::size_t>(w + padding) * static_cast<std::size_t>(h)),
        width(w),
        height(h),
        stride(w + padding) {}
  DepthView view() const { return {samples.data(), stride, width, height, SampleType::kU8}; }
  MutableDepthView view() { return {samples.data(), stride, width, height, SampleType::kU8}; }

  std::vector<std::byte> samples;
  int width;
  int height;
  std::ptrdiff_t stride;
};

using Vector3 = std::array<double, 3>;

inline Vector3 apply(const Matrix3& m, const Vector3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}
inline Matrix3 transposed(const Matrix3& m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}
inline Matrix3 multiply(const Matrix3& a, const Matrix3& b) {
  Matrix3 product{};
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t k = 0; k < 3; ++k) product[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
  }
  return product;
}
inline Vector3 plus(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline double length(const Vector3& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Rotation about x, then y, then z, in radians.
inline Matrix3 rotation(double x, double y, double z) {
  const Matrix3 about_x{1, 0, 0, 0, std::cos(x), -std::sin(x), 0, std::sin(x), std::cos(x)};
  const Matrix3 about_y{std::cos(y), 0, std::sin(y), 0, 1, 0, -std::sin(y), 0, std::cos(y)};
  const Matrix3 about_z{std::cos(z), -std::sin(z), 0, std::sin(z), std::cos(z), 0, 0, 0, 1};
  return multiply(about_z, multiply(about_y, about_x));
}

inline Distortion distortion(const std::array<double, 8>& k) {
  Distortion d;
  d.none = false;
  d.k1 = k[0];
  d.k2 = k[1];
  d.p1 = k[2];
  d.p2 = k[3];
  d.k3 = k[4];
  d.k4 = k[5];
  d.k5 = k[6];
  d.k6 = k[7];
  find_reach(&d);
  return d;
}

inline CameraLens lens(double focal_x, double focal_y, double principal_x, double principal_y) {
  CameraLens lens;
  lens.focal_x = focal_x;
  lens.focal_y = focal_y;
  lens.principal_x = principal_x;
  lens.principal_y = principal_y;
  return lens;
}

struct RawPair {
  const char* name;
  CameraLens left;
  CameraLens right;
  Matrix3 rotation;     // right from left
  Vector3 translation;  // right from left, metres
  int width;
  int height;
  double tolerance;  // px, against OpenCV's projection
  double wider;      // a zoom that shows invalid pixels
};

inline std::vector<RawPair> raw_pairs() {
  std::vector<RawPair> pairs;
  pairs.push_back({"barrel",
                   lens(458.5, 457.25, 367.125, 248.375),
                   lens(457.5, 456, 379.9, 255.25),
                   rotation(0.01, -0.02, 0.015),
                   {-0.11, 0.001, 0.002},
                   752,
                   480,
                   8,
                   0.99});
  pairs.back().left.distortion = distortion({-0.28, 0.074, 0.0002, 1.8e-5, 0, 0, 0, 0});
  pairs.back().right.distortion = distortion({-0.283, 0.0745, -0.0001, -3.5e-5, 0, 0, 0, 0});
  pairs.push_back({"wide frame",
                   lens(959.8, 956.9, 660.1, 190.2),
                   lens(903.8, 901.5, 640.9, 178.9),
                   rotation(-0.02, 0.008, 0.005),
                   {-0.537, 0.0059, -0.0127},
                   1242,
                   375,
                   4,
                   0.99});
  pairs.back().left.distortion = distortion({-0.37, 0.2, 0.0014, 0.0016, -0.07, 0, 0, 0});
  pairs.back().right.distortion = distortion({-0.369, 0.197, 0.0013, 0.0007, -0.067, 0, 0, 0});
  pairs.push_back({"straight",
                   lens(500, 500, 320, 240),
                   lens(505, 502, 310, 236),
                   rotation(0.02, 0.03, -0.01),
                   {-0.2, 0.01, 0.005},
                   640,
                   480,
                   0.2,
                   0.95});
  pairs.push_back({"much turned",
                   lens(500, 500, 320, 240),
                   lens(500, 500, 320, 240),
                   rotation(0.02, 0.3, 0.1),
                   {-0.2, 0.01, 0.03},
                   640,
                   480,
                   0.2,
                   0.8});
  pairs.push_back({"pincushion",
                   lens(700, 702, 330, 250),
                   lens(705, 704, 322, 246),
                   rotation(-0.01, 0.02, 0.02),
                   {-0.12, 0.0, 0.0},
                   640,
                   480,
                   0.5,
                   0.99});
  pairs.back().left.distortion = distortion({0.12, -0.05, -0.001, 0.0005, 0.01, 0, 0, 0});
  pairs.back().right.distortion = distortion({0.1, -0.04, 0.001, -0.0005, 0.01, 0, 0, 0});
  pairs.push_back({"rational",
                   lens(800.5, 800.25, 640.5, 400.75),
                   lens(801, 800.75, 641, 401),
                   rotation(0.004, -0.006, 0.002),
                   {-0.075, 0.0003, 0.0002},
                   1280,
                   800,
                   0.5,
                   0.99});
  pairs.back().left.distortion =
      distortion({0.42, -2.49, 0.0004, -0.0002, 1.52, 0.30, -2.31, 1.44});
  pairs.back().right.distortion =
      distortion({0.41, -2.48, 0.0003, -0.0002, 1.53, 0.30, -2.30, 1.43});
  return pairs;
}

// Interpolates between four points of a map. Returns false if one of them is invalid.
inline bool map_at(const RectificationMap& map, double column, double row, double* x, double* y) {
  const int c = static_cast<int>(column);
  const int r = static_cast<int>(row);
  if (c < 0 || r < 0 || c + 1 >= map.width || r + 1 >= map.height) return false;
  const double u = column - c;
  const double v = row - r;
  double sum_x = 0.0;
  double sum_y = 0.0;
  for (int i = 0; i < 4; ++i) {
    const MapPoint& point = map.points[static_cast<std::size_t>(r + i / 2) * map.width + c + i % 2];
    if (point.x == kNotSeen) return false;
    const double weight = (i % 2 == 0 ? 1 - u : u) * (i < 2 ? 1 - v : v);
    sum_x += weight * point.x;
    sum_y += weight * point.y;
  }
  *x = sum_x / kMapOne;
  *y = sum_y / kMapOne;
  return true;
}

}  // namespace rdp::stereo::test

#endif  // RDP_TESTS_STEREO_RAW_PAIR_H_
