// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/reference.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "common/image/float_environment.h"
#include "common/image/half_turn.h"
#include "common/obstacles/geometry.h"

namespace rdp::obstacles::reference {
namespace {

struct Cell {
  std::uint32_t obstacles = 0;
  std::uint32_t drops = 0;
  bool ground = false;
  std::int32_t top = 0;
  std::uint64_t parts = 0;  // 8x8 bits, of obstacles
};

// The sums of a round; its rule about unused samples counts all pixels that were looked at.
struct Round {
  GroundSums sums;
  std::int64_t looked_at = 0;
};

Round sum_ground(const DepthView& frame, const CameraTables& tables, const Ground& ground,
                 const GroundBand& band) {
  Round round;
  const FrameRules& rules = tables.rules;
  const Axes axes = axes_of(ground);
  const int step = std::max(1, frame.width / 160);
  for (int row = 0; row < frame.height; row += step) {
    for (int column = 0; column < frame.width; column += step) {
      ++round.looked_at;
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
      GroundSums& sums = round.sums;
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
  return round;
}

Attempt try_start(const DepthView& frame, const CameraTables& tables, const Ground& start,
                  int degrees) {
  Attempt attempt{false, start, 0, 0};
  const Axes axes = axes_of(start);
  const double cosine = cosine_of_part(std::abs(degrees), 180);
  const double sine = sine_of_part(std::abs(degrees), 180);
  for (int i = 0; i < 3 && degrees != 0; ++i) {
    const double moved = axes.r[0][i] * sine;
    attempt.ground.normal[i] =
        degrees > 0 ? start.normal[i] * cosine + moved : start.normal[i] * cosine - moved;
  }
  GroundBand band{};
  for (int round = 0; round < kRounds; ++round) {
    band = band_of_round(round, tables.rules.min_height);
    const Round found = sum_ground(frame, tables, attempt.ground, band);
    if (64 * found.sums.n < found.looked_at) return attempt;
    if (!fit_ground(found.sums, tables.lens, &attempt.ground)) return attempt;
  }
  const GroundSums last = sum_ground(frame, tables, attempt.ground, band).sums;
  attempt.stands = is_near_start(attempt.ground, start);
  attempt.used = last.n;
  attempt.below = last.below;
  return attempt;
}

Refined refine_with(const DepthView& frame, const CameraTables& tables, const Ground& start) {
  Attempt attempts[kAttempts];
  for (int i = 0; i < kAttempts; ++i) {
    attempts[i] = try_start(frame, tables, start, kAttemptDegrees[i]);
    if (i == 0 && attempts[0].stands && 8 * attempts[0].below <= attempts[0].used) break;
  }
  const int chosen = choose_attempt(attempts);
  if (chosen < 0) return {start, false, 0};
  return {attempts[chosen].ground, true, attempts[chosen].used};
}

// A frame's samples on the ground, and what is counted of them.
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
  std::vector<std::int32_t> columns[3], rows[3];  // what they add to coordinates
  std::vector<std::uint8_t> inside;               // empty: all cells are
  std::vector<Cell> cells;
};

void count_samples(Field* field, Obstacles* result) {
  const FrameRules& rules = field->rules;
  field->cells.resize(static_cast<std::size_t>(rules.cells()));
  const auto bins = static_cast<std::size_t>(rules.bins);
  std::vector<RingSum> rings(bins * kRings);
  field->for_each_sample([&](int, int, const Placed& p) {
    result->classes.push_back(p.kind);
    if (p.cell < 0) return;
    Cell& cell = field->cells[static_cast<std::size_t>(p.cell)];
    if (p.kind == kGround) cell.ground = true;
    if (p.kind != kObstacle && p.kind != kDrop) return;
    if (p.kind == kObstacle) {
      ++cell.obstacles;
      cell.top = std::max(cell.top, p.h);
      cell.parts |= std::uint64_t{1} << part_of_cell(p, rules);
    } else {
      ++cell.drops;
    }
    const int bin = p.x > 0 ? bin_of(p.x, p.y, field->tables.edges.data(), rules.bins) : -1;
    if (bin < 0) return;
    RingSum& ring = rings[static_cast<std::size_t>(bin * kRings + ring_of(p.rho))];
    ++ring.count;
    ring.sum += static_cast<std::uint64_t>(p.rho);
  });
  for (std::size_t k = 0; k < bins; ++k) {
    result->ranges.push_back(range_of(&rings[k * kRings], rules.cell_samples));
  }
}

void decide_states(const Field& field, Obstacles* result) {
  const FrameRules& rules = field.rules;
  const CellView view = view_of(field.axes, field.tables.lens);
  for (int index = 0; index < rules.cells(); ++index) {
    const auto place = static_cast<std::size_t>(index);
    const Cell& cell = field.cells[place];
    const bool inside = field.inside.empty() || field.inside[place] != 0;
    CellState state = kUnseen;
    if (inside) state = state_of(cell.obstacles, cell.drops, cell.ground, rules.cell_samples);
    if (inside && state == kUnseen && cell.obstacles + cell.drops == 0) {
      const double x = rules.x0 + index % rules.columns * rules.cell + 0.5 * rules.cell;
      const double y = rules.y0 + index / rules.columns * rules.cell + 0.5 * rules.cell;
      std::int32_t column, row;
      double depth;
      if (pixel_of_cell(x, y, view, rules, &column, &row, &depth)) {
        const std::int32_t z = field.tables.depth[field.frame.at(row, column)];
        const std::size_t pixel =
            static_cast<std::size_t>(row) * static_cast<std::size_t>(rules.width) +
            static_cast<std::size_t>(column);
        if (result->classes[pixel] == kGround && 8.0 * z >= 7.0 * depth) state = kFree;
      }
    }
    result->states.push_back(state);
    result->tops.push_back(state == kOccupied ? static_cast<std::uint16_t>(cell.top) : 0);
  }
  for (std::size_t k = 0; k < result->ranges.size(); ++k) {
    result->free.push_back(
        free_of(field.tables.middles[k], result->ranges[k], result->states.data(), rules));
  }
}

// The cells of each component of occupied cells, in ascending order.
std::vector<std::vector<int>> components_of(const Field& field, const Obstacles& result,
                                            std::vector<int>* labels) {
  const FrameRules& rules = field.rules;
  const ObjectRules& objects = field.tables.object_rules;
  std::vector<std::vector<int>> components;
  labels->assign(static_cast<std::size_t>(rules.cells()), -1);
  for (int seed = 0; seed < rules.cells(); ++seed) {
    if (result.states[static_cast<std::size_t>(seed)] != kOccupied ||
        (*labels)[static_cast<std::size_t>(seed)] >= 0) {
      continue;
    }
    const int label = static_cast<int>(components.size());
    std::vector<int> members = {seed};
    (*labels)[static_cast<std::size_t>(seed)] = label;
    for (std::size_t done = 0; done < members.size(); ++done) {
      const int column = members[done] % rules.columns;
      const int row = members[done] / rules.columns;
      for (int j = row - objects.link; j <= row + objects.link; ++j) {
        for (int i = column - objects.link; i <= column + objects.link; ++i) {
          if (i < 0 || j < 0 || i >= rules.columns || j >= rules.rows) continue;
          const int other = j * rules.columns + i;
          const auto place = static_cast<std::size_t>(other);
          if (result.states[place] != kOccupied || (*labels)[place] >= 0) continue;
          const int step =
              std::abs(result.tops[place] - result.tops[static_cast<std::size_t>(members[done])]);
          if (objects.split_height > 0 && step > objects.split_height) continue;
          (*labels)[place] = label;
          members.push_back(other);
        }
      }
    }
    std::sort(members.begin(), members.end());
    components.push_back(std::move(members));
  }
  return components;
}

struct Point {
  std::int64_t x, y;
};
// A cell as the rectangle sees it: where its samples are in the mean, in 1/128 of a cell.
struct Middle {
  Point at;
  std::int64_t count;
};
struct Shape {
  std::vector<Point> points;
  std::vector<Middle> middles;
};

// Cells with a fourth of the samples that any in the component has in the 5x5 around.
Shape shape_of(const Field& field, const std::vector<int>& members,
               const std::vector<int>& labels) {
  const FrameRules& rules = field.rules;
  Shape shape;
  const auto count_of = [&](int index) {
    const Cell& cell = field.cells[static_cast<std::size_t>(index)];
    return static_cast<std::int64_t>(cell.obstacles) + cell.drops;
  };
  for (const int index : members) {
    const int column = index % rules.columns;
    const int row = index / rules.columns;
    std::int64_t most = 0;
    for (int j = std::max(row - 2, 0); j <= std::min(row + 2, rules.rows - 1); ++j) {
      for (int i = std::max(column - 2, 0); i <= std::min(column + 2, rules.columns - 1); ++i) {
        const int other = j * rules.columns + i;
        const bool same =
            labels[static_cast<std::size_t>(other)] == labels[static_cast<std::size_t>(index)];
        if (same) most = std::max(most, count_of(other));
      }
    }
    if (4 * count_of(index) < most) continue;
    const std::uint64_t parts = field.cells[static_cast<std::size_t>(index)].parts;
    std::int64_t sum_x = 0, sum_y = 0;
    for (int part = 0; part < 64; ++part) {
      if ((parts >> part & 1) == 0) continue;
      sum_x += part % 8;
      sum_y += part / 8;
      shape.points.push_back({128 * column + 16 * (part % 8) + 8, 128 * row + 16 * (part / 8) + 8});
    }
    const int number = std::popcount(parts);
    shape.middles.push_back(
        {{128 * column + 16 * sum_x / number + 8, 128 * row + 16 * sum_y / number + 8},
         count_of(index)});
  }
  return shape;
}

// The points' extent along a direction and to its left.
struct Extent {
  std::int64_t u0, u1, w0, w1;
};
Extent extent_of(const std::vector<Point>& points, const Direction& d) {
  Extent e{INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};
  for (const Point& p : points) {
    const std::int64_t u = d.cosine * p.x + d.sine * p.y;
    const std::int64_t w = d.cosine * p.y - d.sine * p.x;
    e = {std::min(e.u0, u), std::max(e.u1, u), std::min(e.w0, w), std::max(e.w1, w)};
  }
  return e;
}

// How far samples are from the sides of the rectangle in a direction.
std::int64_t cost_of(const Shape& shape, int angle) {
  const Direction d = direction_of(angle, 512);
  const Extent e = extent_of(shape.points, d);
  std::int64_t cost = 0;
  for (const Middle& middle : shape.middles) {
    const std::int64_t u = d.cosine * middle.at.x + d.sine * middle.at.y;
    const std::int64_t w = d.cosine * middle.at.y - d.sine * middle.at.x;
    const std::int64_t nearest = std::min({u - e.u0, e.u1 - u, w - e.w0, e.w1 - w});
    cost += middle.count * (std::max<std::int64_t>(nearest, 0) >> 14);
  }
  return cost;
}

int best_angle(const Shape& shape) {
  const auto best_of = [&](int first, int end, int step) {
    int best = first;
    std::int64_t least = INT64_MAX;
    for (int a = first; a < end; a += step) {
      const std::int64_t cost = cost_of(shape, (a + 256) % 256);
      if (cost < least) best = a;
      least = std::min(least, cost);
    }
    return (best + 256) % 256;
  };
  const int coarse = best_of(0, 256, 8);
  return best_of(coarse - 7, coarse + 8, 1);
}

Object rectangle_of(const Shape& shape, const FrameRules& rules) {
  const int angle = best_angle(shape);
  const Direction d = direction_of(angle, 512);
  const Extent e = extent_of(shape.points, d);
  const auto side = [&](std::int64_t extent) {
    return static_cast<std::int32_t>(((extent + 262144) * rules.cell + (1 << 20)) >> 21);
  };
  const std::int32_t along = side(e.u1 - e.u0);
  const std::int32_t across = side(e.w1 - e.w0);
  const std::int64_t mx = (d.cosine * (e.u0 + e.u1) - d.sine * (e.w0 + e.w1) + 8192) >> 14;
  const std::int64_t my = (d.sine * (e.u0 + e.u1) + d.cosine * (e.w0 + e.w1) + 8192) >> 14;
  Object object;
  object.length = std::max(along, across);
  object.width = std::min(along, across);
  object.yaw = angle + (across > along ? 256 : 0);
  if (object.yaw > 256) object.yaw -= 512;
  object.x = rules.x0 + static_cast<std::int32_t>((mx * rules.cell + (1 << 21)) >> 22);
  object.y = rules.y0 + static_cast<std::int32_t>((my * rules.cell + (1 << 21)) >> 22);
  std::uint64_t nearest = UINT64_MAX;
  for (const Middle& middle : shape.middles) {
    const std::int64_t x = rules.x0 + ((middle.at.x * rules.cell + 64) >> 7);
    const std::int64_t y = rules.y0 + ((middle.at.y * rules.cell + 64) >> 7);
    nearest = std::min(nearest, static_cast<std::uint64_t>(x * x + y * y));
  }
  object.distance = floor_root(nearest);
  return object;
}

// The obstacle samples of an object: their number in bins of heights, and their pixel box.
struct Samples {
  std::int64_t counts[256] = {};
  std::int64_t sums[256] = {};
  int first_column = INT_MAX, end_column = 0;
  int first_row = INT_MAX, end_row = 0;
};

void set_samples(const Samples& samples, const FrameRules& rules, Object* object) {
  object->samples = static_cast<std::int32_t>(
      std::accumulate(std::begin(samples.counts), std::end(samples.counts), std::int64_t{0}));
  object->column = samples.first_column;
  object->row = samples.first_row;
  object->columns = samples.end_column - samples.first_column;
  object->rows = samples.end_row - samples.first_row;
  object->cut = samples.first_column == 0 || samples.first_row == 0 ||
                samples.end_column == rules.width || samples.end_row == rules.height;
  std::int64_t count = 0, sum = 0;
  for (int i = 256; i-- > 0 && count < std::max(1, object->samples / 32);) {
    count += samples.counts[i];
    sum += samples.sums[i];
  }
  object->height = static_cast<std::int32_t>((sum + count / 2) / count);
}

void find_objects(const Field& field, Obstacles* result) {
  const ObjectRules& rules = field.tables.object_rules;
  std::vector<int> labels;
  const std::vector<std::vector<int>> components = components_of(field, *result, &labels);
  std::vector<std::pair<Object, std::size_t>> found;  // with the component
  for (std::size_t i = 0; i < components.size(); ++i) {
    std::int64_t samples = 0;
    for (const int index : components[i]) {
      const Cell& cell = field.cells[static_cast<std::size_t>(index)];
      samples += static_cast<std::int64_t>(cell.obstacles) + cell.drops;
    }
    if (samples < rules.least_samples) continue;
    Object object = rectangle_of(shape_of(field, components[i], labels), field.rules);
    object.cells = static_cast<std::int32_t>(components[i].size());
    found.emplace_back(object, i);
  }
  // Components are in the order of their lowest cells.
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first.distance < b.first.distance;
  });
  found.resize(std::min(found.size(), static_cast<std::size_t>(rules.most_objects)));
  std::vector<int> object_of(components.size(), -1);
  for (std::size_t i = 0; i < found.size(); ++i) object_of[found[i].second] = static_cast<int>(i);

  std::vector<Samples> samples(found.size());
  const std::int32_t bin = rules.max_height / 256 + 1;
  field.for_each_sample([&](int row, int column, const Placed& p) {
    const int label = p.kind == kObstacle ? labels[static_cast<std::size_t>(p.cell)] : -1;
    const int number = label < 0 ? -1 : object_of[static_cast<std::size_t>(label)];
    if (number < 0) return;
    Samples& of = samples[static_cast<std::size_t>(number)];
    ++of.counts[p.h / bin];
    of.sums[p.h / bin] += p.h;
    of.first_column = std::min(of.first_column, column);
    of.end_column = std::max(of.end_column, column + 1);
    of.first_row = std::min(of.first_row, row);
    of.end_row = std::max(of.end_row, row + 1);
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    set_samples(samples[i], field.rules, &found[i].first);
    result->objects.push_back(found[i].first);
  }
}

}  // namespace

Refined refine(const DepthView& frame, const MetricCamera& camera, const Ground& start,
               const Parameters& parameters) {
  return with_standard_floats([&] {
    CameraTables tables;
    make_tables(frame.width, frame.height, frame.type, camera, parameters, &tables);
    return refine_with(frame, tables, start);
  });
}

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
