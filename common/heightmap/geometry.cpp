// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/geometry.h"

#include <cstddef>

#include "common/image/float_environment.h"

namespace rdp::heightmap {

Matrix3 left_columns(const double projection[3][4]) {
  Matrix3 result{};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) result.m[row][column] = projection[row][column];
  }
  return result;
}

Matrix3 plane_matrix(const double projection[3][4], double height) {
  Matrix3 result{};
  for (int row = 0; row < 3; ++row) {
    const double* p = projection[row];
    result.m[row][0] = p[0];
    result.m[row][1] = p[1];
    result.m[row][2] = p[3] + height * p[2];
  }
  return result;
}

void orient(const View& view, double oriented[3][4]) {
  const Matrix3 left = left_columns(view.projection);
  const bool negative = determinant(left, adjugate(left)) < 0.0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      const double value = view.projection[row][column];
      oriented[row][column] = negative ? -value : value;
    }
  }
}

Vector3 eye_of(const double projection[3][4]) {
  const Matrix3 left = left_columns(projection);
  const Matrix3 inverse = adjugate(left);
  const double divisor = determinant(left, inverse);
  const auto along = [&](const double row[3]) {
    return -(((row[0] * projection[0][3] + row[1] * projection[1][3]) + row[2] * projection[2][3]) /
             divisor);
  };
  return {along(inverse.m[0]), along(inverse.m[1]), along(inverse.m[2])};
}

Plane Geometry::plane(double metres) const {
  Plane plane{};
  plane.height = metres;
  plane.to_pixel = plane_matrix(projection, metres);
  plane.to_ground = adjugate(plane.to_pixel);
  plane.determinant = determinant(plane.to_pixel, plane.to_ground);
  return plane;
}

Geometry geometry_of(const Rig& rig) {
  return with_standard_floats([&] {
    Geometry geometry;
    geometry.width = rig.seen().width;
    geometry.height = rig.seen().height;
    orient(rig.seen(), geometry.projection);
    const Matrix3 ground = adjugate(plane_matrix(geometry.projection, 0.0));
    const Matrix3 left = adjugate(left_columns(geometry.projection));
    for (int i = 0; i < 3; ++i) geometry.horizon[i] = left.m[2][i];
    geometry.eye = eye_of(geometry.projection);
    for (std::size_t i = 0; i < rig.views.size(); ++i) {
      if (static_cast<int>(i) == rig.reference) continue;
      const View& view = rig.views[i];
      double oriented[3][4];
      orient(view, oriented);
      geometry.others.push_back({product(plane_matrix(oriented, 0.0), ground),
                                 product(left_columns(oriented), left), view.width, view.height});
    }
    return geometry;
  });
}

}  // namespace rdp::heightmap
