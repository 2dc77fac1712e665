// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cmath>

#include "common/planes/cell_rules.h"
#include "common/planes/frames/node_rules.h"
#include "common/planes/frames/reference.h"

// From samples to peaks.
namespace rdp::planes::reference {
namespace {

double measure_noise(const std::vector<Node>& nodes, const FrameRules& rules) {
  std::vector<double> deviations;
  for (const Node& node : nodes) {
    if (node.moments.n < kNoisePixels) continue;
    deviations.push_back(node_deviation(node.moments, rules));
  }
  if (deviations.size() < kNoiseNodes) return kUsualNoise;
  const auto rank = deviations.begin() + noise_rank(static_cast<std::int64_t>(deviations.size()));
  std::nth_element(deviations.begin(), rank, deviations.end());
  return frame_noise(*rank, rules);
}

bool look_at_node(Node* node, const FrameRules& rules, double fill, double noise) {
  if (!enough_known(node->moments.n, node->level, node->column, node->row, rules, fill)) {
    return false;
  }
  node->statistics = statistics_of(node->moments);
  return is_planar(node->statistics, rules, noise * rules.noise_scale, &node->tolerance2,
                   &node->fit);
}

// Sums the pixels without a label; all pixels if there are no labels.
Pyramid sum_up(const DepthView& frame, const Geometry& geometry, const Labels& labels) {
  const FrameRules& rules = geometry.rules;
  Pyramid pyramid;
  for (int level = 0; level < kLevels; ++level) {
    const int side = kCell << level;
    pyramid.columns[level] = (rules.width + side - 1) / side;
    pyramid.rows[level] = (rules.height + side - 1) / side;
    for (int row = 0; row < pyramid.rows[level]; ++row) {
      for (int column = 0; column < pyramid.columns[level]; ++column) {
        Node node;
        node.level = level;
        node.column = column;
        node.row = row;
        pyramid.nodes[level].push_back(node);
      }
    }
  }
  for (int y = 0; y < rules.height; ++y) {
    for (int x = 0; x < rules.width; ++x) {
      const std::int32_t z = geometry.depth[frame.at(y, x)];
      const std::size_t pixel = static_cast<std::size_t>(y) * rules.width + x;
      if (z == 0 || (!labels.empty() && labels[pixel] != 0)) continue;
      for (int level = 0; level < kLevels; ++level) {
        const int side = kCell << level;
        pyramid.nodes[level][y / side * pyramid.columns[level] + x / side].moments.add_point(
            back_project(z, geometry.ray_x[x]), back_project(z, geometry.ray_y[y]), z);
      }
    }
  }
  return pyramid;
}

// From the largest nodes down to the first planar ones.
void look_at(const FrameRules& rules, double fill, Pyramid* pyramid) {
  for (int level = kLevels - 1; level >= 0; --level) {
    for (Node& node : pyramid->nodes[level]) {
      node.looked_at = true;
      if (level + 1 < kLevels) {
        const int above = node.row / 2 * pyramid->columns[level + 1] + node.column / 2;
        const Node& parent = pyramid->nodes[level + 1][above];
        node.looked_at = parent.looked_at && !parent.planar;
      }
      node.planar = node.looked_at && look_at_node(&node, rules, fill, pyramid->noise);
    }
  }
}

}  // namespace

Pyramid look_at_nodes(const DepthView& frame, const Geometry& geometry) {
  const FrameRules& rules = geometry.rules;
  Pyramid pyramid = sum_up(frame, geometry, {});
  pyramid.noise =
      rules.noise > 0.0 ? rules.noise : measure_noise(pyramid.nodes[kNoiseLevel], rules);
  look_at(rules, rules.fill, &pyramid);
  return pyramid;
}

Pyramid look_at_rest(const DepthView& frame, const Geometry& geometry, double noise,
                     const Labels& labels) {
  Pyramid pyramid = sum_up(frame, geometry, labels);
  pyramid.noise = noise;
  look_at(geometry.rules, kRestFill * geometry.rules.fill, &pyramid);
  return pyramid;
}

std::vector<std::uint32_t> vote(const std::vector<Voter>& voters, double angle_step,
                                const BallCells& cells) {
  std::vector<std::uint32_t> votes(static_cast<std::size_t>(cells.count()));
  for (const Voter& node : voters) {
    const Fit& fit = node.fit;
    const double tolerance = std::sqrt(node.tolerance2);
    const VoteShape shape =
        vote_shape(tolerance / std::sqrt(fit.variance[1]), tolerance, angle_step, cells.step);
    for (int direction = 0; direction < cells.ball.directions; ++direction) {
      const double* c = cells.ball.centres + 3 * direction;
      const double cosine = dot(c, fit.normal);
      if (!(cosine >= shape.least_cosine)) continue;
      const double angle = (1.0 - cosine) * shape.angle_factor;
      const double distance = dot(c, fit.mean);
      const int first = static_cast<int>(std::floor((distance - shape.reach) / cells.step));
      const int last = static_cast<int>(std::floor((distance + shape.reach) / cells.step));
      for (int k = first; k <= last; ++k) {
        const double off = distance - cells.centre_distance(k);
        if (std::abs(off) > shape.reach) continue;
        const double off_share = off * shape.distance_factor;
        const double deviation = angle + off_share * off_share;
        if (!(deviation < kMaxDeviation)) continue;
        const std::int64_t cell = cells.cell(direction, k);
        if (cell < 0) continue;
        votes[cell] +=
            static_cast<std::uint32_t>(planes::vote(node.weight, deviation, kVoteShares));
      }
    }
  }
  return votes;
}

std::vector<Peak> find_peaks(const std::vector<std::uint32_t>& votes, std::int64_t min_votes,
                             const BallCells& cells) {
  const auto votes_at = [&](int direction, int distance) -> std::uint64_t {
    const std::int64_t cell = cells.cell(direction, distance);
    return cell < 0 ? 0 : votes[cell];
  };
  // Filters the votes of a cell: 3 of its own and 2 of each of its six neighbours, over 15.
  std::vector<std::uint64_t> filtered(votes.size());
  for (int direction = 0; direction < cells.ball.directions; ++direction) {
    for (int k = 0; k < cells.distances; ++k) {
      if (votes_at(direction, k) == 0) continue;
      const std::uint64_t around = votes_at(direction, k - 1) + votes_at(direction, k + 1) +
                                   votes_at(cells.ball.turned(direction, -1), k) +
                                   votes_at(cells.ball.turned(direction, 1), k) +
                                   votes_at(cells.ball.moved(direction, -1), k) +
                                   votes_at(cells.ball.moved(direction, 1), k);
      filtered[cells.cell(direction, k)] = (3 * votes_at(direction, k) + 2 * around) / 15;
    }
  }
  std::vector<Peak> peaks;
  for (int direction = 0; direction < cells.ball.directions; ++direction) {
    for (int k = 0; k < cells.distances; ++k) {
      const std::int64_t cell = cells.cell(direction, k);
      const std::uint64_t value = filtered[cell];
      if (votes[cell] == 0 || value < static_cast<std::uint64_t>(min_votes)) continue;
      bool peak = true;
      for (int down = -2; down <= 2; ++down) {
        const int row = cells.ball.moved(direction, down);
        for (int theta = -2; theta <= 2; ++theta) {
          const int near = cells.ball.turned(row, theta);
          for (int j = k - 2; j <= k + 2; ++j) {
            const std::int64_t other = cells.cell(near, j);
            if (other < 0 || other == cell || votes[other] == 0) continue;
            if (filtered[other] > value || (filtered[other] == value && other < cell)) peak = false;
          }
        }
      }
      if (peak) peaks.push_back({direction, k, value});
    }
  }
  return peaks;
}

}  // namespace rdp::planes::reference
