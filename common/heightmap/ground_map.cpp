// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/ground_map.h"

#include <algorithm>

#include "common/rdp/birdseye.h"

namespace rdp::heightmap {
namespace {

constexpr std::int64_t kLargestCell = std::int64_t{1} << 30;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

// Whole millimetres of a length in metres; 0 for less.
std::int64_t millimetres_of(const RoundNumber& length) {
  std::int64_t result = length.exponent < -3 ? 0 : length.digit;
  for (int i = -3; i < length.exponent; ++i) result *= 10;
  return result;
}

}  // namespace

GroundMap ground_map(const Area& area, int cell, int width, int height, int zoom) {
  GroundMap map;
  if (area.empty()) return map;
  // The box may start and end within a cell, so that there may be two cells more than fit.
  const GroundGrid fine = ground_grid(area, cell);
  const auto fit = [](std::int64_t cells, int pixels) {
    return ceil_div(cells, std::max(1, pixels - 2));
  };
  const std::int64_t joined =
      std::max({std::int64_t{1}, fit(fine.columns, width), fit(fine.rows, height)});
  if (joined > kLargestCell / cell) return map;
  map.grid = ground_grid(area, static_cast<int>(joined * cell));
  const std::int64_t wide = map.grid.columns * map.grid.cell;
  const std::int64_t high = map.grid.rows * map.grid.cell;
  if (wide == 0 || high == 0) {
    map.grid.columns = 0;
    return map;
  }
  map.pixel = std::max(ceil_div(wide, width), ceil_div(high, height));
  map.columns = static_cast<int>(ceil_div(wide, map.pixel));
  map.rows = static_cast<int>(ceil_div(high, map.pixel));
  map.left = width - map.columns;
  map.top = (height - map.rows) / 2;
  if (zoom > 0) {
    map.step = round_step(static_cast<double>(kGridSpacing * zoom * map.pixel) / 1000.0);
    map.step_mm = millimetres_of(map.step);
    if (map.step_mm == 0) map.step = {};
  }
  return map;
}

}  // namespace rdp::heightmap
