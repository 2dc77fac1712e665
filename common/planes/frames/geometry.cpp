// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/geometry.h"

#include <algorithm>
#include <cmath>

#include "common/planes/ball.h"

namespace rdp::planes {
namespace {

// Rounded, halves up.
std::int32_t rounded(double value) { return static_cast<std::int32_t>(std::floor(value + 0.5)); }

void make_rays(int count, double principal, double focal, std::vector<std::int32_t>* rays) {
  rays->resize(count);
  for (int i = 0; i < count; ++i) {
    (*rays)[i] = rounded((i - principal) / focal * (1 << kRayBits));
  }
}

double widest(const std::vector<std::int32_t>& rays) {
  const double first = std::abs(static_cast<double>(rays.front()));
  const double last = std::abs(static_cast<double>(rays.back()));
  return std::max(first, last) / (1 << kRayBits);
}

}  // namespace

bool rays_fit(int width, int height, const MetricCamera& camera) {
  const auto fits = [](double last, double principal, double focal) {
    const double most = static_cast<double>(kMaxRay) / (1 << kRayBits);
    return std::abs(principal / focal) <= most && std::abs((last - principal) / focal) <= most;
  };
  return camera.distortion.none && fits(width - 1, camera.principal_x, camera.focal_x) &&
         fits(height - 1, camera.principal_y, camera.focal_y);
}

void make_geometry(int width, int height, SampleType type, const MetricCamera& camera,
                   const Parameters& parameters, Geometry* geometry) {
  const std::int64_t pixels = static_cast<std::int64_t>(width) * height;
  // Each step of the shift saves two bits in the sums of products.
  int shift = 0;
  while (pixels > static_cast<std::int64_t>(kMaxPlainPixels) << (2 * shift)) ++shift;
  FrameRules& rules = geometry->rules;
  rules = FrameRules();
  rules.width = width;
  rules.height = height;
  rules.columns = (width + kCell - 1) / kCell;
  rules.rows = (height + kCell - 1) / kCell;
  rules.focal_x = camera.focal_x;
  rules.focal_y = camera.focal_y;
  rules.principal_x = camera.principal_x;
  rules.principal_y = camera.principal_y;
  rules.unit = (1 << shift) / kUnits;
  const double units = 1.0 / rules.unit;  // a metre

  make_rays(width, camera.principal_x, camera.focal_x, &geometry->ray_x);
  make_rays(height, camera.principal_y, camera.focal_y, &geometry->ray_y);
  const std::int32_t most = (1 << (kDepthBits - shift)) - 1;
  geometry->depth.assign(max_sample(type) + 1, 0);
  std::int32_t farthest = 0;
  for (std::uint32_t sample = 1; sample <= max_sample(type); ++sample) {
    const int value = static_cast<int>(sample);
    if (value < parameters.min_value || value > parameters.max_value) continue;
    const double z = depth_of_value(value, camera.depth) * units;
    if (!(z >= 0.5) || !(z < most + 0.5)) continue;
    geometry->depth[sample] = rounded(z);
    farthest = std::max(farthest, geometry->depth[sample]);
  }

  rules.floor = parameters.noise_floor * units;
  rules.bend = parameters.bend;
  rules.noise = parameters.noise;
  rules.noise_scale = 1.7 * rules.unit;
  const double step = camera.depth.reciprocal ? 0.0 : camera.depth.factor * units;
  rules.rounding = step * step / 12.0;
  rules.fill = parameters.fill;
  const double tolerance = parameters.tolerance > 0.0 ? parameters.tolerance : 0.005;
  rules.merge_floor = 1.3 * tolerance * units;
  rules.merge_slope = 1.3 * parameters.tolerance_z2 * rules.unit;
  const double thickness = std::max(0.0, parameters.max_thickness);
  rules.max_thickness = thickness * thickness;
  const int directions = parameters.directions > 0 ? parameters.directions : 45;
  rules.angle_step = kPi / directions;
  const double distance_step = parameters.distance_step > 0.0 ? parameters.distance_step : 0.040;
  rules.distance_step = distance_step * units;
  const double x = widest(geometry->ray_x);
  const double y = widest(geometry->ray_y);
  rules.distances =
      static_cast<int>(farthest * std::sqrt(1.0 + x * x + y * y) / rules.distance_step) +
      static_cast<int>(2.0 * kMaxDistanceSteps) + 2;
  rules.rounds = parameters.rounds > 0 ? parameters.rounds : 4;
  rules.min_inliers =
      parameters.min_inliers > 0 ? parameters.min_inliers : std::max<std::int64_t>(1, pixels / 300);
  rules.min_votes = rules.min_inliers / 4 * 16;
  rules.min_part = pixels / 768;
  rules.max_planes = parameters.max_planes;
  rules.connected = parameters.connected;
  rules.hull = parameters.hull;
}

}  // namespace rdp::planes
