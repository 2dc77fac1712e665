// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/potential.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/image/float_environment.h"

namespace rdp::heightmap {
namespace {

constexpr double kSteepest = 4.0;     // labels a pixel
constexpr std::int64_t kOne = 65536;  // the potential has 16 bits of fraction

std::int64_t to_fixed(double slope) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(kOne) * slope + 0.5));
}

double limited(double slope) {
  return std::isfinite(slope) ? std::clamp(slope, -kSteepest, kSteepest) : 0.0;
}

std::vector<std::int32_t> sum_slopes(const Geometry& geometry, const Parameters& parameters) {
  const int width = geometry.width;
  const int height = geometry.height;
  const Plane middle = geometry.plane(middle_height(parameters));
  const auto slope = [&](int column, int row) {
    return slope_at(middle, geometry, parameters, column, row);
  };
  std::vector<std::int32_t> result(static_cast<std::size_t>(width) *
                                   static_cast<std::size_t>(height));
  const auto store = [&](int column, int row, std::int64_t potential) {
    result[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(column)] =
        static_cast<std::int32_t>((potential + kOne / 2) >> 16);
  };
  const int middle_row = height / 2;
  std::int64_t in_row = 0;
  for (int column = 0; column < width; ++column) {
    if (column > 0) in_row += to_fixed(slope(column - 1, middle_row).x);
    store(column, middle_row, in_row);
    std::int64_t below = in_row;
    for (int row = middle_row + 1; row < height; ++row) {
      below += to_fixed(slope(column, row - 1).y);
      store(column, row, below);
    }
    std::int64_t above = in_row;
    for (int row = middle_row - 1; row >= 0; --row) {
      above -= to_fixed(slope(column, row).y);
      store(column, row, above);
    }
  }
  return result;
}

}  // namespace

Slope slope_at(const Plane& middle, const Geometry& geometry, const Parameters& parameters,
               int column, int row) {
  const Vector3 q = times(middle.to_ground, column, row);
  if (!middle.before(q.z)) return {0.0, 0.0};
  const double x = q.x / q.z;
  const double y = q.y / q.z;
  const Vector3 at = times(middle.to_pixel, x, y);
  const double(&p)[3][4] = geometry.projection;
  const double vx = (p[0][2] * at.z - at.x * p[2][2]) / (at.z * at.z);
  const double vy = (p[1][2] * at.z - at.y * p[2][2]) / (at.z * at.z);
  const double m = (vx * vx + vy * vy) * metres(parameters.height_step);
  const double dx = x - geometry.eye.x;
  const double dy = y - geometry.eye.y;
  const double dz = middle.height - geometry.eye.z;
  const double level = dx * dx + dy * dy;
  const double upright = std::min(1.0, 2.0 * (level / (level + dz * dz)));
  return {limited(upright * (vx / m)), limited(upright * (vy / m))};
}

std::vector<std::int32_t> potential_of(const Geometry& geometry, const Parameters& parameters) {
  if (!parameters.slope) {
    return std::vector<std::int32_t>(static_cast<std::size_t>(geometry.width) *
                                     static_cast<std::size_t>(geometry.height));
  }
  return with_standard_floats([&] { return sum_slopes(geometry, parameters); });
}

}  // namespace rdp::heightmap
