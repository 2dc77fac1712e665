// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "common/planes/cell_rules.h"
#include "common/planes/frames/node_rules.h"
#include "common/planes/frames/reference.h"

// From peaks to planes of cells.
namespace rdp::planes::reference {
namespace {

// The cells under a node.
template <typename Visit>
void for_each_cell(const Node& node, const FrameRules& rules, const Visit& visit) {
  const int side = 1 << node.level;
  for (int row = node.row * side; row < std::min((node.row + 1) * side, rules.rows); ++row) {
    for (int column = node.column * side;
         column < std::min((node.column + 1) * side, rules.columns); ++column) {
      visit(row * rules.columns + column);
    }
  }
}

class Rounds {
 public:
  Rounds(const Pyramid& pyramid, const FrameRules& rules, Counts* counts)
      : pyramid_(pyramid),
        cells_(pyramid.nodes[0]),
        rules_(rules),
        counts_(*counts),
        slope_(pyramid.noise * rules.noise_scale) {
    map_.owner.assign(cells_.size(), -1);
    for (const Node& cell : cells_) {
      statistics_.push_back(cell.moments.n > 0 ? statistics_of(cell.moments) : Statistics());
    }
  }

  CellMap run(int rounds) {
    const Ball ball(static_cast<int>(std::floor(kPi / rules_.angle_step + 0.5)));
    // No more distances than needed: the others would stay empty.
    double farthest = 0.0;
    for (const Statistics& cell : statistics_) {
      farthest = std::max(farthest, dot(cell.mean, cell.mean));
    }
    const int distances = static_cast<int>(std::sqrt(farthest) / rules_.distance_step) + 40;
    const BallCells cells{ball.view(), std::min(distances, rules_.distances), rules_.distance_step};
    for (int round = 0; round < rounds; ++round) {
      const std::vector<const Node*> voters = choose_voters(round);
      if (voters.empty()) break;
      counts_.voters += static_cast<std::int64_t>(voters.size());
      std::vector<Voter> votes;
      for (const Node* v : voters) votes.push_back({v->fit, v->tolerance2, v->moments.n});
      const std::vector<Peak> peaks =
          find_peaks(vote(votes, rules_.angle_step, cells), rules_.min_votes, cells);
      counts_.peaks += static_cast<std::int64_t>(peaks.size());
      if (!make_planes(voters, peaks, cells)) break;
      split();
      grow();
    }
    return std::move(map_);
  }

 private:
  // Planar nodes with under half of their cells owned: at first nodes of at least 16 pixels a
  // side, later also cells with low noise.
  std::vector<const Node*> choose_voters(int round) const {
    std::vector<const Node*> voters;
    for (int level = kLevels - 1; level >= 0; --level) {
      for (const Node& node : pyramid_.nodes[level]) {
        if (!node.planar) continue;
        if (!level_votes(level, round, node.tolerance2, node.fit)) continue;
        int cells = 0;
        int owned = 0;
        for_each_cell(node, rules_, [&](int cell) {
          ++cells;
          if (map_.owner[cell] >= 0) ++owned;
        });
        if (2 * owned < cells) voters.push_back(&node);
      }
    }
    return voters;
  }

