// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/cell_planes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "common/planes/border_merge.h"
#include "common/planes/cell_rules.h"
#include "common/planes/frames/node_rules.h"

namespace rdp::planes {
namespace {

// The cells under a node.
template <typename Visit>
void for_each_cell(const NodePyramid::PlanarNode& node, const FrameRules& rules,
                   const Visit& visit) {
  const int side = 1 << node.level;
  const int end_row = std::min((node.row + 1) * side, rules.rows);
  const int end_column = std::min((node.column + 1) * side, rules.columns);
  for (int row = node.row * side; row < end_row; ++row) {
    for (int column = node.column * side; column < end_column; ++column) {
      visit(row * rules.columns + column);
    }
  }
}

}  // namespace

void CellPlaneFinder::find(const NodePyramid& pyramid, const FrameRules& rules, int rounds,
                           VoteSpace* space, CellMap* map, Counts* counts) {
  map->owner.assign(pyramid.cells().size(), -1);
  map->planes.clear();
  for (int round = 0; round < rounds; ++round) {
    choose_voters(pyramid, rules, round, *map);
    if (voters_.empty()) break;
    counts->voters += static_cast<std::int64_t>(voters_.size());
    double farthest = 0.0;
    for (const Node* node : voters_) {
      farthest = std::max(farthest, dot(node->fit.mean, node->fit.mean));
    }
    space->start(std::sqrt(farthest));
    for (const Node* node : voters_) space->vote({&node->fit, node->tolerance2, node->moments.n});
    space->take_peaks(static_cast<std::uint64_t>(rules.min_votes), &peaks_);
    counts->peaks += static_cast<std::int64_t>(peaks_.size());
    if (!make_planes(rules, space->cells(), map)) break;
    split(pyramid, rules, map);
    grow(pyramid, rules, map);
  }
}

void CellPlaneFinder::choose_voters(const NodePyramid& pyramid, const FrameRules& rules, int round,
                                    const CellMap& map) {
  voters_.clear();
  for (const Node& node : pyramid.planar()) {
    if (!level_votes(node.level, round, node.tolerance2, node.fit)) continue;
    int cells = 0;
    int owned = 0;
    for_each_cell(node, rules, [&](int cell) {
      ++cells;
      owned += map.owner[cell] >= 0 ? 1 : 0;
    });
    if (2 * owned < cells) voters_.push_back(&node);
  }
}

bool CellPlaneFinder::make_planes(const FrameRules& rules, const BallCells& cells, CellMap* map) {
  const auto least = static_cast<std::uint64_t>(rules.min_inliers / 2);
  // All peaks at once; each result has its peak's number.
  of_peaks_.find(
      voters_, peaks_, cells, rules.angle_step, least, kNarrowing,
      [](const Node& node) { return node.tolerance2; },
      [](const Node& node, double k) { return k * k * node.tolerance2; });
  const std::vector<CellPlane>& found = of_peaks_.planes();
  // Assigns every voting node to the nearest plane.
  plane_of_.assign(voters_.size(), -1);
  assigned_ = found;
  for (CellPlane& plane : assigned_) plane.moments = Moments();
  for (std::size_t v = 0; v < voters_.size(); ++v) {
    const Node& node = *voters_[v];
    double best = node.tolerance2;
    for (std::size_t p = 0; p < peaks_.size(); ++p) {
      if (!of_peaks_.taken(p)) continue;
      const double d = squared_distance(node.statistics, found[p].fit);
      if ((d < best || (d == best && plane_of_[v] < 0)) &&
          same_direction(node.fit, node.tolerance2, found[p].fit)) {
        best = d;
        plane_of_[v] = static_cast<std::int32_t>(p);
      }
    }
    if (plane_of_[v] >= 0) assigned_[plane_of_[v]].moments.add(node.moments);
  }
  // Only the votes of these are looked at before the next fit.
  const auto before = static_cast<std::int32_t>(map->planes.size());
  map->planes.insert(map->planes.end(), assigned_.begin(), assigned_.end());
  bool any = false;
  for (std::size_t v = 0; v < voters_.size(); ++v) {
    const std::int32_t plane = plane_of_[v];
    if (plane < 0 || assigned_[plane].moments.n < least) continue;
    any = true;
    for_each_cell(*voters_[v], rules, [&](int cell) {
      if (map->owner[cell] < 0) map->owner[cell] = before + plane;
    });
  }
  return any;
}

// Union-find of each cell with those before it. If the left neighbour has the same plane, it has
// already joined most of the surroundings.
void CellPlaneFinder::split(const NodePyramid& pyramid, const FrameRules& rules, CellMap* map) {
  const std::vector<std::int32_t>& owner = map->owner;
  const auto cells = static_cast<std::int32_t>(owner.size());
  part_.resize(cells);
  const auto root_of = [&](std::int32_t cell) {
    while (part_[cell] != cell) cell = part_[cell] = part_[part_[cell]];
    return cell;
  };
  const auto join = [&](std::int32_t one, std::int32_t two) {
    if (owner[one] != owner[two]) return;
    one = root_of(one);
    two = root_of(two);
    part_[std::max(one, two)] = std::min(one, two);  // the root is the first cell
  };
  for (std::int32_t cell = 0; cell < cells; ++cell) {
    part_[cell] = cell;
    if (owner[cell] < 0) continue;
    const int row = cell / rules.columns;
    const int column = cell % rules.columns;
    const int end = std::min(rules.columns - 1, column + 2);
    int first = std::max(0, column - 2);
    if (column > 0 && owner[cell - 1] == owner[cell]) {
      part_[cell] = root_of(cell - 1);
      first = column + 2;
    } else if (column > 1) {
      join(cell, cell - 2);
    }
    for (int r = std::max(0, row - 2); r < row; ++r) {
      for (int c = first; c <= end; ++c) join(cell, r * rules.columns + c);
    }
  }
  found_.clear();
  number_.resize(cells);
  for (std::int32_t cell = 0; cell < cells; ++cell) {
    if (owner[cell] < 0) {
      number_[cell] = -1;
    } else if (part_[cell] == cell) {
      number_[cell] = static_cast<std::int32_t>(found_.size());
      found_.push_back({Moments(), Fit(), map->planes[owner[cell]].votes, false});
    } else {
      number_[cell] = number_[root_of(cell)];
    }
  }
  map->owner.swap(number_);
  map->planes.swap(found_);
  refit(pyramid, rules, map);
}

void CellPlaneFinder::refit(const NodePyramid& pyramid, const FrameRules& rules, CellMap* map) {
  for (CellPlane& plane : map->planes) plane.moments = Moments();
  for (std::size_t cell = 0; cell < map->owner.size(); ++cell) {
    if (map->owner[cell] >= 0) map->planes[map->owner[cell]].moments.add(pyramid.cells()[cell]);
  }
  number_.assign(map->planes.size(), -1);
  std::size_t kept = 0;
  for (std::size_t p = 0; p < map->planes.size(); ++p) {
    CellPlane& plane = map->planes[p];
    if (plane.moments.n == 0 || plane.moments.n < static_cast<std::uint64_t>(rules.min_part)) {
      continue;
    }
    plane.fit = fit_of(statistics_of(plane.moments));
    number_[p] = static_cast<std::int32_t>(kept);
    if (kept != p) map->planes[kept] = plane;
    ++kept;
  }
  map->planes.resize(kept);
  for (std::int32_t& owner : map->owner) owner = owner < 0 ? -1 : number_[owner];
}

// All cells change at once, so the changes are collected first.
void CellPlaneFinder::grow(const NodePyramid& pyramid, const FrameRules& rules, CellMap* map) {
  const double slope = pyramid.noise() * rules.noise_scale;
  std::vector<std::int32_t>& owner = map->owner;
  // Finds the nearest of the planes of a cell and its neighbours, and records it if it is another
  // one.
  const auto look = [&](int row, int column) {
    const int cell = row * rules.columns + column;
    const std::int32_t own = owner[cell];
    const std::int32_t near[5] = {own, row > 0 ? owner[cell - rules.columns] : own,
                                  column > 0 ? owner[cell - 1] : own,
                                  column + 1 < rules.columns ? owner[cell + 1] : own,
                                  row + 1 < rules.rows ? owner[cell + rules.columns] : own};
    if (near[1] == own && near[2] == own && near[3] == own && near[4] == own) return;
    if (pyramid.cells()[cell].n < kGrowthPixels) return;
    const Statistics& s = pyramid.cell(cell);
    double best = std::numeric_limits<double>::infinity();
    std::int32_t nearest = own;
    for (int i = 0; i < 5; ++i) {
      if (near[i] < 0 || (i > 0 && near[i] == near[i - 1])) continue;
      const Fit& fit = map->planes[near[i]].fit;
      const double d = squared_distance(s, fit);
      if (d > best) continue;
      if (d > squared_tolerance(rules, slope, s.mean[2], squared_extent(s, fit))) continue;
      if (d < best || near[i] < nearest) {
        best = d;
        nearest = near[i];
      }
    }
    if (nearest != own) taken_.push_back({row, column, nearest});
  };
  // Both get room for all cells because they are swapped.
  taken_.reserve(owner.size());
  changed_.reserve(owner.size());
  taken_.clear();
  for (int row = 0; row < rules.rows; ++row) {
    for (int column = 0; column < rules.columns; ++column) look(row, column);
  }
  looked_.assign(owner.size(), 0);
  for (std::uint8_t pass = 1; pass < kGrowthPasses && !taken_.empty(); ++pass) {
    for (const Taken& t : taken_) owner[t.row * rules.columns + t.column] = t.plane;
    changed_.swap(taken_);
    taken_.clear();
    // Only cells near a change can change.
    const auto look_again = [&](int row, int column) {
      if (row < 0 || row >= rules.rows || column < 0 || column >= rules.columns) return;
      std::uint8_t& looked = looked_[row * rules.columns + column];
      if (looked == pass) return;
      looked = pass;
      look(row, column);
    };
    for (const Taken& t : changed_) {
      look_again(t.row, t.column);
      look_again(t.row - 1, t.column);
      look_again(t.row + 1, t.column);
      look_again(t.row, t.column - 1);
      look_again(t.row, t.column + 1);
    }
  }
  for (const Taken& t : taken_) owner[t.row * rules.columns + t.column] = t.plane;
  refit(pyramid, rules, map);
}

void CellPlaneFinder::add_border(const CellMap& map, int p, const double* cell_of_p, int q,
                                 const double* cell_of_q, const FrameRules& rules, double slope) {
  if (p == q) return;
  if (p > q) {
    std::swap(p, q);
    std::swap(cell_of_p, cell_of_q);
  }
  std::int32_t border = border_of_[p];
  while (border >= 0 && borders_[border].q != q) border = next_border_[border];
  if (border < 0) {
    border = static_cast<std::int32_t>(borders_.size());
    borders_.push_back({p, q, 0, 0});
    next_border_.push_back(border_of_[p]);
    border_of_[p] = border;
  }
  borders_[border].steps += border_step(map.planes[p].fit, cell_of_p, map.planes[q].fit, cell_of_q);
  borders_[border].tolerances += border_tolerance(rules, slope, cell_of_p, cell_of_q);
}

void CellPlaneFinder::merge(const NodePyramid& pyramid, const NodePyramid& rest,
                            const FrameRules& rules, CellMap* map, CellMap* rest_map,
                            Counts* counts) {
  const double slope = pyramid.noise() * rules.noise_scale;
  const auto first_rest = static_cast<std::int32_t>(map->planes.size());
  std::vector<CellPlane>& planes = map->planes;
  planes.insert(planes.end(), rest_map->planes.begin(), rest_map->planes.end());
  for (std::size_t p = first_rest; p < planes.size(); ++p) planes[p].changed = true;
  borders_.clear();
  next_border_.clear();
  border_of_.assign(planes.size(), -1);
  const auto look = [&](const CellMap& a, const NodePyramid& of_a, std::int32_t first_a, int i,
                        const CellMap& b, const NodePyramid& of_b, std::int32_t first_b, int j) {
    if (a.owner[i] < 0 || b.owner[j] < 0) return;
    if (of_a.cells()[i].n == 0 || of_b.cells()[j].n == 0) return;
    add_border(*map, first_a + a.owner[i], of_a.cell(i).mean, first_b + b.owner[j],
               of_b.cell(j).mean, rules, slope);
  };
  for (int row = 0; row < rules.rows; ++row) {
    for (int column = 0; column < rules.columns; ++column) {
      const int cell = row * rules.columns + column;
      look(*map, pyramid, 0, cell, *rest_map, rest, first_rest, cell);
      if (column + 1 < rules.columns) {
        look(*map, pyramid, 0, cell, *map, pyramid, 0, cell + 1);
        look(*rest_map, rest, first_rest, cell, *rest_map, rest, first_rest, cell + 1);
      }
      if (row + 1 < rules.rows) {
        const int below = cell + rules.columns;
        look(*map, pyramid, 0, cell, *map, pyramid, 0, below);
        look(*rest_map, rest, first_rest, cell, *rest_map, rest, first_rest, below);
      }
    }
  }
  std::sort(borders_.begin(), borders_.end(),
            [](const Border& a, const Border& b) { return a.p != b.p ? a.p < b.p : a.q < b.q; });

  const auto one = [&](const Border& border, const CellPlane& p, const CellPlane& q) {
    if (std::abs(border.steps) > border.tolerances || !similar_direction(p.fit, q.fit))
      return false;
    const bool p_is_smaller = p.moments.n < q.moments.n || (p.moments.n == q.moments.n && &p > &q);
    Moments both = p.moments;
    both.add(q.moments);
    return may_merge(rules, slope, p.fit, q.fit, statistics_of((p_is_smaller ? p : q).moments),
                     fit_of(statistics_of(both)));
  };
  counts->merged += merge_over_borders(borders_, kMergePasses, one, &planes, &root_, &best_);
  for (std::size_t p = 0; p < root_.size(); ++p) {
    if (root_[p] != static_cast<int>(p)) planes[root_[p]].changed = true;
  }
  for (std::int32_t& owner : map->owner) owner = owner < 0 ? -1 : root_[owner];
  for (std::int32_t& owner : rest_map->owner) owner = owner < 0 ? -1 : root_[first_rest + owner];
}

}  // namespace rdp::planes
