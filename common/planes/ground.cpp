// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/ground.h"

#include <cmath>
#include <cstddef>

#include "common/image/float_environment.h"
#include "common/image/half_turn.h"

namespace rdp::planes {
namespace {

GroundRules with_up(const Parameters& parameters) {
  GroundRules rules;
  const double* up = parameters.up;
  const double length = std::sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
  for (int i = 0; i < 3; ++i) rules.up[i] = length > 0.0 ? up[i] / length : 0.0;
  rules.least_cosine = cosine_of_degrees(parameters.ground_tilt);
  return rules;
}

// Squared distance of a plane's middle from the place below the sensor, in reaches.
double squared_reaches(const Plane& plane) {
  const double beside = dot(plane.centroid, plane.centroid) - plane.distance * plane.distance;
  return beside / (kCloudGroundReach * kCloudGroundReach);
}

// A plane's inliers; in clouds they count less the farther its middle is from the place below the
// sensor.
double weight_of(const Plane& plane, GroundOf what) {
  const auto inliers = static_cast<double>(plane.inliers);
  return what == GroundOf::kFrame ? inliers : inliers / (1.0 + squared_reaches(plane));
}

// The plane with the most weight among those that may be the ground and for which acceptable(i) is
// true; the first of several; -1 if there is none.
template <typename Acceptable>
int largest_of(std::span<const Plane> planes, const GroundRules& rules, GroundOf what,
               Acceptable acceptable) {
  int best = -1;
  double most = 0.0;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const double weight = weight_of(planes[i], what);
    if (best >= 0 && !(weight > most)) continue;
    if (!may_be_ground(planes[i], rules) || !acceptable(i)) continue;
    best = static_cast<int>(i);
    most = weight;
  }
  return best;
}

constexpr double kCloudGroundBend = 0.08;      // per metre
constexpr std::int64_t kShareUnder = 12;       // of a plane's inliers: maximum under the ground
constexpr std::int64_t kShareUnderOfAll = 50;  // of all known points
constexpr double kFarReaches = 2.0;            // a cloud's plane is far beyond these
constexpr std::int64_t kShareOfFar = 100;      // of all known points: minimum of a far plane
constexpr double kShareOfHeight = 0.125;  // of the height: a ground lower by more is another one

// The choice. under(i): how many points lie under planes[i].
template <typename Under>
int index_of_ground(std::span<const Plane> planes, const GroundRules& rules, GroundOf what,
                    std::int64_t known, Under under) {
  const auto is_ground_alone = [&](std::size_t i) {
    return under(i) * kShareUnder <= planes[i].inliers;
  };
  const auto grounds_below = [&](const Plane& plane) {
    std::int64_t inliers = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const double below = dot(plane.normal, planes[i].centroid) - plane.distance;
      if (below > kShareOfHeight * plane.distance && may_be_ground(planes[i], rules) &&
          is_ground_alone(i)) {
        inliers += planes[i].inliers;
      }
    }
    return inliers;
  };
  return largest_of(planes, rules, what, [&](std::size_t i) {
    if (what != GroundOf::kFrame && squared_reaches(planes[i]) > kFarReaches * kFarReaches &&
        planes[i].inliers * kShareOfFar < known) {
      return false;
    }
    return is_ground_alone(i) || (under(i) * kShareUnderOfAll <= known &&
                                  grounds_below(planes[i]) * kShareUnder <= planes[i].inliers);
  });
}

// The normal points down.
Ground ground_of(std::span<const Plane> planes, int index, GroundOf what) {
  Ground ground;
  ground.plane = index;
  if (index < 0) return ground;
  const Plane& plane = planes[static_cast<std::size_t>(index)];
  const double* n = plane.normal;
  const bool forward_left_up = what == GroundOf::kForwardLeftUpCloud;
  const double right = forward_left_up ? -n[1] : n[0];
  const double down = forward_left_up ? -n[2] : n[1];
  const double forward = forward_left_up ? n[0] : n[2];
  ground.height = plane.distance;
  ground.pitch = std::atan2(forward, std::sqrt(right * right + down * down));
  ground.roll = std::atan2(right, down);
  return ground;
}

}  // namespace

GroundRules ground_rules_of_frame(const Parameters& parameters, double noise) {
  return with_standard_floats([&] {
    GroundRules rules = with_up(parameters);
    rules.floor = parameters.noise_floor;
    rules.factor = 1.7 * noise;
    rules.bend = parameters.bend;
    return rules;
  });
}

GroundRules ground_rules_of_cloud(const Parameters& parameters, double tolerance) {
  return with_standard_floats([&] {
    GroundRules rules = with_up(parameters);
    rules.floor = tolerance;
    rules.bend = kCloudGroundBend;
    return rules;
  });
}

bool may_be_ground(const Plane& plane, const GroundRules& rules) {
  const double* n = plane.normal;
  const double* up = rules.up;
  const double rise = n[0] * up[0] + n[1] * up[1] + n[2] * up[2];
  return rise < 0.0 && -rise >= rules.least_cosine;
}

GroundCandidate ground_candidate(const Plane& plane) {
  return {{plane.normal[0], plane.normal[1], plane.normal[2]},
          plane.distance,
          {plane.centroid[0], plane.centroid[1], plane.centroid[2]}};
}

Ground find_ground(std::span<const Plane> planes, std::span<const CellMean> cells,
                   const GroundRules& rules, GroundOf what) {
  return with_standard_floats([&] {
    std::int64_t known = 0;
    for (const CellMean& cell : cells) known += cell.n;
    const int index = index_of_ground(planes, rules, what, known, [&](std::size_t i) {
      const GroundCandidate candidate = ground_candidate(planes[i]);
      std::int64_t under = 0;
      for (const CellMean& cell : cells) {
        if (cell.n > 0 && lies_under(cell.mean, candidate, rules)) under += cell.n;
      }
      return under;
    });
    return ground_of(planes, index, what);
  });
}

Ground choose_ground(std::span<const Plane> planes, std::span<const std::int64_t> under,
                     std::int64_t known, const GroundRules& rules, GroundOf what) {
  return with_standard_floats([&] {
    const int index =
        index_of_ground(planes, rules, what, known, [&](std::size_t i) { return under[i]; });
    return ground_of(planes, index, what);
  });
}

}  // namespace rdp::planes
