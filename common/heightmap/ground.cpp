// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/ground.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/ground_rules.h"
#include "common/heightmap/rules.h"
#include "common/image/float_environment.h"

namespace rdp::heightmap {
namespace {

// The planes of the labels. A few dozen: on the stack, so that nothing is allocated for a frame.
struct Planes {
  Plane of[kMaxHeights];

  Planes(const Rig& rig, const Parameters& parameters) {
    Geometry geometry;
    orient(rig.seen(), geometry.projection);
    for (int l = 0; l < parameters.heights(); ++l) {
      of[l] = geometry.plane(metres(parameters.height_of(l)));
    }
  }
};

void clear(MutableDepthView samples) {
  for (int row = 0; row < samples.height; ++row) {
    std::fill_n(samples.row(row), 2 * static_cast<std::size_t>(samples.width), std::byte{0});
  }
}

// Calls visit (column, row, label) for the known pixels.
template <typename Visit>
void visit_known(const View& seen, const Parameters& parameters,
                 std::span<const std::uint8_t> labels, const Visit& visit) {
  const int unknown = parameters.heights();
  std::size_t i = 0;
  for (int row = 0; row < seen.height; ++row) {
    for (int column = 0; column < seen.width; ++column) {
      const int label = labels[i++];
      if (label != unknown) visit(column, row, label);
    }
  }
}

void draw(const Rig& rig, const Parameters& parameters, std::span<const std::uint8_t> labels,
          const GroundGrid& grid, MutableDepthView samples) {
  clear(samples);
  const Planes planes(rig, parameters);
  visit_known(rig.seen(), parameters, labels, [&](int column, int row, int label) {
    int x = 0;
    int y = 0;
    if (!ground_of(planes.of[label], column, row, &x, &y)) return;
    const std::int64_t u = raster_cell(x, grid.x, grid.cell);
    const std::int64_t v = raster_cell(y, grid.y, grid.cell);
    if (u < 0 || u >= grid.columns || v < 0 || v >= grid.rows) return;
    const std::uint16_t sample = height_sample(parameters.height_of(label));
    if (sample > samples.at(static_cast<int>(v), static_cast<int>(u))) {
      samples.set(static_cast<int>(v), static_cast<int>(u), sample);
    }
  });
}

void write(const Rig& rig, const Parameters& parameters, std::span<const std::uint8_t> labels,
           MutableDepthView samples) {
  clear(samples);
  const Planes planes(rig, parameters);
  double oriented[3][4];
  orient(rig.seen(), oriented);
  const double axis = axis_length(oriented[2]);
  visit_known(rig.seen(), parameters, labels, [&](int column, int row, int label) {
    samples.set(row, column, depth_sample(planes.of[label], axis, column, row));
  });
}

}  // namespace

GroundGrid ground_grid(const Area& area, int cell) {
  GroundGrid grid;
  grid.cell = cell;
  if (area.empty()) return grid;
  const auto by_x = [](const GroundPoint& a, const GroundPoint& b) { return a.x < b.x; };
  const auto by_y = [](const GroundPoint& a, const GroundPoint& b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(area.begin(), area.end(), by_x);
  const auto [front, back] = std::minmax_element(area.begin(), area.end(), by_y);
  const std::int64_t first_column = floor_div(left->x, cell);
  const std::int64_t first_row = floor_div(front->y, cell);
  // The last millimetre is outside of the area.
  grid.columns = -floor_div(-std::int64_t{right->x}, cell) - first_column;
  grid.rows = -floor_div(-std::int64_t{back->y}, cell) - first_row;
  grid.x = static_cast<int>(first_column * cell);
  grid.y = static_cast<int>(first_row * cell);
  return grid;
}

void draw_ground(const Rig& rig, const Parameters& parameters, std::span<const std::uint8_t> labels,
                 const GroundGrid& grid, MutableDepthView grid_samples) {
  with_standard_floats([&] { draw(rig, parameters, labels, grid, grid_samples); });
}

void write_heights(const Parameters& parameters, std::span<const std::uint8_t> labels,
                   MutableDepthView samples) {
  const int unknown = parameters.heights();
  std::size_t i = 0;
  for (int row = 0; row < samples.height; ++row) {
    for (int column = 0; column < samples.width; ++column) {
      const int label = labels[i++];
      samples.set(row, column,
                  label == unknown ? std::uint16_t{0} : height_sample(parameters.height_of(label)));
    }
  }
}

void write_depths(const Rig& rig, const Parameters& parameters,
                  std::span<const std::uint8_t> labels, MutableDepthView samples) {
  with_standard_floats([&] { write(rig, parameters, labels, samples); });
}

}  // namespace rdp::heightmap
