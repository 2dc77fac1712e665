// SPDX-License-Identifier: LGPL-2.1-or-later
// The part of the definition that looks at pictures.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "common/heightmap/reference.h"
#include "common/heightmap/rules.h"

namespace rdp::heightmap::reference {
namespace {

std::size_t index_of(int width, int column, int row) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(column);
}

// The number of census bits that differ between each pixel of the reference and the pixel that
// another view shows of each plane, by pixel and plane.
std::vector<std::uint8_t> differences(const Geometry& geometry, const std::vector<Plane>& planes,
                                      const Sight& sight, const std::vector<std::uint32_t>& of,
                                      const std::vector<std::uint32_t>& in) {
  std::vector<std::uint8_t> result;
  result.reserve(of.size() * planes.size());
  for (int row = 0; row < geometry.height; ++row) {
    for (int column = 0; column < geometry.width; ++column) {
      const double side = row_times(geometry.horizon, column, row);
      const Vector3 a = times(sight.h0, column, row);
      const Vector3 b = times(sight.h1, column, row);
      for (const Plane& plane : planes) {
        const std::int32_t place =
            plane.before(side)
                ? place_of(a, b, plane.height, plane.determinant < 0.0, sight.width, sight.height)
                : kOutside;
        const int bits = place == kOutside
                             ? kOutsideBits
                             : std::popcount(of[index_of(geometry.width, column, row)] ^
                                             in[static_cast<std::size_t>(place)]);
        result.push_back(static_cast<std::uint8_t>(bits));
      }
    }
  }
  return result;
}

}  // namespace

int smoothed(const DepthView& picture, int row, int column) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      sum += picture.at(std::clamp(row + dy, 0, picture.height - 1),
                        std::clamp(column + dx, 0, picture.width - 1)) *
             (dx == 0 ? 2 : 1) * (dy == 0 ? 2 : 1);
    }
  }
  return sum;
}

std::vector<std::uint32_t> census(const DepthView& picture) {
  std::vector<int> smooth;
  for (int row = 0; row < picture.height; ++row) {
    for (int column = 0; column < picture.width; ++column) {
      smooth.push_back(smoothed(picture, row, column));
    }
  }
  std::vector<std::uint32_t> result;
  for (int row = 0; row < picture.height; ++row) {
    for (int column = 0; column < picture.width; ++column) {
      std::uint32_t bits = 0;
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          if (dx == 0 && dy == 0) continue;
          const int other =
              smooth[index_of(picture.width, std::clamp(column + dx, 0, picture.width - 1),
                              std::clamp(row + dy, 0, picture.height - 1))];
          const int centre = smooth[index_of(picture.width, column, row)];
          bits = 2 * bits + (other >= centre ? 1U : 0U);
        }
      }
      result.push_back(bits);
    }
  }
  return result;
}

bool is_plain(const DepthView& picture, int row, int column, int reach) {
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const int grey = picture.at(std::clamp(row + dy, 0, picture.height - 1),
                                  std::clamp(column + dx, 0, picture.width - 1));
      if (grey != picture.at(row, column)) return false;
    }
  }
  return true;
}

std::vector<std::uint8_t> costs(const Geometry& geometry, const Rig& rig,
                                const Parameters& parameters,
                                const std::vector<std::int32_t>& potential,
                                std::span<const DepthView> pictures) {
  const int width = geometry.width;
  const int heights = parameters.heights();
  const int lows = parameters.low_heights();
  const int reach = parameters.window / 2;
  const int pixels = parameters.window * parameters.window;
  const auto views = static_cast<int>(geometry.others.size());

  // The planes: those of the labels, then the low ones.
  std::vector<Plane> planes;
  for (int l = 0; l < heights; ++l)
    planes.push_back(geometry.plane(metres(parameters.height_of(l))));
  for (int l = 0; l < lows; ++l) planes.push_back(geometry.plane(metres(l * parameters.low_step)));

  const auto reference = static_cast<std::size_t>(rig.reference);
  const std::vector<std::uint32_t> of = census(pictures[reference]);
  std::vector<std::vector<std::uint8_t>> differ;  // for each other view
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (i == reference) continue;
    differ.push_back(
        differences(geometry, planes, geometry.others[differ.size()], of, census(pictures[i])));
  }

  std::vector<std::uint8_t> result;
  std::vector<int> sums(planes.size());
  std::vector<int> all(planes.size());
  std::vector<int> least(planes.size());
  for (int row = 0; row < geometry.height; ++row) {
    for (int column = 0; column < width; ++column) {
      const std::int32_t middle = potential[index_of(width, column, row)];
      std::fill(all.begin(), all.end(), 0);
      std::fill(least.begin(), least.end(), kCensusBits * pixels);
      for (const std::vector<std::uint8_t>& bits : differ) {
        std::fill(sums.begin(), sums.end(), 0);
        for (int dy = -reach; dy <= reach; ++dy) {
          for (int dx = -reach; dx <= reach; ++dx) {
            const std::size_t q = index_of(width, std::clamp(column + dx, 0, width - 1),
                                           std::clamp(row + dy, 0, geometry.height - 1));
            const int up = potential[q] - middle;
            const std::uint8_t* at_q = &bits[q * planes.size()];
            for (int l = 0; l < heights; ++l) {
              sums[static_cast<std::size_t>(l)] += at_q[std::clamp(l + up, 0, heights - 1)];
            }
            for (int l = heights; l < heights + lows; ++l) {
              sums[static_cast<std::size_t>(l)] += at_q[l];
            }
          }
        }
        for (std::size_t l = 0; l < planes.size(); ++l) {
          all[l] += sums[l];
          least[l] = std::min(least[l], sums[l]);
        }
      }
      const bool plain = is_plain(pictures[reference], row, column, plain_reach(parameters.window));
      int best = kMaxCost;
      int low = kMaxCost + 1;  // none
      for (std::size_t l = 0; l < planes.size(); ++l) {
        int cost = window_cost(all[l], least[l], views, pixels);
        if (l < static_cast<std::size_t>(heights)) {
          if (plain) cost = std::max<int>(cost, kPlainCost);
          best = std::min(best, cost);
          result.push_back(static_cast<std::uint8_t>(cost));
        } else {
          low = std::min(low, cost);
        }
      }
      const int unknown = unknown_cost(low, parameters.unknown_cost, parameters.low_bias);
      result.push_back(
          static_cast<std::uint8_t>(plain ? plain_unknown_cost(unknown, best) : unknown));
    }
  }
  return result;
}

}  // namespace rdp::heightmap::reference
