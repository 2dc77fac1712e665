// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <map>
#include <utility>

#include "common/planes/border_merge.h"
#include "common/planes/cell_rules.h"
#include "common/planes/clouds/reference.h"
#include "common/planes/frames/reference.h"

// From nodes to planes of nodes.
namespace rdp::planes::reference {
namespace {

class CloudRounds {
 public:
  CloudRounds(Octree* octree, Counts* counts)
      : octree_(*octree), rules_(octree->rules), counts_(*counts) {}

  std::vector<CloudPlane> run() {
    const Ball ball(rules_.directions);
    const BallCells cells{ball.view(), rules_.distances, rules_.distance_step};
    for (int round = 0; round < rules_.rounds; ++round) {
      const std::vector<const CloudNode*> voters = choose_voters();
      if (voters.empty()) break;
      counts_.voters += static_cast<std::int64_t>(voters.size());
      std::vector<Voter> votes;
      for (const CloudNode* v : voters) {
        votes.push_back({v->fit, squared_reach(rules_, 1.0), v->moments.n});
      }
      std::vector<Peak> peaks =
          find_peaks(vote(votes, rules_.angle_step, cells), rules_.min_votes, cells);
      counts_.peaks += static_cast<std::int64_t>(peaks.size());
      const std::size_t room = kCloudPlanes - planes_.size();
      if (peaks.size() > room) peaks.resize(room);
      add_planes(voters, peaks, cells);
      assign_nodes();
    }
    drop_small(rules_.min_inliers);
    for (CloudNode& node : octree_.planar) own_cells(node);
    merge();
    return std::move(planes_);
  }

 private:
  // Planar nodes that are far from all planes found so far.
  std::vector<const CloudNode*> choose_voters() const {
    std::vector<const CloudNode*> voters;
    for (const CloudNode& node : octree_.planar) {
      const bool near = std::any_of(planes_.begin(), planes_.end(), [&](const CloudPlane& plane) {
        return squared_distance(node.statistics, plane.fit) <=
               squared_reach(rules_, kVoteAgainDistance);
      });
      if (!near) voters.push_back(&node);
    }
    return voters;
  }

  // Adds a plane for each peak with enough points. It starts from the peak's largest node, because
  // the mean of its nodes may lie between two planes.
  void add_planes(const std::vector<const CloudNode*>& voters, const std::vector<Peak>& peaks,
                  const BallCells& cells) {
    std::vector<int> peak_of(voters.size(), -1);
    std::vector<std::uint64_t> points(peaks.size());
    for (std::size_t v = 0; v < voters.size(); ++v) {
      double best = 1.0;
      for (std::size_t p = 0; p < peaks.size(); ++p) {
        const double near = nearness(
            voters[v]->fit, squared_reach(rules_, 1.0), cells.ball.centres + 3 * peaks[p].direction,
            cells.centre_distance(peaks[p].distance), rules_.angle_step, cells.step);
        if (near < best || (near == best && peak_of[v] < 0)) {
          best = near;
          peak_of[v] = static_cast<int>(p);
        }
      }
      if (peak_of[v] >= 0) points[peak_of[v]] += voters[v]->moments.n;
    }
    for (std::size_t p = 0; p < peaks.size(); ++p) {
      const CloudNode* largest = nullptr;
      for (std::size_t v = 0; v < voters.size(); ++v) {
        if (peak_of[v] != static_cast<int>(p)) continue;
        if (largest == nullptr || voters[v]->moments.n > largest->moments.n) largest = voters[v];
      }
      if (largest == nullptr || points[p] < static_cast<std::uint64_t>(rules_.min_inliers / 2)) {
        continue;
      }
      CloudPlane plane;
      plane.fit = largest->fit;
      plane.votes = peaks[p].votes;
      for (const double k : kCloudNarrowing) {
        plane.moments = Moments();
        for (std::size_t v = 0; v < voters.size(); ++v) {
          if (peak_of[v] != static_cast<int>(p)) continue;
          const bool fits =
              squared_distance(voters[v]->statistics, plane.fit) <= squared_reach(rules_, k);
          if (fits || voters[v] == largest) plane.moments.add(voters[v]->moments);
        }
        plane.fit = fit_of(statistics_of(plane.moments));
      }
      planes_.push_back(plane);
    }
  }

