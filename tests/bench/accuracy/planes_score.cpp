// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/planes_score.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace rdp::bench {
namespace {

using Counts = std::array<std::int64_t, 256>;

// The numbers of pixels per label, per true label, and per pair of both.
struct Overlaps {
  Overlaps(const std::vector<std::uint8_t>& labels, const std::vector<std::uint8_t>& truth)
      : both(std::make_unique<std::array<Counts, 256>>()) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ++(*both)[labels[i]][truth[i]];
      ++in_labels[labels[i]];
      ++in_truth[truth[i]];
    }
  }

  std::unique_ptr<std::array<Counts, 256>> both;
  Counts in_labels{};
  Counts in_truth{};
};

}  // namespace

PlanesScore score_planes(const std::vector<std::uint8_t>& labels,
                         const std::vector<std::uint8_t>& truth) {
  const Overlaps o(labels, truth);
  PlanesScore score;
  double sum = 0.0;
  for (int t = 1; t < 256; ++t) score.truth += o.in_truth[t] > 0 ? 1 : 0;
  for (int l = 1; l < 256; ++l) {
    if (o.in_labels[l] == 0) continue;
    ++score.reported;
    for (int t = 1; t < 256; ++t) {
      const std::int64_t common = (*o.both)[l][t];
      const std::int64_t all = o.in_labels[l] + o.in_truth[t] - common;
      if (4 * common < 3 * all || common == 0) continue;
      ++score.found;  // unique, since more than half of both is common
      sum += static_cast<double>(common) / static_cast<double>(all);
    }
  }
  if (score.found > 0) {
    score.mean_iou = sum / score.found;
    score.panoptic = 2.0 * sum / (score.truth + score.reported);
  }
  return score;
}

int covered_planes(const std::vector<std::uint8_t>& labels, const std::vector<std::uint8_t>& truth,
                   double part) {
  const Overlaps o(labels, truth);
  int covered = 0;
  for (int t = 1; t < 256; ++t) {
    for (int l = 1; l < 256 && o.in_truth[t] > 0; ++l) {
      const auto common = static_cast<double>((*o.both)[l][t]);
      const auto whole = static_cast<double>(std::max(o.in_labels[l], o.in_truth[t]));
      if (common >= part * whole) ++covered;
    }
  }
  return covered;
}

}  // namespace rdp::bench
