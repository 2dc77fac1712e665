// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "common/rdp/reference.h"
#include "common/rdp/robust_line.h"

namespace rdp::reference {
namespace {

// The first sample of `samples` that is not above `row`.
std::size_t at_or_below(const std::vector<Sample>& samples, int row) {
  std::size_t i = 0;
  while (samples[i].row < row) ++i;
  return i;
}

// The sample with which the lower of two neighbouring segments begins.
std::size_t best_cut(const std::vector<Sample>& samples, const Segment& upper,
                     const Segment& lower) {
  const RowLine above = line_of(upper);
  const RowLine below = line_of(lower);
  const std::size_t was = at_or_below(samples, lower.first_row);
  const std::size_t first = at_or_below(samples, (upper.first_row + upper.last_row) / 2) + 1;
  const std::size_t last = at_or_below(samples, (lower.first_row + lower.last_row) / 2);
  std::size_t best = was;
  std::int64_t least = INT64_MAX;
  for (std::size_t cut = first; cut <= last; ++cut) {
    const int moved = std::abs(samples[cut].row - lower.first_row);
    if (moved > kCutReach) continue;
    std::int64_t cost = 0;
    for (std::size_t i = first; i < last; ++i) {
      const RowLine& line = i < cut ? above : below;
      cost += distance_cost(line.distance(samples[i].row, samples[i].value));
    }
    if (cost < least || (cost == least && moved < std::abs(samples[best].row - lower.first_row))) {
      best = cut;
      least = cost;
    }
  }
  return best;
}

Segment robust_segment(const std::vector<Sample>& samples, std::size_t first, std::size_t end,
                       RowLine line, float near) {
  const int row = samples[first].row;
  const int last_row = samples[end - 1].row;
  Segment result{static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(last_row), 0, 0};
  for (int pass = 0; pass < kRobustPasses; ++pass) {
    WeightedSums sums;
    for (std::size_t i = first; i < end; ++i) {
      const Sample s = samples[i];
      sums.add(s.row - row, s.value, robust_weight(line.distance(s.row, s.value), near));
    }
    const RobustLine fitted(sums);
    line = fitted.from_row(row);
    result.first_value = fitted.rounded_value(0);
    result.last_value = fitted.rounded_value(last_row - row);
  }
  return result;
}

}  // namespace

std::vector<Segment> refit(const std::vector<Sample>& samples, const std::vector<Segment>& segments,
                           const SegmentRules& rules) {
  std::vector<std::size_t> cuts{0};
  for (std::size_t s = 1; s < segments.size(); ++s) {
    cuts.push_back(best_cut(samples, segments[s - 1], segments[s]));
  }
  cuts.push_back(samples.size());
  std::vector<Segment> result;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    result.push_back(
        robust_segment(samples, cuts[s], cuts[s + 1], line_of(segments[s]), rules.near));
  }
  return result;
}

}  // namespace rdp::reference