  // Assigns every planar node, including those that did not vote, to the nearest of all planes, and
  // refits these.
  void assign_nodes() {
    const double most = squared_reach(rules_, kCloudAssignDistance);
    for (CloudNode& node : octree_.planar) {
      double best = most;
      node.owner = -1;
      for (std::size_t p = 0; p < planes_.size(); ++p) {
        const double d = squared_distance(node.statistics, planes_[p].fit);
        if ((d < best || (d == best && node.owner < 0)) &&
            same_direction(node.fit, squared_reach(rules_, 1.0), planes_[p].fit)) {
          best = d;
          node.owner = static_cast<int>(p);
        }
      }
    }
    for (CloudPlane& plane : planes_) plane.moments = Moments();
    for (const CloudNode& node : octree_.planar) {
      if (node.owner >= 0) planes_[node.owner].moments.add(node.moments);
    }
    drop_small(rules_.min_inliers / 2);
    for (CloudPlane& plane : planes_) plane.fit = fit_of(statistics_of(plane.moments));
  }

  // Drops planes whose nodes have fewer points; those nodes then have no owner. Renumbers the other
  // planes in the same order.
  void drop_small(std::int64_t least) {
    std::vector<int> number(planes_.size(), -1);
    std::vector<CloudPlane> kept;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      const std::uint64_t n = planes_[p].moments.n;
      if (n == 0 || n < static_cast<std::uint64_t>(least)) continue;
      number[p] = static_cast<int>(kept.size());
      kept.push_back(planes_[p]);
    }
    for (CloudNode& node : octree_.planar) node.owner = node.owner < 0 ? -1 : number[node.owner];
    planes_ = std::move(kept);
  }

  void own_cells(const CloudNode& node) {
    for (std::size_t cell = node.first; cell < node.end; ++cell) {
      octree_.cells[cell].owner = node.owner;
    }
  }

  // Finds planes that may be one. Each pair of neighbouring cells counts, whether they share a
  // face, an edge or a corner.
  std::vector<PlaneBorder> find_borders() const {
    std::map<std::pair<int, int>, PlaneBorder> borders;
    for (const CloudCell& cell : octree_.cells) {
      if (cell.owner < 0) continue;
      const int x = static_cast<int>(gather_bits(cell.key));
      const int y = static_cast<int>(gather_bits(cell.key >> 1));
      const int z = static_cast<int>(gather_bits(cell.key >> 2));
      for (int i = 0; i < 13; ++i) {  // the first half of the 27; the 14th is the cell itself
        const int near = cell_at(octree_, x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1);
        if (near < 0) continue;
        const CloudCell* a = &cell;
        const CloudCell* b = &octree_.cells[near];
        if (b->owner < 0 || a->owner == b->owner) continue;
        if (a->owner > b->owner) std::swap(a, b);
        PlaneBorder& border = borders[{a->owner, b->owner}];
        border.p = a->owner;
        border.q = b->owner;
        border.steps += border_step(planes_[a->owner].fit, a->statistics.mean,
                                    planes_[b->owner].fit, b->statistics.mean);
        ++border.pairs;
      }
    }
    std::vector<PlaneBorder> list;
    for (int p = 0; p < static_cast<int>(planes_.size()); ++p) {
      for (int q = p + 1; q < static_cast<int>(planes_.size()); ++q) {
        PlaneBorder border{p, q, 0, 0};
        if (const auto met = borders.find({p, q}); met != borders.end()) border = met->second;
        if (may_be_one_plane(rules_, border.steps, border.pairs, planes_[p].fit, planes_[q].fit)) {
          list.push_back(border);
        }
      }
    }
    return list;
  }

  void merge() {
    std::vector<int> root;
    std::vector<std::int64_t> best;
    counts_.merged += merge_over_borders(
        find_borders(), kCloudMergePasses,
        [&](const PlaneBorder& border, const CloudPlane& p, const CloudPlane& q) {
          return are_one_plane(rules_, border.steps, border.pairs, p, q);
        },
        &planes_, &root, &best);
    for (CloudNode& node : octree_.planar) {
      if (node.owner < 0) continue;
      node.owner = root[node.owner];
      own_cells(node);
    }
  }

  Octree& octree_;
  const CloudRules& rules_;
  Counts& counts_;
  std::vector<CloudPlane> planes_;
};

}  // namespace

std::vector<CloudPlane> find_node_planes(Octree* octree, Counts* counts) {
  return CloudRounds(octree, counts).run();
}

}  // namespace rdp::planes::reference
