// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/objects.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <tuple>

namespace rdp::obstacles {
namespace {

constexpr int kAngles = 256;  // of a quarter of a turn

const std::array<Direction, kAngles>& directions() {
  static const std::array<Direction, kAngles> all = [] {
    std::array<Direction, kAngles> made{};
    for (int a = 0; a < kAngles; ++a) made[static_cast<std::size_t>(a)] = direction_of(a, 512);
    return made;
  }();
  return all;
}

std::int64_t count_of(const OccupiedCell& cell) { return cell.sum.count; }

}  // namespace

std::int64_t side_cost(const SidePoints& points, const Sides& sides) {
  const Direction& d = sides.direction;
  std::int64_t cost = 0;
  for (std::int64_t i = 0; i < points.size; ++i) {
    const auto x = static_cast<std::int64_t>(points.x[i]);
    const auto y = static_cast<std::int64_t>(points.y[i]);
    const std::int64_t u = d.cosine * x + d.sine * y;
    const std::int64_t w = d.cosine * y - d.sine * x;
    const std::int64_t nearest = std::min({u - sides.u0, sides.u1 - u, w - sides.w0, sides.w1 - w});
    cost += static_cast<std::int64_t>(points.count[i]) * (std::max(nearest, std::int64_t{0}) >> 14);
  }
  return cost;
}

void ObjectSamples::add_pixels(std::int32_t row, std::int32_t first, std::int32_t end) {
  first_column = std::min(first_column, first);
  end_column = std::max(end_column, end);
  first_row = std::min(first_row, row);
  end_row = std::max(end_row, row + 1);
}

void ObjectSamples::add(const ObjectSamples& more) {
  for (int i = 0; i < kBins; ++i) {
    counts[i] += more.counts[i];
    sums[i] += more.sums[i];
  }
  first_column = std::min(first_column, more.first_column);
  end_column = std::max(end_column, more.end_column);
  first_row = std::min(first_row, more.first_row);
  end_row = std::max(end_row, more.end_row);
}

void ObjectFinder::clear(const FrameRules& rules) {
  const auto cells = static_cast<std::size_t>(rules.cells());
  if (places_.size() != cells) {
    places_.clear();
    old_cells_.clear();
    numbers_.assign(cells, 0);
    places_.assign(cells, -1);
  }
  for (const std::int32_t index : old_cells_) {
    places_[static_cast<std::size_t>(index)] = -1;
    numbers_[static_cast<std::size_t>(index)] = 0;
  }
  old_cells_.clear();
}

// Collects the component of a cell into members_, sorted by place. Returns its number of samples.
std::int64_t ObjectFinder::collect(std::int32_t seed, std::int32_t label, const FrameRules& rules,
                                   const ObjectRules& object_rules) {
  std::int64_t samples = 0;
  members_.assign(1, seed);
  labels_[static_cast<std::size_t>(seed)] = label;
  for (std::size_t done = 0; done < members_.size(); ++done) {
    const OccupiedCell& cell = cells_[static_cast<std::size_t>(members_[done])];
    samples += count_of(cell);
    const std::int32_t column = cell.index % rules.columns;
    const std::int32_t row = cell.index / rules.columns;
    const std::int32_t link = object_rules.link;
    for (int j = std::max(row - link, 0); j <= std::min(row + link, rules.rows - 1); ++j) {
      for (int i = std::max(column - link, 0); i <= std::min(column + link, rules.columns - 1);
           ++i) {
        const std::int32_t place = places_[static_cast<std::size_t>(j * rules.columns + i)];
        if (place < 0 || labels_[static_cast<std::size_t>(place)] >= 0) continue;
        const std::int32_t step =
            std::abs(cells_[static_cast<std::size_t>(place)].sum.top - cell.sum.top);
        if (object_rules.split_height > 0 && step > object_rules.split_height) continue;
        labels_[static_cast<std::size_t>(place)] = label;
        members_.push_back(place);
      }
    }
  }
  std::sort(members_.begin(), members_.end());
  return samples;
}

// Makes the shape from members with at least a quarter of the samples of every member in the
// surrounding 5x5 cells.
void ObjectFinder::make_shape(const FrameRules& rules) {
  middle_x_.clear();
  middle_y_.clear();
  middle_counts_.clear();
  const std::int32_t label = labels_[static_cast<std::size_t>(members_[0])];
  const std::int32_t first_row =
      cells_[static_cast<std::size_t>(members_.front())].index / rules.columns;
  const std::int32_t last_row =
      cells_[static_cast<std::size_t>(members_.back())].index / rules.columns;
  lines_.assign(8 * static_cast<std::size_t>(last_row - first_row + 1), {INT64_MAX, INT64_MIN});
  for (const std::int32_t member : members_) {
    const OccupiedCell& cell = cells_[static_cast<std::size_t>(member)];
    const std::int32_t column = cell.index % rules.columns;
    const std::int32_t row = cell.index / rules.columns;
    const std::int64_t least = 4 * count_of(cell);
    bool is_thin = false;
    for (int j = std::max(row - 2, 0); j <= std::min(row + 2, rules.rows - 1); ++j) {
      for (int i = std::max(column - 2, 0); i <= std::min(column + 2, rules.columns - 1); ++i) {
        const std::int32_t place = places_[static_cast<std::size_t>(j * rules.columns + i)];
        if (place < 0 || count_of(cells_[static_cast<std::size_t>(place)]) <= least) continue;
        is_thin |= labels_[static_cast<std::size_t>(place)] == label;
      }
    }
    if (is_thin) continue;
    const std::uint64_t parts = cell.sum.parts;
    for (int part_row = 0; part_row < 8; ++part_row) {
      const auto bits = static_cast<std::uint8_t>(parts >> (8 * part_row));
      if (bits == 0) continue;
      Line& line = lines_[static_cast<std::size_t>(8 * (row - first_row) + part_row)];
      const std::int64_t x = std::int64_t{128} * column + 8;
      line.first = std::min(line.first, x + 16 * std::countr_zero(bits));
      line.last = std::max(line.last, x + 16 * (7 - std::countl_zero(bits)));
    }
    // Sums of the columns and rows of bits, by the bits of these numbers.
    const auto in = [&](std::uint64_t mask) { return std::popcount(parts & mask); };
    const int sum_x =
        in(0xAAAAAAAAAAAAAAAA) + 2 * in(0xCCCCCCCCCCCCCCCC) + 4 * in(0xF0F0F0F0F0F0F0F0);
    const int sum_y =
        in(0xFF00FF00FF00FF00) + 2 * in(0xFFFF0000FFFF0000) + 4 * in(0xFFFFFFFF00000000);
    const int number = std::popcount(parts);
    middle_x_.push_back(128 * column + 16 * sum_x / number + 8);
    middle_y_.push_back(128 * row + 16 * sum_y / number + 8);
    middle_counts_.push_back(static_cast<double>(count_of(cell)));
  }
  make_hull(first_row);
}

// The convex hull of the lines' ends: all that extents need. Down along one side, then the other.
void ObjectFinder::make_hull(std::int64_t first_row) {
  hull_.clear();
  for (const int side : {-1, 1}) {
    const std::size_t start = hull_.size();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.last < line.first) continue;
      const Point p{side < 0 ? line.first : line.last,
                    128 * first_row + 16 * static_cast<std::int64_t>(i) + 8};
      while (hull_.size() >= start + 2) {
        const Point& a = hull_[hull_.size() - 2];
        const Point& b = hull_.back();
        const std::int64_t turn = (b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y);
        if (side * turn > 0) break;
        hull_.pop_back();
      }
      hull_.push_back(p);
    }
  }
}