  // Returns false if there are none.
  bool make_planes(const std::vector<const Node*>& voters, const std::vector<Peak>& peaks,
                   const BallCells& cells) {
    const auto least = static_cast<std::uint64_t>(rules_.min_inliers / 2);
    std::vector<int> peak_of(voters.size(), -1);
    std::vector<std::uint64_t> pixels(peaks.size());
    for (std::size_t v = 0; v < voters.size(); ++v) {
      double best = 1.0;
      for (std::size_t p = 0; p < peaks.size(); ++p) {
        const double near = nearness(
            voters[v]->fit, voters[v]->tolerance2, cells.ball.centres + 3 * peaks[p].direction,
            cells.centre_distance(peaks[p].distance), rules_.angle_step, cells.step);
        if (near < best || (near == best && peak_of[v] < 0)) {
          best = near;
          peak_of[v] = static_cast<int>(p);
        }
      }
      if (peak_of[v] >= 0) pixels[peak_of[v]] += voters[v]->moments.n;
    }
    // Starts from a peak's largest node, because the mean of its nodes may lie between two planes.
    std::vector<CellPlane> planes;
    for (std::size_t p = 0; p < peaks.size(); ++p) {
      const Node* largest = nullptr;
      for (std::size_t v = 0; v < voters.size(); ++v) {
        if (peak_of[v] != static_cast<int>(p)) continue;
        if (largest == nullptr || voters[v]->moments.n > largest->moments.n) largest = voters[v];
      }
      if (largest == nullptr || pixels[p] < least) continue;
      CellPlane plane;
      plane.fit = largest->fit;
      plane.votes = peaks[p].votes;
      for (const double k : {4.0, 2.0, 1.0}) {
        plane.moments = Moments();
        for (std::size_t v = 0; v < voters.size(); ++v) {
          if (peak_of[v] != static_cast<int>(p)) continue;
          const bool fits =
              squared_distance(voters[v]->statistics, plane.fit) <= k * k * voters[v]->tolerance2;
          if (fits || voters[v] == largest) plane.moments.add(voters[v]->moments);
        }
        plane.fit = fit_of(statistics_of(plane.moments));
      }
      planes.push_back(plane);
    }
    // Assigns every voting node to the nearest plane.
    std::vector<int> plane_of(voters.size(), -1);
    std::vector<CellPlane> assigned = planes;
    for (CellPlane& plane : assigned) plane.moments = Moments();
    for (std::size_t v = 0; v < voters.size(); ++v) {
      double best = voters[v]->tolerance2;
      for (std::size_t p = 0; p < planes.size(); ++p) {
        const double d = squared_distance(voters[v]->statistics, planes[p].fit);
        if ((d < best || (d == best && plane_of[v] < 0)) &&
            same_direction(voters[v]->fit, voters[v]->tolerance2, planes[p].fit)) {
          best = d;
          plane_of[v] = static_cast<int>(p);
        }
      }
      if (plane_of[v] >= 0) assigned[plane_of[v]].moments.add(voters[v]->moments);
    }
    const int before = static_cast<int>(map_.planes.size());
    bool any = false;
    std::vector<bool> kept(planes.size());
    for (std::size_t p = 0; p < planes.size(); ++p) {
      kept[p] = assigned[p].moments.n > 0 && assigned[p].moments.n >= least;
      any = any || kept[p];
      map_.planes.push_back(assigned[p]);
    }
    for (std::size_t v = 0; v < voters.size(); ++v) {
      const int plane = plane_of[v];
      if (plane < 0 || !kept[plane]) continue;
      for_each_cell(*voters[v], rules_, [&](int cell) {
        if (map_.owner[cell] < 0) map_.owner[cell] = before + plane;
      });
    }
    return any;
  }

  // Turns each part of a plane into a plane, numbered by its first cell. Cells within two rows and
  // columns of each other form one part, so that a thin object in front does not divide a plane.
  void split() {
    std::vector<int> part(cells_.size(), -1);
    std::vector<CellPlane> parts;
    std::vector<std::size_t> open;
    for (std::size_t first = 0; first < cells_.size(); ++first) {
      if (map_.owner[first] < 0 || part[first] >= 0) continue;
      const int number = static_cast<int>(parts.size());
      CellPlane plane;
      plane.votes = map_.planes[map_.owner[first]].votes;
      part[first] = number;
      open.push_back(first);
      while (!open.empty()) {
        const std::size_t cell = open.back();
        open.pop_back();
        plane.moments.add(cells_[cell].moments);
        const int row = static_cast<int>(cell) / rules_.columns;
        const int column = static_cast<int>(cell) % rules_.columns;
        for (int r = std::max(0, row - 2); r <= std::min(rules_.rows - 1, row + 2); ++r) {
          for (int c = std::max(0, column - 2); c <= std::min(rules_.columns - 1, column + 2);
               ++c) {
            const std::size_t near = static_cast<std::size_t>(r) * rules_.columns + c;
            if (part[near] >= 0 || map_.owner[near] != map_.owner[first]) continue;
            part[near] = number;
            open.push_back(near);
          }
        }
      }
      parts.push_back(plane);
    }
    map_.owner = std::move(part);
    map_.planes = std::move(parts);
    refit();
  }

