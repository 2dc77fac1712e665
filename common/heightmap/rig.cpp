// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/rig.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/heightmap/geometry.h"
#include "common/image/float_environment.h"

namespace rdp::heightmap {
namespace {

// The least share of the volume that three rows of that length can have: below it they are in one
// plane.
constexpr double kLeastVolume = 1e-9;
constexpr double kLeastDistance = 0.001;  // metres from the camera to a plane
constexpr int kProbes = 256;              // columns and rows probed for common ground

struct Row3 {
  double x, y, z;
};

Row3 row_of(const double projection[3][4], int row) {
  return {projection[row][0], projection[row][1], projection[row][2]};
}

Row3 cross(const Row3& a, const Row3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double length(const Row3& a) { return std::sqrt((a.x * a.x + a.y * a.y) + a.z * a.z); }

double determinant_of_left(const double projection[3][4]) {
  const Matrix3 left = left_columns(projection);
  return determinant(left, adjugate(left));
}

bool is_finite(const View& view) {
  return std::all_of(&view.projection[0][0], &view.projection[0][0] + 12,
                     [](double value) { return std::isfinite(value); });
}

bool has_inverse(const View& view) {
  double volume = 1.0;
  for (int row = 0; row < 3; ++row) volume *= length(row_of(view.projection, row));
  return std::abs(determinant_of_left(view.projection)) > kLeastVolume * volume;
}

Plane ground_of_view(const View& view) {
  Geometry alone;
  orient(view, alone.projection);
  return alone.plane(0.0);
}

// True if the camera sees the ground in the middle of its picture.
bool sees_ground(const View& view) {
  const Plane ground = ground_of_view(view);
  return ground.before(
      row_times(ground.to_ground.m[2], (view.width - 1) / 2.0, (view.height - 1) / 2.0));
}

// True if the camera is below the ground: det G(0) is det M, which is above 0, times its distance.
// A pose computed from ground points has this fault if their X and Y are left-handed.
bool is_below(const View& view) { return ground_of_view(view).determinant > 0.0; }

// True if a plane is too near to the reference camera: det G(h) is det M times the distance.
bool is_at_camera(const Geometry& geometry, double height) {
  return !(std::abs(geometry.plane(height).determinant) >=
           kLeastDistance * std::abs(determinant_of_left(geometry.projection)));
}

bool is_at_camera(const Geometry& geometry, const Parameters& parameters) {
  for (int l = 0; l < parameters.heights(); ++l) {
    if (is_at_camera(geometry, metres(parameters.height_of(l)))) return true;
  }
  for (int l = 0; l < parameters.low_heights(); ++l) {
    if (is_at_camera(geometry, metres(l * parameters.low_step))) return true;
  }
  return is_at_camera(geometry, middle_height(parameters));
}

// True if the other view sees some pixel of the reference, at the lowest or the highest of the
// heights to be found.
bool sees_the_same(const Geometry& geometry, const Sight& sight, const Parameters& parameters) {
  const Plane planes[] = {geometry.plane(metres(parameters.min_height)),
                          geometry.plane(metres(parameters.height_of(parameters.heights() - 1)))};
  const int step_x = std::max(1, (geometry.width - 1) / kProbes);
  const int step_y = std::max(1, (geometry.height - 1) / kProbes);
  for (int row = 0; row < geometry.height; row += step_y) {
    for (int column = 0; column < geometry.width; column += step_x) {
      const double side = row_times(geometry.horizon, column, row);
      const Vector3 a = times(sight.h0, column, row);
      const Vector3 b = times(sight.h1, column, row);
      for (const Plane& plane : planes) {
        if (plane.before(side) && place_of(a, b, plane.height, plane.determinant < 0.0, sight.width,
                                           sight.height) != kOutside) {
          return true;
        }
      }
    }
  }
  return false;
}

RigError fault_of(const Rig& rig, const Parameters& parameters) {
  const auto views = static_cast<int>(rig.views.size());
  for (int i = 0; i < views; ++i) {
    const View& view = rig.views[static_cast<std::size_t>(i)];
    if (!is_finite(view)) return {RigFault::kNotFinite, i};
    if (!has_inverse(view)) return {RigFault::kNoCamera, i};
    if (!sees_ground(view)) return {RigFault::kGroundBehind, i};
    if (is_below(view)) return {RigFault::kBelow, i};
  }
  const Geometry geometry = geometry_of(rig);
  if (is_at_camera(geometry, parameters)) return {RigFault::kNoGround, rig.reference};
  for (int i = 0; i < views; ++i) {
    if (i == rig.reference) continue;
    const int other = i < rig.reference ? i : i - 1;
    if (!sees_the_same(geometry, geometry.others[static_cast<std::size_t>(other)], parameters)) {
      return {RigFault::kApart, i};
    }
  }
  return {};
}

int pixels_of_speckle(const Rig& rig, const Parameters& parameters) {
  Geometry geometry;
  orient(rig.seen(), geometry.projection);
  const Plane middle = geometry.plane(middle_height(parameters));
  const Vector3 q =
      times(middle.to_ground, (rig.seen().width - 1) / 2.0, (rig.seen().height - 1) / 2.0);
  const double w = row_times(middle.to_pixel.m[2], q.x / q.z, q.y / q.z);
  const Row3 m1 = row_of(geometry.projection, 0);
  const Row3 m2 = row_of(geometry.projection, 1);
  const Row3 m3 = row_of(geometry.projection, 2);
  const double along = (m3.x * m3.x + m3.y * m3.y) + m3.z * m3.z;
  // The square of the pixels a metre.
  const double k2 = length(cross(m1, m3)) * length(cross(m2, m3)) / (along * (w * w));
  const double pixels = std::floor(3.14159265358979323846 * 0.01 * k2 / 3.0);
  constexpr double kMost = 1 << 28;  // the largest picture
  return pixels >= 1.0 ? static_cast<int>(std::min(pixels, kMost)) : 1;
}

}  // namespace

RigError check_rig(const Rig& rig, const Parameters& parameters) {
  return with_standard_floats([&] { return fault_of(rig, parameters); });
}

int speckle_pixels(const Rig& rig, const Parameters& parameters) {
  return with_standard_floats([&] { return pixels_of_speckle(rig, parameters); });
}

}  // namespace rdp::heightmap