Sides ObjectFinder::sides_of(int angle) const {
  const Direction& d = directions()[static_cast<std::size_t>(angle)];
  Sides e{d, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};
  for (const Point& p : hull_) {
    const std::int64_t u = d.cosine * p.x + d.sine * p.y;
    const std::int64_t w = d.cosine * p.y - d.sine * p.x;
    e = {d, std::min(e.u0, u), std::max(e.u1, u), std::min(e.w0, w), std::max(e.w1, w)};
  }
  return e;
}

// The first angle, in parts of pi / 512, for which samples are nearest to the sides.
int ObjectFinder::best_angle() const {
  const SidePoints points{middle_x_.data(), middle_y_.data(), middle_counts_.data(),
                          static_cast<std::int64_t>(middle_x_.size())};
  const auto best_of = [&](int first, int end, int step) {
    int best = first;
    std::int64_t least = INT64_MAX;
    for (int a = first; a < end; a += step) {
      const std::int64_t cost = cost_(points, sides_of((a + kAngles) % kAngles));
      if (cost < least) best = a;
      least = std::min(least, cost);
    }
    return (best + kAngles) % kAngles;
  };
  const int coarse = best_of(0, kAngles, 8);
  return best_of(coarse - 7, coarse + 8, 1);
}

Object ObjectFinder::rectangle(const FrameRules& rules) const {
  const int angle = best_angle();
  const Sides e = sides_of(angle);
  const Direction& d = e.direction;
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
  for (std::size_t i = 0; i < middle_x_.size(); ++i) {
    const auto along_axis = [&](double middle) {
      return (static_cast<std::int64_t>(middle) * rules.cell + 64) >> 7;
    };
    const std::int64_t x = rules.x0 + along_axis(middle_x_[i]);
    const std::int64_t y = rules.y0 + along_axis(middle_y_[i]);
    nearest = std::min(nearest, static_cast<std::uint64_t>(x * x + y * y));
  }
  object.distance = floor_root(nearest);
  object.cells = static_cast<std::int32_t>(members_.size());
  return object;
}

