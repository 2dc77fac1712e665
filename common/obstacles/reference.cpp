// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/reference.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "common/image/float_environment.h"
#include "common/obstacles/geometry.h"
#include "common/obstacles/objects.h"
#include "common/obstacles/refinement.h"

namespace rdp::obstacles::reference {
namespace {

struct Cell {
  CellSum sum;
  bool ground = false;
};

GroundSums sum_ground(const DepthView& frame, const CameraTables& tables, const Ground& ground,
                      const GroundBand& band) {
  GroundSums sums;
  const FrameRules& rules = tables.rules;
  const Axes axes = axes_of(ground);
  const int step = refinement_step(frame.width);
  for (int row = 0; row < frame.height; row += step) {
    for (int column = 0; column < frame.width; column += step) {
      if (row < rules.first_row || row >= rules.end_row || column < rules.first_column ||
          column >= rules.end_column) {
        continue;
      }
      const std::uint16_t sample = frame.at(row, column);
      const std::int32_t z = tables.depth[sample];
      if (z == 0 || z > rules.range) continue;
      const std::int32_t ray =
          column_ray(axes.r[2], tables.ray_x[static_cast<std::size_t>(column)]) +
          row_ray(axes.r[2], tables.ray_y[static_cast<std::size_t>(row)]);
      const std::int32_t h = axes.height + along_ray(z, ray);
      const std::int32_t most = band.base + (z * band.slope >> 16);
      if (h < -most) ++sums.below;
      if (h < -most || 2 * h > most) continue;
      const std::int64_t x = column - tables.lens.middle_x;
      const std::int64_t y = row - tables.lens.middle_y;
      const std::int64_t u = tables.inverse[sample];
      sums.n += 1;
      sums.x += x;
      sums.y += y;
      sums.u += u;
      sums.xx += x * x;
      sums.xy += x * y;
      sums.yy += y * y;
      sums.xu += x * u;
      sums.yu += y * u;
    }
  }
  return sums;
}

Refined refine_with(const DepthView& frame, const CameraTables& tables, const Ground& start) {
  return refine_ground(start, tables, [&](const Ground& ground, const GroundBand& band) {
    return sum_ground(frame, tables, ground, band);
  });
}

// A frame's samples on the ground, and their counts.
struct Field {
  Field(const DepthView& its_frame, const CameraTables& its_tables, const Axes& its_axes,
        const Parameters& parameters)
      : frame(its_frame), tables(its_tables), axes(its_axes), rules(rules_of(tables, axes)) {
    if (!parameters.area.empty()) mark_area(parameters.area, rules, &inside);
    for (int k = 0; k < 3; ++k) {
      for (const double x : tables.ray_x) columns[k].push_back(column_ray(axes.r[k], x));
      for (const double y : tables.ray_y) rows[k].push_back(row_ray(axes.r[k], y));
    }
  }

  Placed place(int row, int column) const {
    if (row < rules.first_row || row >= rules.end_row || column < rules.first_column ||
        column >= rules.end_column) {
      return {0, 0, 0, 0, -1, kUnknown};
    }
    std::int32_t rays[3];
    for (int k = 0; k < 3; ++k) {
      rays[k] =
          columns[k][static_cast<std::size_t>(column)] + rows[k][static_cast<std::size_t>(row)];
    }
    return place_sample(tables.depth[frame.at(row, column)], rays[0], rays[1], rays[2], rules,
                        inside.empty() ? nullptr : inside.data());
  }
  template <typename Body>
  void for_each_sample(const Body& body) const {
    for (int row = 0; row < frame.height; ++row) {
      for (int column = 0; column < frame.width; ++column) body(row, column, place(row, column));
    }
  }