  // Refits planes to their cells, drops too small ones, and renumbers the others in the same order.
  void refit() {
    for (CellPlane& plane : map_.planes) plane.moments = Moments();
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      if (map_.owner[cell] >= 0) map_.planes[map_.owner[cell]].moments.add(cells_[cell].moments);
    }
    std::vector<int> number(map_.planes.size(), -1);
    std::vector<CellPlane> kept;
    for (std::size_t p = 0; p < map_.planes.size(); ++p) {
      CellPlane plane = map_.planes[p];
      if (plane.moments.n == 0 || plane.moments.n < static_cast<std::uint64_t>(rules_.min_part)) {
        continue;
      }
      plane.fit = fit_of(statistics_of(plane.moments));
      number[p] = static_cast<int>(kept.size());
      kept.push_back(plane);
    }
    for (int& owner : map_.owner) owner = owner < 0 ? -1 : number[owner];
    map_.planes = std::move(kept);
  }

  // Assigns every cell to the nearest of its own plane and its neighbours' that is near enough; all
  // cells at once, a few times.
  void grow() {
    std::vector<int> next = map_.owner;
    for (int pass = 0; pass < kGrowthPasses; ++pass) {
      for (int row = 0; row < rules_.rows; ++row) {
        for (int column = 0; column < rules_.columns; ++column) {
          const int cell = row * rules_.columns + column;
          next[cell] = map_.owner[cell];
          if (cells_[cell].moments.n < kGrowthPixels) continue;
          const std::array<int, 5> near = {
              map_.owner[cell], row > 0 ? map_.owner[cell - rules_.columns] : -1,
              column > 0 ? map_.owner[cell - 1] : -1,
              column + 1 < rules_.columns ? map_.owner[cell + 1] : -1,
              row + 1 < rules_.rows ? map_.owner[cell + rules_.columns] : -1};
          double best = std::numeric_limits<double>::infinity();
          for (const int plane : near) {
            if (plane < 0) continue;
            const Fit& fit = map_.planes[plane].fit;
            const Statistics& s = statistics_[cell];
            const double d = squared_distance(s, fit);
            if (d > squared_tolerance(rules_, slope_, s.mean[2], squared_extent(s, fit))) continue;
            if (d < best || (d == best && plane < next[cell])) {
              best = d;
              next[cell] = plane;
            }
          }
        }
      }
      if (next == map_.owner) break;
      map_.owner.swap(next);
    }
    refit();
  }

  const Pyramid& pyramid_;
  const std::vector<Node>& cells_;
  const FrameRules& rules_;
  Counts& counts_;
  const double slope_;
  std::vector<Statistics> statistics_;  // of cells
  CellMap map_;
};

// Two planes that touch.
struct Border {
  int p = 0;  // the lower number
  int q = 0;
  std::int64_t steps = 0;  // sums over their pairs of cells
  std::int64_t tolerances = 0;
};

// A map's entry for a cell.
struct CellShare {
  int plane = -1;
  double mean[3] = {};
};

std::vector<CellShare> shares_of(const CellMap& map, const std::vector<Node>& cells,
                                 int first_plane) {
  std::vector<CellShare> shares(cells.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (map.owner[cell] < 0 || cells[cell].moments.n == 0) continue;
    const Statistics statistics = statistics_of(cells[cell].moments);
    shares[cell].plane = first_plane + map.owner[cell];
    std::copy_n(statistics.mean, 3, shares[cell].mean);
  }
  return shares;
}

// Finds borders between adjacent cells of one map, and between cells of both maps in the same
// place.
std::vector<Border> find_borders(const std::vector<CellShare>& shares,
                                 const std::vector<CellShare>& rest,
                                 const std::vector<CellPlane>& planes, const FrameRules& rules,
                                 double slope) {
  std::map<std::pair<int, int>, Border> borders;
  const auto look = [&](const CellShare* a, const CellShare* b) {
    if (a->plane < 0 || b->plane < 0 || a->plane == b->plane) return;
    if (a->plane > b->plane) std::swap(a, b);
    Border& border = borders[{a->plane, b->plane}];
    border.p = a->plane;
    border.q = b->plane;
    border.steps += border_step(planes[a->plane].fit, a->mean, planes[b->plane].fit, b->mean);
    border.tolerances += border_tolerance(rules, slope, a->mean, b->mean);
  };
  for (int row = 0; row < rules.rows; ++row) {
    for (int column = 0; column < rules.columns; ++column) {
      const std::size_t cell = static_cast<std::size_t>(row) * rules.columns + column;
      look(&shares[cell], &rest[cell]);
      for (const std::vector<CellShare>* map : {&shares, &rest}) {
        if (column + 1 < rules.columns) look(&(*map)[cell], &(*map)[cell + 1]);
        if (row + 1 < rules.rows) look(&(*map)[cell], &(*map)[cell + rules.columns]);
      }
    }
  }
  std::vector<Border> list;
  for (const auto& [pair, border] : borders) list.push_back(border);
  return list;
}

}  // namespace