void ObjectFinder::find(std::span<const OccupiedCell> cells, const FrameRules& rules,
                        const ObjectRules& object_rules) {
  clear(rules);
  cells_ = cells;
  labels_.assign(cells.size(), -1);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    old_cells_.push_back(cells[i].index);
    places_[static_cast<std::size_t>(cells[i].index)] = static_cast<std::int32_t>(i);
  }
  found_.clear();
  std::int32_t labels = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (labels_[i] >= 0) continue;
    const std::int32_t label = labels++;
    const std::int64_t samples = collect(static_cast<std::int32_t>(i), label, rules, object_rules);
    if (samples < object_rules.least_samples) continue;
    make_shape(rules);
    found_.push_back({rectangle(rules), label});
  }
  // Labels are in the order of the components' lowest cells.
  std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
    return std::tie(a.object.distance, a.label) < std::tie(b.object.distance, b.label);
  });
  const auto most = static_cast<std::size_t>(object_rules.most_objects);
  if (found_.size() > most) found_.resize(most);
  objects_.clear();
  number_of_label_.assign(static_cast<std::size_t>(labels), 0);
  for (const Found& found : found_) {
    objects_.push_back(found.object);
    number_of_label_[static_cast<std::size_t>(found.label)] =
        static_cast<std::uint8_t>(objects_.size());
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    numbers_[static_cast<std::size_t>(cells[i].index)] =
        number_of_label_[static_cast<std::size_t>(labels_[i])];
  }
  cells_ = {};
}

void ObjectFinder::finish(std::span<const ObjectSamples> samples, const FrameRules& rules,
                          std::vector<Object>* objects) const {
  objects->assign(objects_.begin(), objects_.end());
  for (std::size_t i = 0; i < objects->size(); ++i) {
    const ObjectSamples& of = samples[i];
    Object& object = (*objects)[i];
    std::uint64_t all = 0;
    for (const std::uint32_t count : of.counts) all += count;
    object.samples = static_cast<std::int32_t>(all);
    object.column = of.first_column;
    object.row = of.first_row;
    object.columns = of.end_column - of.first_column;
    object.rows = of.end_row - of.first_row;
    object.cut = of.first_column == 0 || of.first_row == 0 || of.end_column == rules.width ||
                 of.end_row == rules.height;
    // The mean of the highest samples, at least a 32nd of all.
    const std::uint64_t least = std::max<std::uint64_t>(1, all / 32);
    std::uint64_t count = 0, sum = 0;
    for (int b = ObjectSamples::kBins; b-- > 0 && count < least;) {
      count += of.counts[b];
      sum += of.sums[b];
    }
    object.height = static_cast<std::int32_t>((sum + count / 2) / count);
  }
}

}  // namespace rdp::obstacles
