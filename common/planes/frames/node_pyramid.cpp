// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cmath>

#include "common/planes/frames/cell_planes.h"
#include "common/planes/frames/node_rules.h"
#include "common/planes/frames/node_squares.h"

namespace rdp::planes {

Moments* NodePyramid::start(const FrameRules& rules) {
  for (int level = 0; level < kLevels; ++level) {
    const int side = kCell << level;
    columns_[level] = (rules.width + side - 1) / side;
    rows_[level] = (rules.height + side - 1) / side;
    const std::size_t count = static_cast<std::size_t>(columns_[level]) * rows_[level];
    moments_[level].assign(count, Moments());
    closed_[level].assign(count, 0);
  }
  return moments_[0].data();
}

void NodePyramid::measure_noise(const FrameRules& rules) {
  fits_.start(moments_[kNoiseLevel].size());
  for (const Moments& node : moments_[kNoiseLevel]) {
    if (node.n >= kNoisePixels) fits_.add(statistics_of(node));
  }
  fits_.solve();
  deviations_.clear();
  for (std::size_t i = 0; i < fits_.size(); ++i) {
    deviations_.push_back(fit_deviation(fits_.fit(i), rules));
  }
  noise_ = kUsualNoise;
  if (deviations_.size() < kNoiseNodes) return;
  const auto rank = deviations_.begin() + noise_rank(static_cast<std::int64_t>(deviations_.size()));
  std::nth_element(deviations_.begin(), rank, deviations_.end());
  noise_ = frame_noise(*rank, rules);
}

void NodePyramid::look(const FrameRules& rules, double measured, double fill) {
  statistics_.resize(moments_[0].size());
  for (std::size_t i = 0; i < moments_[0].size(); ++i) {
    if (moments_[0][i].n > 0) statistics_[i] = statistics_of(moments_[0][i]);
  }
  for (int level = 0; level + 1 < kLevels; ++level) {
    for (int row = 0; row < rows_[level]; ++row) {
      const Moments* const from = moments_[level].data() + std::ptrdiff_t{row} * columns_[level];
      Moments* const to =
          moments_[level + 1].data() + std::ptrdiff_t{row / 2} * columns_[level + 1];
      for (int column = 0; column < columns_[level]; ++column) to[column / 2].add(from[column]);
    }
  }
  noise_ = rules.noise > 0.0 ? rules.noise : measured;
  if (noise_ < 0.0) measure_noise(rules);
  const double slope = noise_ * rules.noise_scale;

  planar_.clear();
  nodes_ = 0;
  for (int level = kLevels - 1; level >= 0; --level) {
    tried_.clear();
    fits_.start(moments_[level].size());
    for (int row = 0; row < rows_[level]; ++row) {
      for (int column = 0; column < columns_[level]; ++column) {
        const std::size_t i = static_cast<std::size_t>(row) * columns_[level] + column;
        if (level + 1 < kLevels &&
            closed_[level + 1]
                   [static_cast<std::size_t>(row / 2) * columns_[level + 1] + column / 2] != 0) {
          closed_[level][i] = 1;
          continue;
        }
        ++nodes_;
        const Moments& moments = moments_[level][i];
        if (!enough_known(moments.n, level, column, row, rules, fill)) continue;
        PlanarNode node{
            level, column, row, moments, level == 0 ? statistics_[i] : statistics_of(moments),
            {},    0.0};
        node.tolerance2 =
            squared_tolerance(rules, slope, node.statistics.mean[2], trace_of(node.statistics));
        if (thicker_than(node.statistics.covariance, node.tolerance2)) continue;
        fits_.add(node.statistics);
        tried_.push_back(node);
      }
    }
    fits_.solve();
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      PlanarNode& node = tried_[i];
      node.fit = fits_.fit(i);
      if (!flat_enough(node.fit)) continue;
      closed_[level][static_cast<std::size_t>(node.row) * columns_[level] + node.column] = 1;
      planar_.push_back(node);
    }
  }
}

void NodePyramid::list(const FrameRules& rules, std::vector<NodeSquare>* squares) const {
  list_squares(
      rules,
      [&](int level, int column, int row) {
        return closed_[level][static_cast<std::size_t>(row) * columns_[level] + column] != 0;
      },
      squares);
}

}  // namespace rdp::planes