CellMap find_cell_planes(const Pyramid& pyramid, const FrameRules& rules, int rounds,
                         Counts* counts) {
  return Rounds(pyramid, rules, counts).run(rounds);
}

// In each pass every plane chooses its best border: the one with the most pixels on both sides,
// then the first. Two planes that choose the same border merge.
void merge_planes(const Pyramid& pyramid, const Pyramid& rest, const FrameRules& rules,
                  CellMap* map, CellMap* rest_map, Counts* counts) {
  const double slope = pyramid.noise * rules.noise_scale;
  const int first_rest = static_cast<int>(map->planes.size());
  std::vector<CellPlane>& planes = map->planes;
  planes.insert(planes.end(), rest_map->planes.begin(), rest_map->planes.end());
  const std::vector<Border> borders =
      find_borders(shares_of(*map, pyramid.nodes[0], 0),
                   shares_of(*rest_map, rest.nodes[0], first_rest), planes, rules, slope);
  std::vector<int> root(planes.size());
  std::iota(root.begin(), root.end(), 0);
  for (int pass = 0; pass < kMergePasses; ++pass) {
    std::vector<int> best(planes.size(), -1);
    std::vector<std::uint64_t> size(borders.size());
    for (std::size_t b = 0; b < borders.size(); ++b) {
      const int p = root[borders[b].p];
      const int q = root[borders[b].q];
      if (p == q || std::abs(borders[b].steps) > borders[b].tolerances) continue;
      const Moments& one = planes[p].moments;
      const Moments& two = planes[q].moments;
      const bool one_is_smaller = one.n < two.n || (one.n == two.n && p > q);
      Moments both = one;
      both.add(two);
      if (!may_merge(rules, slope, planes[p].fit, planes[q].fit,
                     statistics_of(one_is_smaller ? one : two), fit_of(statistics_of(both)))) {
        continue;
      }
      size[b] = both.n;
      for (const int side : {p, q}) {
        if (best[side] < 0 || size[b] > size[best[side]]) best[side] = static_cast<int>(b);
      }
    }
    bool any = false;
    for (std::size_t b = 0; b < borders.size(); ++b) {
      const int p = root[borders[b].p];
      const int q = root[borders[b].q];
      if (p == q || best[p] != static_cast<int>(b) || best[q] != static_cast<int>(b)) continue;
      const int kept = std::min(p, q);
      const int absorbed = std::max(p, q);
      planes[kept].moments.add(planes[absorbed].moments);
      planes[kept].fit = fit_of(statistics_of(planes[kept].moments));
      planes[kept].votes = std::max(planes[kept].votes, planes[absorbed].votes);
      std::replace(root.begin(), root.end(), absorbed, kept);
      ++counts->merged;
      any = true;
    }
    if (!any) break;
  }
  for (int& owner : map->owner) owner = owner < 0 ? -1 : root[owner];
  for (int& owner : rest_map->owner) owner = owner < 0 ? -1 : root[first_rest + owner];
}

}  // namespace rdp::planes::reference
