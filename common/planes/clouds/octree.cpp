// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/octree.h"

#include <algorithm>
#include <utility>

#include "common/planes/cell_rules.h"

namespace rdp::planes {
namespace {

Moments difference(const Moments& a, const Moments& b) {
  Moments m;
  m.n = a.n - b.n;
  for (int i = 0; i < 3; ++i) m.sum[i] = a.sum[i] - b.sum[i];
  for (int i = 0; i < 6; ++i) m.products[i] = a.products[i] - b.products[i];
  return m;
}

}  // namespace

Moments* CloudOctree::start(std::size_t cells) {
  before_.ensure(cells + 1);
  cell_count_ = cells;
  return cells_.ensure(cells);
}

void CloudOctree::look(std::span<const PointRun> cells, const CloudRules& rules, Counts* counts) {
  // Sums over any run of cells are a difference of two of these.
  Moments* const before = before_.data();
  before[0] = Moments();
  for (std::size_t i = 0; i < cell_count_; ++i) {
    before[i + 1] = before[i];
    before[i + 1].add(cells_.data()[i]);
  }
  planar_.clear();
  open_.clear();
  if (cell_count_ > 0) open_.push_back({0, static_cast<std::uint32_t>(cell_count_)});
  const auto least = static_cast<std::uint64_t>(rules.min_points);
  const double limit = kCloudThickness * rules.tolerance * rules.tolerance;
  for (int level = rules.min_level; level <= rules.depth && !open_.empty(); ++level) {
    const int shift = 3 * (rules.depth - level);
    next_.clear();
    tried_.clear();
    fits_.start(cell_count_);
    for (const Range& range : open_) {
      std::uint32_t end = range.first;
      for (std::uint32_t first = range.first; first < range.end; first = end) {
        const std::uint32_t key = cells[first].key >> shift;
        do ++end;
        while (end < range.end && cells[end].key >> shift == key);
        ++counts->nodes;
        if (before[end].n - before[first].n < least) continue;
        Node node;
        node.first = first;
        node.end = end;
        node.moments = difference(before[end], before[first]);
        node.statistics = statistics_of(node.moments);
        node.owner = -1;
        if (thicker_than(node.statistics.covariance, limit)) {
          next_.push_back({first, end});
          continue;
        }
        fits_.add(node.statistics);
        tried_.push_back(node);
      }
    }
    fits_.solve();
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      Node& node = tried_[i];
      node.fit = fits_.fit(i);
      if (is_flat_node(node.fit)) {
        planar_.push_back(node);
      } else {
        next_.push_back({node.first, node.end});
      }
    }
    // Sorted by key again.
    std::sort(next_.begin(), next_.end(),
              [](const Range& a, const Range& b) { return a.first < b.first; });
    open_.swap(next_);
  }
  // Both get the same capacity because they are swapped: neither must grow for an equally large
  // cloud.
  open_.reserve(next_.capacity());
  next_.reserve(open_.capacity());
  counts->planar_nodes = static_cast<std::int64_t>(planar_.size());
}

void CloudPlaneFinder::find(const CloudRules& rules, VoteSpace* space, std::vector<Node>* nodes,
                            Counts* counts) {
  planes_.clear();
  const double tolerance2 = squared_reach(rules, 1.0);
  for (int round = 0; round < rules.rounds; ++round) {
    voters_.clear();
    const double near = squared_reach(rules, kVoteAgainDistance);
    for (Node& node : *nodes) {
      const bool votes = std::none_of(planes_.begin(), planes_.end(), [&](const CloudPlane& p) {
        return squared_distance(node.statistics, p.fit) <= near;
      });
      if (votes) voters_.push_back(&node);
    }
    if (voters_.empty()) break;
    counts->voters += static_cast<std::int64_t>(voters_.size());
    for (const Node* node : voters_) space->vote({&node->fit, tolerance2, node->moments.n});
    space->take_peaks(static_cast<std::uint64_t>(rules.min_votes), &peaks_);
    counts->peaks += static_cast<std::int64_t>(peaks_.size());
    const std::size_t room = kCloudPlanes - planes_.size();
    if (peaks_.size() > room) peaks_.resize(room);
    add_planes(rules, space->cells());
    assign(rules, nodes);
  }
  drop_small(rules.min_inliers, nodes);
}

void CloudPlaneFinder::add_planes(const CloudRules& rules, const BallCells& cells) {
  const double tolerance2 = squared_reach(rules, 1.0);
  of_peaks_.find(
      voters_, peaks_, cells, rules.angle_step, static_cast<std::uint64_t>(rules.min_inliers / 2),
      kCloudNarrowing, [&](const Node&) { return tolerance2; },
      [&](const Node&, double k) { return squared_reach(rules, k); });
  for (std::size_t p = 0; p < peaks_.size(); ++p) {
    if (of_peaks_.taken(p)) planes_.push_back(of_peaks_.planes()[p]);
  }
}

void CloudPlaneFinder::assign(const CloudRules& rules, std::vector<Node>* nodes) {
  const double tolerance2 = squared_reach(rules, 1.0);
  const double most = squared_reach(rules, kCloudAssignDistance);
  for (CloudPlane& plane : planes_) plane.moments = Moments();
  for (Node& node : *nodes) {
    double best = most;
    node.owner = -1;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      const double d = squared_distance(node.statistics, planes_[p].fit);
      if ((d < best || (d == best && node.owner < 0)) &&
          same_direction(node.fit, tolerance2, planes_[p].fit)) {
        best = d;
        node.owner = static_cast<std::int32_t>(p);
      }
    }
    if (node.owner >= 0) planes_[node.owner].moments.add(node.moments);
  }
  drop_small(rules.min_inliers / 2, nodes);
  for (CloudPlane& plane : planes_) plane.fit = fit_of(statistics_of(plane.moments));
}

void CloudPlaneFinder::drop_small(std::int64_t least, std::vector<Node>* nodes) {
  number_.assign(planes_.size(), -1);
  std::size_t kept = 0;
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    const std::uint64_t n = planes_[p].moments.n;
    if (n == 0 || n < static_cast<std::uint64_t>(least)) continue;
    number_[p] = static_cast<std::int32_t>(kept);
    if (kept != p) planes_[kept] = planes_[p];
    ++kept;
  }
  planes_.resize(kept);
  for (Node& node : *nodes) node.owner = node.owner < 0 ? -1 : number_[node.owner];
}

void CloudPlaneFinder::merge(const CloudRules& rules, const std::vector<PlaneBorder>& borders,
                             Counts* counts) {
  counts->merged += merge_over_borders(
      borders, kCloudMergePasses,
      [&](const PlaneBorder& border, const CloudPlane& p, const CloudPlane& q) {
        return are_one_plane(rules, border.steps, border.pairs, p, q);
      },
      &planes_, &root_, &best_);
}

}  // namespace rdp::planes
