// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/planes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/planes/ball.h"
#include "common/planes/hull.h"

namespace rdp::planes {
namespace {

constexpr double kCloudTolerance = 0.020;  // m
constexpr double kCloudMaxThickness = 0.2;
constexpr int kCloudDirections = 45;
constexpr int kCloudRounds = 2;

}  // namespace

CloudSettings cloud_settings(const CloudView& cloud, const Parameters& parameters) {
  CloudSettings settings;
  settings.unit = cloud.unit;
  settings.resolution = parameters.resolution;
  settings.tolerance = parameters.tolerance > 0.0 ? parameters.tolerance : kCloudTolerance;
  settings.distance_step = parameters.distance_step;
  const double thickness =
      parameters.max_thickness < 0.0 ? kCloudMaxThickness : parameters.max_thickness;
  settings.max_thickness = thickness * thickness;
  settings.directions = parameters.directions > 0 ? parameters.directions : kCloudDirections;
  settings.angle_step = kPi / settings.directions;
  settings.rounds = parameters.rounds > 0 ? parameters.rounds : kCloudRounds;
  settings.min_level = std::max(0, parameters.min_level);
  settings.max_depth = std::clamp(parameters.max_depth, 0, kMaxCloudDepth);
  settings.min_points = std::max(1, parameters.min_points);
  settings.min_inliers = std::max<std::int64_t>(0, parameters.min_inliers);
  settings.max_planes = std::clamp(parameters.max_planes, 1, kMaxPlanes);
  settings.zero_is_unknown = parameters.zero_is_unknown;
  settings.hull = parameters.hull;
  return settings;
}

void read_point(const CloudView& cloud, std::size_t point, float v[3]) {
  std::memcpy(v, cloud.data + point * cloud.step + cloud.offset, 3 * sizeof(float));
}

Plane cloud_plane_in_metres(const CloudRules& rules, const CloudView& cloud, const Moments& moments,
                            const Fit& fit) {
  Plane plane = plane_in_metres(moments, fit, rules.unit);
  const GroundCandidate place = cloud_plane(rules, cloud.unit, fit);
  std::copy_n(place.normal, 3, plane.normal);
  std::copy_n(place.centroid, 3, plane.centroid);
  plane.distance = place.distance;
  return plane;
}

void add_cloud_hull(const CloudRules& rules, const CloudView& cloud,
                    const CloudPoint corners[kHullDirections], PlaneSet* set) {
  Plane& plane = set->planes.back();
  plane.first_corner = static_cast<std::uint32_t>(set->corners.size());
  const auto same = [&](int i, int j) {
    return std::equal(corners[i].at, corners[i].at + 3, corners[j].at);
  };
  int last = 0;
  for (int i = 0; i < kHullDirections; ++i) {
    if (i > 0 && (same(i, last) || same(i, 0))) continue;
    last = i;
    Corner corner;
    for (int k = 0; k < 3; ++k) {
      corner.point[k] = cloud_metres(rules, cloud.unit, static_cast<double>(corners[i].at[k]), k);
    }
    const double off = dot(plane.normal, corner.point) - plane.distance;
    for (int k = 0; k < 3; ++k) corner.point[k] = corner.point[k] - off * plane.normal[k];
    set->corners.push_back(corner);
  }
  plane.corners = static_cast<std::uint32_t>(set->corners.size()) - plane.first_corner;
  plane.area = area_of(set->corners.data() + plane.first_corner, plane.corners);
}

CellMean cloud_cell_mean(const CloudRules& rules, const CloudView& cloud, const Moments& cell) {
  CellMean mean;
  mean.n = static_cast<std::int64_t>(cell.n);
  mean_of(cell, mean.mean);
  for (int i = 0; i < 3; ++i) mean.mean[i] = cloud_metres(rules, cloud.unit, mean.mean[i], i);
  return mean;
}

GroundRules ground_rules_of(const CloudView& cloud, const Parameters& parameters) {
  Parameters turned = parameters;
  const Parameters usual;
  // The default of `up` for such clouds.
  if (cloud.forward_left_up && !parameters.up_given &&
      std::equal(usual.up, usual.up + 3, parameters.up)) {
    turned.up[0] = 0.0;
    turned.up[1] = 0.0;
    turned.up[2] = 1.0;
  }
  return ground_rules_of_cloud(turned,
                               parameters.tolerance > 0.0 ? parameters.tolerance : kCloudTolerance);
}

}  // namespace rdp::planes
