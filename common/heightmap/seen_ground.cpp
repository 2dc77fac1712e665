// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/seen_ground.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/heightmap/geometry.h"
#include "common/image/float_environment.h"

namespace rdp::heightmap {
namespace {

constexpr int kSteps = 32;           // of the lattice of pixels that is looked at, on each side
constexpr double kFarthestOf = 8.0;  // times the nearest

// The place of the lattice's pixel `i` of `pixels`.
int lattice(int i, int pixels) { return static_cast<int>(std::int64_t{pixels - 1} * i / kSteps); }

bool is_seen(const Geometry& geometry, const Plane& plane, int column, int row) {
  return std::any_of(geometry.others.begin(), geometry.others.end(), [&](const Sight& sight) {
    return place_of(times(sight.h0, column, row), times(sight.h1, column, row), plane.height,
                    plane.determinant < 0.0, sight.width, sight.height) != kOutside;
  });
}

Area find(const Rig& rig, const Parameters& parameters) {
  struct Place {
    GroundPoint at;
    double squared;  // of its distance from the camera, m
  };
  std::array<Place, (kSteps + 1) * (kSteps + 1)> places;
  std::size_t count = 0;
  const Geometry geometry = geometry_of(rig);
  const Plane plane = geometry.plane(middle_height(parameters));
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j <= kSteps; ++j) {
      const int row = lattice(i, geometry.height);
      const int column = lattice(j, geometry.width);
      GroundPoint at{};
      if (!ground_of(plane, column, row, &at.x, &at.y)) continue;
      if (!is_seen(geometry, plane, column, row)) continue;
      const double x = at.x / 1000.0 - geometry.eye.x;
      const double y = at.y / 1000.0 - geometry.eye.y;
      const double z = plane.height - geometry.eye.z;
      places[count++] = {at, (x * x + y * y) + z * z};
    }
  }
  if (count == 0) return {};
  const auto end = places.begin() + static_cast<std::ptrdiff_t>(count);
  const double nearest = std::min_element(places.begin(), end, [](const Place& a, const Place& b) {
                           return a.squared < b.squared;
                         })->squared;
  GroundPoint low{kFarthest, kFarthest};
  GroundPoint high{-kFarthest, -kFarthest};
  for (auto place = places.begin(); place != end; ++place) {
    if (!(place->squared <= kFarthestOf * kFarthestOf * nearest)) continue;
    low = {std::min(low.x, place->at.x), std::min(low.y, place->at.y)};
    high = {std::max(high.x, place->at.x), std::max(high.y, place->at.y)};
  }
  return {low, {high.x, low.y}, high, {low.x, high.y}};
}

}  // namespace

Area seen_ground(const Rig& rig, const Parameters& parameters) {
  Area area;
  with_standard_floats([&] { area = find(rig, parameters); });
  return area;
}

}  // namespace rdp::heightmap
