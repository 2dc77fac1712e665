// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/height_field.h"

#include <algorithm>
#include <cstddef>

#include "common/heightmap/census_rows.h"
#include "common/heightmap/cost_tiles.h"
#include "common/heightmap/geometry.h"
#include "common/heightmap/message_layout.h"
#include "common/heightmap/plain_costs.h"
#include "common/heightmap/potential.h"
#include "common/heightmap/rules.h"
#include "common/image/grow_buffer.h"

namespace rdp::bench {
namespace {

using heightmap::Geometry;
using heightmap::Parameters;

// Margin of a view's census, for reads by vectors and outside of the picture.
constexpr std::size_t kAround = 16;

}  // namespace

HeightField height_field(const heightmap::Rig& rig, const Parameters& parameters,
                         std::span<const DepthView> pictures) {
  const Geometry geometry = heightmap::geometry_of(rig);
  HeightField field{
      geometry.width, geometry.height, heightmap::potential_of(geometry, parameters), {}};
  std::vector<heightmap::Plane> planes;
  for (int l = 0; l < parameters.heights(); ++l) {
    planes.push_back(geometry.plane(heightmap::metres(parameters.height_of(l))));
  }
  for (int l = 0; l < parameters.low_heights(); ++l) {
    planes.push_back(geometry.plane(heightmap::metres(l * parameters.low_step)));
  }

  std::vector<GrowBuffer<std::uint32_t>> census(pictures.size());
  std::vector<const std::uint32_t*> others;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const DepthView& picture = pictures[i];
    std::uint32_t* const numbers = census[i].ensure(static_cast<std::size_t>(picture.width) *
                                                        static_cast<std::size_t>(picture.height) +
                                                    2 * kAround);
    numbers[kAround - 1] = heightmap::kOutsideCensus;
    std::vector<std::uint16_t> scratch(heightmap::census_scratch(picture.width));
    heightmap::census_rows(picture, 0, picture.height, scratch.data(), numbers + kAround);
    if (static_cast<int>(i) != rig.reference) others.push_back(numbers + kAround);
  }

  heightmap::CostField costs;
  costs.geometry = &geometry;
  costs.parameters = parameters;
  costs.planes = planes.data();
  costs.potential = field.potential.data();
  costs.of = census[static_cast<std::size_t>(rig.reference)].data() + kAround;
  costs.in = others.data();
  costs.layout = heightmap::MessageLayout(geometry.width, geometry.height, parameters.heights());
  GrowBuffer<std::uint8_t> laid_out;
  costs.costs = laid_out.ensure(costs.layout.bytes());
  const int spread = heightmap::most_spread(field.potential.data(), geometry.width, geometry.height,
                                            parameters.window);
  GrowBuffer<std::byte> scratch;
  scratch.ensure(heightmap::tile_scratch(parameters, costs.views(), spread));
  for (int left = 0; left < geometry.width; left += heightmap::kTileColumns) {
    heightmap::tile_costs(
        costs, {left, std::min(left + heightmap::kTileColumns, geometry.width), 0, geometry.height},
        spread, scratch.data());
  }
  GrowBuffer<std::byte> plain;
  heightmap::fix_textureless_costs(
      pictures[static_cast<std::size_t>(rig.reference)], parameters, 0, geometry.height,
      costs.layout, plain.ensure(heightmap::plain_scratch(geometry.width)), costs.costs);

  const int labels = parameters.heights() + 1;
  field.costs.reserve(field.potential.size() * static_cast<std::size_t>(labels));
  for (int y = 0; y < geometry.height; ++y) {
    for (int x = 0; x < geometry.width; ++x) {
      const std::uint8_t* const first = costs.costs + costs.layout.costs(y, (x + y) & 1) + x / 2;
      for (int l = 0; l < labels; ++l) field.costs.push_back(first[l * costs.layout.stride]);
    }
  }
  return field;
}

std::vector<float> whole_rises(const HeightField& field, const Parameters& parameters) {
  std::vector<float> rises;
  rises.reserve(4 * field.potential.size());
  for (int y = 0; y < field.height; ++y) {
    for (int x = 0; x < field.width; ++x) {
      const std::ptrdiff_t p = std::ptrdiff_t{y} * field.width + x;
      const auto rise = [&](bool inside, std::ptrdiff_t q) {
        return inside ? static_cast<float>(heightmap::rise(
                            field.potential[static_cast<std::size_t>(p)],
                            field.potential[static_cast<std::size_t>(q)], parameters.max_slope))
                      : 0.0F;
      };
      rises.push_back(rise(x > 0, p - 1));
      rises.push_back(rise(x + 1 < field.width, p + 1));
      rises.push_back(rise(y > 0, p - field.width));
      rises.push_back(rise(y + 1 < field.height, p + field.width));
    }
  }
  return rises;
}

std::vector<float> sloped_rises(const heightmap::Rig& rig, const Parameters& parameters) {
  const Geometry geometry = heightmap::geometry_of(rig);
  const heightmap::Plane middle = geometry.plane(heightmap::middle_height(parameters));
  std::vector<float> rises;
  for (int y = 0; y < geometry.height; ++y) {
    for (int x = 0; x < geometry.width; ++x) {
      const heightmap::Slope slope = heightmap::slope_at(middle, geometry, parameters, x, y);
      for (const double rise : {-slope.x, slope.x, -slope.y, slope.y}) {
        rises.push_back(static_cast<float>(rise));
      }
    }
  }
  return rises;
}

}  // namespace rdp::bench
