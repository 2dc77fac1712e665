// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_PLANE_H_
#define RDP_COMMON_HEIGHTMAP_PLANE_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"

// Horizontal planes and their pixels: the part of the geometry (geometry.h) that kernels share.
// Each operation rounds to nearest in the order written here, without contraction, so that host and
// kernels find the same whole pixels and millimetres.
namespace rdp::heightmap {

struct Vector3 {
  double x, y, z;
};

struct Matrix3 {
  double m[3][3];  // by row and column
};

RDP_HOST_DEVICE inline Matrix3 adjugate(const Matrix3& of) {
  const double(&a)[3][3] = of.m;
  return {{{a[1][1] * a[2][2] - a[1][2] * a[2][1], a[0][2] * a[2][1] - a[0][1] * a[2][2],
            a[0][1] * a[1][2] - a[0][2] * a[1][1]},
           {a[1][2] * a[2][0] - a[1][0] * a[2][2], a[0][0] * a[2][2] - a[0][2] * a[2][0],
            a[0][2] * a[1][0] - a[0][0] * a[1][2]},
           {a[1][0] * a[2][1] - a[1][1] * a[2][0], a[0][1] * a[2][0] - a[0][0] * a[2][1],
            a[0][0] * a[1][1] - a[0][1] * a[1][0]}}};
}

// d: the adjugate of a.
RDP_HOST_DEVICE inline double determinant(const Matrix3& a, const Matrix3& d) {
  return (a.m[0][0] * d.m[0][0] + a.m[0][1] * d.m[1][0]) + a.m[0][2] * d.m[2][0];
}

RDP_HOST_DEVICE inline Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 result{};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      result.m[row][column] = (a.m[row][0] * b.m[0][column] + a.m[row][1] * b.m[1][column]) +
                              a.m[row][2] * b.m[2][column];
    }
  }
  return result;
}

// The product with the place (x, y, 1).
RDP_HOST_DEVICE inline double row_times(const double row[3], double x, double y) {
  return (row[0] * x + row[1] * y) + row[2];
}
RDP_HOST_DEVICE inline Vector3 times(const Matrix3& a, double x, double y) {
  return {row_times(a.m[0], x, y), row_times(a.m[1], x, y), row_times(a.m[2], x, y)};
}

// A horizontal plane, as the reference camera sees it. For points on it in front of the camera, the
// third component of to_ground * pixel has the determinant's sign. For points in front of another
// view, so has the third component of that view's a + h b (Sight).
struct Plane {
  double height;      // metres
  Matrix3 to_pixel;   // G(h): of (X, Y, 1)
  Matrix3 to_ground;  // its adjugate
  double determinant;

  RDP_HOST_DEVICE bool before(double third) const {
    return determinant < 0.0 ? third < 0.0 : determinant > 0.0 && third > 0.0;
  }
};

// Mapping from the reference camera to another view. The view sees the plane of height h at
// a + h b, with a = h0 * pixel and b = h1 * pixel.
struct Sight {
  Matrix3 h0;
  Matrix3 h1;
  int width;
  int height;
};

inline constexpr int kOutside = -1;

// Index, row by row, of the view's pixel that shows a reference pixel's point at height h;
// kOutside: none. The reference pixel must be below the horizon: plane.before() of the third
// component of to_ground * pixel, the same for all heights.
RDP_HOST_DEVICE inline std::int32_t place_of(const Vector3& a, const Vector3& b, double h,
                                             bool negative, int width, int height) {
  const double w = a.z + h * b.z;
  if (negative ? !(w < 0.0) : !(w > 0.0)) return kOutside;
  const double u = std::floor((a.x + h * b.x) / w + 0.5);
  const double v = std::floor((a.y + h * b.y) / w + 0.5);
  if (!(u >= 0.0 && u < width && v >= 0.0 && v < height)) return kOutside;
  return static_cast<std::int32_t>(v) * width + static_cast<std::int32_t>(u);
}

// Millimetres to metres, the unit of plane heights.
RDP_HOST_DEVICE inline double metres(int millimetres) { return millimetres / 1000.0; }

// Ground position, in whole mm, of a reference pixel that shows the plane. False: above the
// horizon, or farther than kFarthest from the origin.
inline constexpr int kFarthest = 1000000;
RDP_HOST_DEVICE inline bool ground_of(const Plane& plane, int column, int row, int* x, int* y) {
  const Vector3 q = times(plane.to_ground, column, row);
  if (!plane.before(q.z)) return false;
  const double ground_x = std::floor(1000.0 * (q.x / q.z) + 0.5);
  const double ground_y = std::floor(1000.0 * (q.y / q.z) + 0.5);
  if (!(ground_x >= -kFarthest && ground_x <= kFarthest)) return false;
  if (!(ground_y >= -kFarthest && ground_y <= kFarthest)) return false;
  *x = static_cast<int>(ground_x);
  *y = static_cast<int>(ground_y);
  return true;
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_PLANE_H_