  const DepthView& frame;
  const CameraTables& tables;
  const Axes& axes;
  FrameRules rules;
  std::vector<std::int32_t> columns[3], rows[3];  // contributions to coordinates
  std::vector<std::uint8_t> inside;               // empty: all cells are inside
  std::vector<Cell> cells;
};

void count_samples(Field* field, Obstacles* result) {
  const FrameRules& rules = field->rules;
  field->cells.resize(static_cast<std::size_t>(rules.cells()));
  std::vector<RingSum> rings(static_cast<std::size_t>(rules.bins) * kRings);
  field->for_each_sample([&](int, int, const Placed& p) {
    result->classes.push_back(p.kind);
    if (p.cell < 0) return;
    Cell& cell = field->cells[static_cast<std::size_t>(p.cell)];
    if (p.kind == kGround) cell.ground = true;
    if (p.kind != kObstacle && p.kind != kDrop) return;
    ++cell.sum.count;
    if (p.kind == kObstacle) {
      cell.sum.top = std::max(cell.sum.top, p.h);
      cell.sum.parts |= std::uint64_t{1} << part_of_cell(p, rules);
    }
    const int bin = p.x > 0 ? bin_of(p.x, p.y, field->tables.edges.data(), rules.bins) : -1;
    if (bin < 0) return;
    RingSum& ring = rings[static_cast<std::size_t>(ring_place(ring_of(p.rho), bin, rules.bins))];
    ++ring.count;
    ring.sum += static_cast<std::uint64_t>(p.rho);
  });
  for (int k = 0; k < rules.bins; ++k) result->ranges.push_back(range_of(rings.data(), k, rules));
}

void decide_states(const Field& field, Obstacles* result) {
  const FrameRules& rules = field.rules;
  const CellView view = view_of(field.axes, field.tables.lens);
  const auto ground_at = [&](std::int32_t column, std::int32_t row) {
    const auto pixel = static_cast<std::size_t>(row) * static_cast<std::size_t>(rules.width) +
                       static_cast<std::size_t>(column);
    return result->classes[pixel] == kGround ? field.tables.depth[field.frame.at(row, column)] : 0;
  };
  for (int index = 0; index < rules.cells(); ++index) {
    const auto place = static_cast<std::size_t>(index);
    const Cell& cell = field.cells[place];
    const bool inside = field.inside.empty() || field.inside[place] != 0;
    CellState state = kUnseen;
    if (inside) state = state_of(cell.sum, cell.ground, rules.cell_samples);
    if (inside && state == kUnseen && cell.sum.count == 0 &&
        is_seen_free(index, view, rules, ground_at)) {
      state = kFree;
    }
    result->states.push_back(state);
    result->tops.push_back(state == kOccupied ? static_cast<std::uint16_t>(cell.sum.top) : 0);
  }
  for (std::size_t k = 0; k < result->ranges.size(); ++k) {
    const auto cell_at = [&](std::int32_t i) {
      return cell_on_bearing((i + 1) * free_step(rules), field.tables.middles[k], rules);
    };
    result->free.push_back(free_of(result->ranges[k], result->states.data(), rules, cell_at));
  }
}

void find_objects(const Field& field, Obstacles* result) {
  const FrameRules& rules = field.rules;
  std::vector<OccupiedCell> occupied;
  for (std::size_t i = 0; i < field.cells.size(); ++i) {
    if (result->states[i] != kOccupied) continue;
    occupied.push_back({static_cast<std::int32_t>(i), field.cells[i].sum});
  }
  ObjectFinder finder;
  finder.find(occupied, rules, field.tables.object_rules);
  std::vector<ObjectSamples> samples(finder.count());
  const std::int32_t bin_height = rules.max_height / ObjectSamples::kBins + 1;
  field.for_each_sample([&](int row, int column, const Placed& p) {
    const int number = p.kind == kObstacle ? finder.numbers()[p.cell] : 0;
    if (number == 0) return;
    samples[static_cast<std::size_t>(number - 1)].add_height(p.h, p.h / bin_height);
    samples[static_cast<std::size_t>(number - 1)].add_pixels(row, column, column + 1);
  });
  finder.finish(samples, rules, &result->objects);
}

}  // namespace

Obstacles find(const DepthView& frame, const MetricCamera& camera, const Ground* start,
               const Parameters& parameters) {
  return with_standard_floats([&] {
    Obstacles result;
    CameraTables tables;
    make_tables(frame.width, frame.height, frame.type, camera, parameters, &tables);
    if (start == nullptr) {
      result.grid = grid_of(rules_of(tables, result.axes));
      const auto cells = static_cast<std::size_t>(result.grid.columns * result.grid.rows);
      const auto bins = static_cast<std::size_t>(parameters.scan_bins);
      result.classes.resize(static_cast<std::size_t>(frame.width) *
                            static_cast<std::size_t>(frame.height));
      result.states.resize(cells);
      result.tops.resize(cells);
      result.ranges.resize(bins);
      result.free.resize(bins);
      return result;
    }
    result.has_ground = true;
    result.ground = *start;
    if (parameters.refine) {
      const Refined refined = refine_with(frame, tables, *start);
      result.ground = refined.ground;
      result.refined = refined.refined;
      result.inliers = refined.inliers;
    }
    result.axes = axes_of(result.ground);
    Field field(frame, tables, result.axes, parameters);
    result.grid = grid_of(field.rules);
    count_samples(&field, &result);
    decide_states(field, &result);
    find_objects(field, &result);
    return result;
  });
}

}  // namespace rdp::obstacles::reference
