// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/ground.h"

#include <cmath>

#include "common/image/float_environment.h"

namespace rdp::obstacles {
namespace {

// The cosine of an angle in degrees, bit-identical on every machine.
double cosine(double degrees) {
  constexpr double kRadians = 3.14159265358979323846 / 180.0;
  const double t = std::abs(degrees);
  const bool beyond = t > 90.0;
  const double x = (beyond ? 180.0 - t : t) * kRadians;
  double term = 1.0;
  double sum = 1.0;
  for (int i = 1; i <= 12; ++i) {
    term = -term * x * x / static_cast<double>((2 * i - 1) * (2 * i));
    sum = sum + term;
  }
  return beyond ? -sum : sum;
}

std::optional<Ground> normalised(const double normal[3], double distance) {
  const double length = length_of(normal);
  if (!(length > 0.0 && std::isfinite(length))) return {};
  Ground ground;
  for (int i = 0; i < 3; ++i) ground.normal[i] = normal[i] / length;
  ground.distance = distance / length;
  if (!(ground.distance > 0.0 && ground.distance <= kMostGroundDistance)) return {};
  return ground;
}

}  // namespace

std::optional<Ground> ground_of_plane(const double normal[3], double distance) {
  return with_standard_floats([&] { return normalised(normal, distance); });
}

std::optional<Ground> ground_of_mount(double height, double pitch, double roll) {
  return with_standard_floats([&] {
    const double level = cosine(pitch);
    const double normal[3] = {cosine(roll - 90.0) * level, cosine(roll) * level,
                              cosine(pitch - 90.0)};
    return normalised(normal, height);
  });
}

std::optional<Ground> ground_of_line(double a, double b, double c, double scale,
                                     const CameraLens& lens) {
  return with_standard_floats([&] {
    const double m[3] = {a * lens.focal_x, b * lens.focal_y,
                         (c + a * lens.principal_x) + b * lens.principal_y};
    return normalised(m, scale);
  });
}

std::optional<Ground> ground_of_pose(const Pose& pose) {
  return with_standard_floats([&] {
    const double normal[3] = {-pose.m[8], -pose.m[9], -pose.m[10]};
    return normalised(normal, pose.m[11]);
  });
}

}  // namespace rdp::obstacles
