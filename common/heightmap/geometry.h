// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_GEOMETRY_H_
#define RDP_COMMON_HEIGHTMAP_GEOMETRY_H_

#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/plane.h"
#include "common/heightmap/rig.h"

// What a rig comes to, in floating-point numbers: with plane.h the part of height maps that is not
// worked out in whole ones.
namespace rdp::heightmap {

// What a rig comes to. The rig has no fault (check_rig()).
struct Geometry {
  int width = 0;  // of the reference picture
  int height = 0;
  double projection[3][4] = {};  // of the reference, with det M > 0
  double horizon[3] = {};        // the last row of adj M, and of every adj G(h)
  std::vector<Sight> others;     // the views without the reference, in their order

  Plane plane(double metres) const;
};

Geometry geometry_of(const Rig& rig);

// M, the left three columns, and G(h), which takes (X, Y, 1) of the plane Z = h to pixels.
Matrix3 left_columns(const double projection[3][4]);
Matrix3 plane_matrix(const double projection[3][4], double height);
// The view's matrix with the sign that makes det M positive.
void orient(const View& view, double oriented[3][4]);

// The height in the middle of the labels, as that of a plane.
inline double middle_height(const Parameters& parameters) {
  return (parameters.min_height + parameters.height_of(parameters.heights() - 1)) / 2000.0;
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_GEOMETRY_H_
