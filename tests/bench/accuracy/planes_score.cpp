// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/planes_score.h"

#include <array>
#include <cstddef>
#include <memory>

namespace rdp::bench {

PlanesScore score_planes(const std::vector<std::uint8_t>& labels,
                         const std::vector<std::uint8_t>& truth) {
  using Table = std::array<std::array<std::int64_t, 256>, 256>;
  const auto both = std::make_unique<Table>();
  std::array<std::int64_t, 256> in_labels{};
  std::array<std::int64_t, 256> in_truth{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++(*both)[labels[i]][truth[i]];
    ++in_labels[labels[i]];
    ++in_truth[truth[i]];
  }
  PlanesScore score;
  double sum = 0.0;
  for (int t = 1; t < 256; ++t) score.truth += in_truth[t] > 0 ? 1 : 0;
  for (int l = 1; l < 256; ++l) {
    if (in_labels[l] == 0) continue;
    ++score.reported;
    for (int t = 1; t < 256; ++t) {
      const std::int64_t common = (*both)[l][t];
      const std::int64_t all = in_labels[l] + in_truth[t] - common;
      if (4 * common < 3 * all || common == 0) continue;
      ++score.found;  // at most one of each: more than half of both is common
      sum += static_cast<double>(common) / static_cast<double>(all);
    }
  }
  if (score.found > 0) {
    score.mean_iou = sum / score.found;
    score.panoptic = 2.0 * sum / (score.truth + score.reported);
  }
  return score;
}

}  // namespace rdp::bench
