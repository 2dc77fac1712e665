// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/ground.h"

#include <cmath>

#include "common/image/float_environment.h"
#include "common/image/half_turn.h"

namespace rdp::obstacles {
namespace {

std::optional<Ground> normalised(const double normal[3], double distance) {
  const double length = length_of(normal);
  if (!(length > 0.0 && std::isfinite(length))) return {};
  Ground ground;
  for (int i = 0; i < 3; ++i) ground.normal[i] = normal[i] / length;
  ground.distance = distance / length;
  if (!(ground.distance > 0.0 && ground.distance <= kMaxGroundDistance)) return {};
  return ground;
}

}  // namespace

std::optional<Ground> ground_of_plane(const double normal[3], double distance) {
  return with_standard_floats([&] { return normalised(normal, distance); });
}

std::optional<Ground> ground_of_mount(double height, double pitch, double roll) {
  return with_standard_floats([&] {
    const double level = cosine_of_degrees(pitch);
    const double normal[3] = {cosine_of_degrees(roll - 90.0) * level,
                              cosine_of_degrees(roll) * level, cosine_of_degrees(pitch - 90.0)};
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
