// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/refit.h"

#include <algorithm>
#include <cstdlib>

#include "common/rdp/robust_line.h"

namespace rdp {
namespace {

float distance_of(const RowLine& line, PackedSample sample) {
  return line.distance(packed_row(sample), packed_value(sample));
}

// Walks along the samples of a run, and keeps where it is, so that all searches of a column
// together pass each sample a few times.
class Cursor {
 public:
  explicit Cursor(const PackedSample* samples) : samples_(samples) {}

  // The first sample that is not above `row`, which is not above that of the last call.
  std::uint32_t at_or_below(int row) {
    while (packed_row(samples_[at_]) < row) ++at_;
    return at_;
  }

 private:
  const PackedSample* samples_;
  std::uint32_t at_ = 0;
};

// Where to cut between two lines: at `was`, or where it is cheaper, from `first` to `last`. Away
// from `was` in both directions, so that only the samples are looked at that change sides.
std::uint32_t best_cut(const PackedSample* samples, const RowLine& above, const RowLine& below,
                       std::uint32_t first, std::uint32_t was, std::uint32_t last) {
  const int row = packed_row(samples[was]);
  // What it costs more to have a sample above the cut than below it.
  const auto more_above = [&](PackedSample sample) {
    return distance_cost(distance_of(above, sample)) - distance_cost(distance_of(below, sample));
  };
  std::uint32_t best = was;
  std::int32_t least = 0;
  std::int32_t cost = 0;
  for (std::uint32_t i = was; i-- > first && row - packed_row(samples[i]) <= kCutReach;) {
    cost -= more_above(samples[i]);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  const int moved = row - packed_row(samples[best]);
  cost = 0;
  for (std::uint32_t i = was; i < last; ++i) {
    const int distance = packed_row(samples[i + 1]) - row;
    if (distance > kCutReach) break;
    cost += more_above(samples[i]);
    if (cost < least || (cost == least && least < 0 && distance < moved && best < was)) {
      least = cost;
      best = i + 1;
    }
  }
  return best;
}

// The line of the samples from `first` on, near `line`.
Segment fit(const PackedSample* first, const PackedSample* end, RowLine line, float near) {
  const int row = packed_row(*first);
  const int last_row = packed_row(end[-1]);
  Segment result{static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(last_row), 0.0F, 0.0F};
  for (int pass = 0; pass < kRobustPasses; ++pass) {
    WeightedSums sums;
    for (const PackedSample* sample = first; sample < end; ++sample) {
      sums.add(packed_row(*sample) - row, packed_value(*sample),
               robust_weight(distance_of(line, *sample), near));
    }
    const RobustLine fitted(sums);
    line = fitted.from_row(row);
    result.first_value = fitted.rounded_value(0);
    result.last_value = fitted.rounded_value(last_row - row);
  }
  return result;
}

}  // namespace

void refit(const PackedSample* samples, std::uint32_t sample_count, const SegmentRules& rules,
           Segment* segments, std::uint32_t segment_count) {
  Cursor starts(samples);
  Cursor middles(samples);
  std::uint32_t begin = 0;
  for (std::uint32_t s = 0; s < segment_count; ++s) {
    const Segment segment = segments[s];
    const RowLine line = line_of(segment);
    std::uint32_t end = sample_count;
    if (s + 1 < segment_count) {
      const Segment& next = segments[s + 1];
      const std::uint32_t first =
          middles.at_or_below((segment.first_row + segment.last_row) / 2) + 1;
      const std::uint32_t was = starts.at_or_below(next.first_row);
      Cursor next_middle = starts;
      const std::uint32_t last = next_middle.at_or_below((next.first_row + next.last_row) / 2);
      end = best_cut(samples, line, line_of(next), first, was, last);
    }
    segments[s] = fit(samples + begin, samples + end, line, rules.near);
    begin = end;
  }
}

}  // namespace rdp
