// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/geometry.h"

#include <algorithm>
#include <cmath>

#include "common/image/half_turn.h"

namespace rdp::obstacles {
namespace {

constexpr double kSteepestRay = 2.0;

// The rays of columns or rows, and the range of those no steeper than kSteepestRay.
void make_rays(int count, double principal, double focal, std::vector<double>* rays,
               std::int32_t* first, std::int32_t* end) {
  rays->resize(static_cast<std::size_t>(count));
  *first = count;
  *end = 0;
  for (int i = 0; i < count; ++i) {
    const double ray = (i - principal) / focal;
    (*rays)[static_cast<std::size_t>(i)] = ray;
    if (!(std::abs(i - principal) <= kSteepestRay * focal)) continue;
    *first = std::min(*first, i);
    *end = i + 1;
  }
  if (*end == 0) *first = 0;
}

std::int32_t q14(double share) {
  return static_cast<std::int32_t>(std::floor(16384.0 * share + 0.5));
}

}  // namespace

std::int32_t millimetres(double metres) {
  return static_cast<std::int32_t>(std::floor(1000.0 * metres + 0.5));
}

Direction direction_of(int part, int parts) {
  return {q14(cosine_of_part(part, parts)), q14(sine_of_part(part, parts))};
}

void make_tables(int width, int height, SampleType type, const MetricCamera& camera,
                 const Parameters& parameters, CameraTables* tables) {
  const std::size_t values = std::size_t{max_sample(type)} + 1;
  tables->depth.assign(values, 0);
  tables->inverse.assign(values, 0);
  for (std::uint32_t v = 1; v < values; ++v) {
    if (!parameters.known.contains(v)) continue;
    const double z = depth_of_value(v, camera.depth) * 1000.0;
    if (!(z >= 0.5 && z < kMaxRange + 0.5)) continue;
    tables->depth[v] = static_cast<std::int32_t>(std::floor(z + 0.5));
    tables->inverse[v] = static_cast<std::int32_t>(std::floor(268435456.0 / z + 0.5));
  }

  FrameRules& rules = tables->rules;
  rules = FrameRules();
  rules.width = width;
  rules.height = height;
  make_rays(width, camera.principal_x, camera.focal_x, &tables->ray_x, &rules.first_column,
            &rules.end_column);
  make_rays(height, camera.principal_y, camera.focal_y, &tables->ray_y, &rules.first_row,
            &rules.end_row);
  rules.min_height = std::max(millimetres(parameters.min_height), 1);
  rules.max_height = millimetres(parameters.max_height);
  rules.tolerance =
      static_cast<std::int32_t>(std::floor(65536.0 * parameters.ground_tolerance + 0.5));
  rules.drop_depth = millimetres(parameters.drop_depth);
  rules.range = std::clamp(millimetres(parameters.range), 1, kMaxRange);
  rules.cell = std::clamp(millimetres(parameters.cell_size), 1, kMaxRange);
  rules.inverse_cell = 1.0F / static_cast<float>(rules.cell);
  rules.cell_samples = parameters.cell_samples;
  rules.bins = parameters.scan_bins;
  rules.free_gap = millimetres(parameters.free_gap);
  tables->lens = {camera.focal_x,     camera.focal_y, camera.principal_x,
                  camera.principal_y, width / 2,      height / 2};
  tables->object_rules = {parameters.link, millimetres(parameters.split_height),
                          parameters.object_samples, parameters.max_objects, rules.max_height};

  // Bearings as multiples of 1 / (720 bins) of a turn; one full turn is added to keep them
  // positive.
  const int bins = parameters.scan_bins;
  const int fov = parameters.scan_fov;
  tables->edges.clear();
  tables->middles.clear();
  for (int k = 0; k <= bins; ++k) {
    tables->edges.push_back(direction_of(fov * (2 * k - bins) + 720 * bins, 360 * bins));
  }
  for (int k = 0; k < bins; ++k) {
    tables->middles.push_back(direction_of(fov * (2 * k + 1 - bins) + 720 * bins, 360 * bins));
  }
}

GridPlace grid_of(const FrameRules& rules) {
  return {rules.cell, rules.columns, rules.rows, rules.x0, rules.y0};
}

void mark_area(const std::vector<AreaCorner>& area, const FrameRules& rules,
               std::vector<std::uint8_t>* inside) {
  // Half millimetres, of corners and of the middles of cells.
  static constexpr double kMaxCorner = 1e6;
  const auto halves = [](double metres) {
    return std::int64_t{2} * millimetres(std::clamp(metres, -kMaxCorner, kMaxCorner));
  };
  inside->resize(static_cast<std::size_t>(rules.cells()));
  std::uint8_t* to = inside->data();
  for (int j = 0; j < rules.rows; ++j) {
    const std::int64_t y = 2 * (std::int64_t{rules.y0} + std::int64_t{j} * rules.cell) + rules.cell;
    for (int i = 0; i < rules.columns; ++i) {
      const std::int64_t x =
          2 * (std::int64_t{rules.x0} + std::int64_t{i} * rules.cell) + rules.cell;
      bool in = false;
      for (std::size_t c = 0; c < area.size(); ++c) {
        const AreaCorner& a = area[c];
        const AreaCorner& b = area[(c + 1) % area.size()];
        const std::int64_t ax = halves(a.x), ay = halves(a.y), bx = halves(b.x), by = halves(b.y);
        if ((ay > y) == (by > y)) continue;
        const std::int64_t left = (x - ax) * (by - ay);
        const std::int64_t right = (bx - ax) * (y - ay);
        if (by > ay ? left < right : left > right) in = !in;
      }
      *to++ = in ? 1 : 0;
    }
  }
}

}  // namespace rdp::obstacles
