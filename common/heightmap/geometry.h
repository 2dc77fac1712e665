// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_GEOMETRY_H_
#define RDP_COMMON_HEIGHTMAP_GEOMETRY_H_

#include <cmath>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/plane.h"
#include "common/heightmap/rig.h"

// The geometry of a rig, in floating-point numbers. With plane.h it is the part of height maps that
// is not worked out in whole numbers.
namespace rdp::heightmap {

// The geometry of a rig without a fault (check_rig()).
struct Geometry {
  int width = 0;  // of the reference picture
  int height = 0;
  double projection[3][4] = {};  // of the reference, with det M > 0
  double horizon[3] = {};        // the last row of adj M, and of every adj G(h)
  Vector3 eye{};                 // where the reference camera is, metres
  std::vector<Sight> others;     // the views without the reference, in their order

  Plane plane(double metres) const;
};

Geometry geometry_of(const Rig& rig);

// M, the left three columns, and G(h), which takes (X, Y, 1) of the plane Z = h to pixels.
Matrix3 left_columns(const double projection[3][4]);
Matrix3 plane_matrix(const double projection[3][4], double height);
// The view's matrix with the sign that makes det M positive.
void orient(const View& view, double oriented[3][4]);
// The place of a camera with a matrix, in metres.
Vector3 eye_of(const double projection[3][4]);

// The height in the middle of the labels, as that of a plane.
inline double middle_height(const Parameters& parameters) {
  return (parameters.min_height + parameters.height_of(parameters.heights() - 1)) / 2000.0;
}

// A camera sees the front of a head. Of a ball it sees a disc, whose points lie two thirds of the
// radius before the middle, on average; a head's radius is some 85 mm.
inline constexpr double kHeadFront = 57.0;  // mm

// Moves the mean place of what is seen of a head, in whole millimetres on the ground, to the middle
// of the head: away from the camera, along the ground, by as much as the ray is level. So who
// stands right below the camera is not moved.
inline void move_behind_front(const Vector3& eye, int height, int* x, int* y) {
  const double dx = metres(*x) - eye.x;
  const double dy = metres(*y) - eye.y;
  const double dz = metres(height) - eye.z;
  const double distance = std::sqrt((dx * dx + dy * dy) + dz * dz);
  const double move_x = std::floor(kHeadFront * (dx / distance) + 0.5);
  const double move_y = std::floor(kHeadFront * (dy / distance) + 0.5);
  // Not where the camera is at no finite place.
  if (!(move_x >= -kHeadFront && move_x <= kHeadFront)) return;
  if (!(move_y >= -kHeadFront && move_y <= kHeadFront)) return;
  *x += static_cast<int>(move_x);
  *y += static_cast<int>(move_y);
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_GEOMETRY_H_
