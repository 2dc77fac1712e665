// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_GEOMETRY_H_
#define RDP_COMMON_HEIGHTMAP_GEOMETRY_H_

#include <cmath>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/plane.h"
#include "common/heightmap/rig.h"

// The geometry of a rig, in floating point. Apart from this, plane.h and potential.h, height maps
// are computed in integers.
namespace rdp::heightmap {

// The geometry of a rig without a fault (check_rig()).
struct Geometry {
  int width = 0;  // of the reference picture
  int height = 0;
  double projection[3][4] = {};  // of the reference, with det M > 0
  double horizon[3] = {};        // the last row of adj M, and of every adj G(h)
  Vector3 eye{};                 // the reference camera's position, metres
  std::vector<Sight> others;     // the views without the reference, in their order

  Plane plane(double metres) const;
};

Geometry geometry_of(const Rig& rig);

// left_columns() is M; plane_matrix() is G(h), which maps (X, Y, 1) of the plane Z = h to pixels.
Matrix3 left_columns(const double projection[3][4]);
Matrix3 plane_matrix(const double projection[3][4], double height);
// The view's matrix with the sign that makes det M positive.
void orient(const View& view, double oriented[3][4]);
// The position of a camera with this matrix, in metres.
Vector3 eye_of(const double projection[3][4]);

// The middle of the labels' heights, in metres.
inline double middle_height(const Parameters& parameters) {
  return (parameters.min_height + parameters.height_of(parameters.heights() - 1)) / 2000.0;
}

// Mean distance of a head's visible points in front of its centre. For a sphere it is two thirds of
// the radius. A head's radius is about 85 mm.
inline constexpr double kHeadFront = 57.0;  // mm

// Moves the mean place of a head's visible points, in whole mm on the ground, to the head's centre.
// It moves away from the camera, by kHeadFront times the horizontal part of the ray: a head right
// below the camera stays.
inline void move_behind_front(const Vector3& eye, int height, int* x, int* y) {
  const double dx = metres(*x) - eye.x;
  const double dy = metres(*y) - eye.y;
  const double dz = metres(height) - eye.z;
  const double distance = std::sqrt((dx * dx + dy * dy) + dz * dz);
  const double move_x = std::floor(kHeadFront * (dx / distance) + 0.5);
  const double move_y = std::floor(kHeadFront * (dy / distance) + 0.5);
  // The camera's position may be infinite.
  if (!(move_x >= -kHeadFront && move_x <= kHeadFront)) return;
  if (!(move_y >= -kHeadFront && move_y <= kHeadFront)) return;
  *x += static_cast<int>(move_x);
  *y += static_cast<int>(move_y);
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_GEOMETRY_H_
