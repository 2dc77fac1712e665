// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/crowd_camera.h"

#include <cmath>
#include <cstddef>

#include "common/scene/turn.h"

// Only +, -, *, / and square roots of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

constexpr double kFocal = 1750.0;  // of kFocalWidth
constexpr double kFocalWidth = 781.0;
constexpr double kRise = CrowdCamera::kHeight - CrowdCamera::kAim;

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double distance_of_aim() {
  return std::sqrt(CrowdCamera::kDistance * CrowdCamera::kDistance + kRise * kRise);
}

}  // namespace

CrowdMatrix CrowdCamera::projection(double shift) const {
  CrowdMatrix matrix;
  const double column = centre_column + shift;
  for (std::size_t i = 0; i < 3; ++i) {
    matrix[0][i] = focal * right[i] + column * ahead[i];
    matrix[1][i] = focal * down[i] + centre_row * ahead[i];
    matrix[2][i] = ahead[i];
  }
  const double x = -dot(right, eye);
  const double y = -dot(down, eye);
  const double z = -dot(ahead, eye);
  matrix[0][3] = focal * x + column * z;
  matrix[1][3] = focal * y + centre_row * z;
  matrix[2][3] = z;
  return matrix;
}

CrowdCamera crowd_camera(int index, double angle, int width, int height) {
  const Turn step = Turn::of_degrees(angle);
  Turn turn;
  for (int i = 0; i < (index + 1) / 2; ++i) turn = turn.then(step);
  if (index % 2 == 0) turn.sine = -turn.sine;
  const double distance = distance_of_aim();
  const double level = CrowdCamera::kDistance / distance;
  const double fall = kRise / distance;
  CrowdCamera camera;
  camera.focal = kFocal * width / kFocalWidth;
  camera.centre_column = 0.5 * (width - 1);
  camera.centre_row = 0.5 * (height - 1);
  camera.eye = {CrowdCamera::kDistance * turn.sine, -(CrowdCamera::kDistance * turn.cosine),
                CrowdCamera::kHeight};
  camera.right = {turn.cosine, turn.sine, 0.0};
  camera.down = {fall * turn.sine, -(fall * turn.cosine), -level};
  camera.ahead = {-(level * turn.sine), level * turn.cosine, -fall};
  return camera;
}

double crowd_scale(int width) { return crowd_scale_of(kFocal * width / kFocalWidth); }

double crowd_scale_of(double focal) { return focal / distance_of_aim(); }

}  // namespace rdp
