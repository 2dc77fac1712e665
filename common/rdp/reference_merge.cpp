// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "common/rdp/fitted_line.h"
#include "common/rdp/reference.h"

namespace rdp::reference {
namespace {

// Starts of items, as indices, and the end of the last one.
using Starts = std::vector<std::size_t>;

// The starts of the pieces, as indices into `samples`.
Starts cut_at_vertices(const std::vector<Sample>& samples, const std::vector<int>& vertices) {
  Starts starts{0};
  for (std::size_t v = 1; v + 1 < vertices.size(); ++v) {
    const auto vertex = static_cast<std::size_t>(vertices[v]);
    const int before = std::abs(samples[vertex].value - samples[vertex - 1].value);
    const int after = std::abs(samples[vertex + 1].value - samples[vertex].value);
    const std::size_t cut = before >= after ? vertex : vertex + 1;
    if (cut > starts.back()) starts.push_back(cut);
  }
  starts.push_back(samples.size());
  return starts;
}

SampleSums sums_of(const std::vector<Sample>& samples, std::size_t first, std::size_t end) {
  SampleSums sums;
  for (std::size_t i = first; i < end; ++i) {
    const std::int64_t row = samples[i].row;
    const std::int64_t value = samples[i].value;
    sums = sums + SampleSums{1, samples[i].row, samples[i].value, row * row, row * value};
  }
  return sums;
}

std::vector<Piece> pieces_between(const std::vector<Sample>& samples, const Starts& starts,
                                  float truncation2) {
  std::vector<Piece> pieces;
  for (std::size_t p = 0; p + 1 < starts.size(); ++p) {
    std::int64_t values_values = 0;
    for (std::size_t i = starts[p]; i < starts[p + 1]; ++i) {
      values_values += std::int64_t{samples[i].value} * samples[i].value;
    }
    pieces.push_back(
        make_piece(sums_of(samples, starts[p], starts[p + 1]), values_values, truncation2));
  }
  return pieces;
}

// True if a line through pieces `first` to `end` - 1 ends within rules.margin of the pieces' ends.
bool ends_near(const std::vector<Sample>& samples, const Starts& starts,
               const std::vector<Piece>& pieces, std::size_t first, std::size_t end,
               const FittedLine& line, float margin) {
  const auto first_row = [&](std::size_t p) { return samples[starts[p]].row; };
  const auto last_row = [&](std::size_t p) { return samples[starts[p + 1] - 1].row; };
  EndRange range(pieces[first].line, first_row(first), last_row(first));
  for (std::size_t p = first + 1; p < end; ++p) {
    range.add({pieces[p].line, first_row(p), last_row(p)});
  }
  return range.holds({line, first_row(first), last_row(end - 1)}, margin);
}

// One pass of joining. `segments` are the first pieces of the segments, the result those of the
// remaining segments. `starts` are the first samples of the pieces.
Starts join(const std::vector<Sample>& samples, const Starts& starts,
            const std::vector<Piece>& pieces, const Starts& segments, const SegmentRules& rules) {
  // For each cut between segments, and for both ends of the run: the smallest total up to there,
  // and the cut where the last segment before it begins.
  std::vector<float> total(segments.size(), std::numeric_limits<float>::infinity());
  std::vector<std::size_t> start(segments.size(), 0);
  total[0] = 0.0F;
  for (std::size_t end = 1; end < segments.size(); ++end) {
    const std::size_t reach = std::min<std::size_t>(end, kMergeReach);
    for (std::size_t first = end - reach; first < end; ++first) {
      const FittedLine line =
          fit_line(sums_of(samples, starts[segments[first]], starts[segments[end]]));
      if (end - first > 1 &&
          !ends_near(samples, starts, pieces, segments[first], segments[end], line, rules.margin)) {
        continue;
      }
      float error = 0.0F;
      for (std::size_t p = segments[first]; p < segments[end]; ++p) {
        error += truncated_error(pieces[p], line);
      }
      const float sum = (total[first] + rules.price) + error;
      if (sum < total[end]) {
        total[end] = sum;
        start[end] = first;
      }
    }
  }
  Starts joined;
  for (std::size_t end = segments.size() - 1; end > 0; end = start[end]) {
    joined.push_back(segments[end]);
  }
  joined.push_back(0);
  std::reverse(joined.begin(), joined.end());
  return joined;
}

}  // namespace

std::vector<Segment> fit_pieces(const std::vector<Sample>& samples,
                                const std::vector<int>& vertices, const SegmentRules& rules) {
  const Starts starts = cut_at_vertices(samples, vertices);
  Starts segments(starts.size());
  for (std::size_t p = 0; p < starts.size(); ++p) segments[p] = p;
  if (rules.merge) {
    const std::vector<Piece> pieces = pieces_between(samples, starts, rules.truncation2);
    for (int pass = 0; pass < kMaxMergePasses; ++pass) {
      const std::size_t before = segments.size() - 1;
      segments = join(samples, starts, pieces, segments, rules);
      if (before <= kMergeReach || segments.size() - 1 == before) break;
    }
  }

  std::vector<Segment> result;
  for (std::size_t s = 0; s + 1 < segments.size(); ++s) {
    const std::size_t first = starts[segments[s]];
    const std::size_t last = starts[segments[s + 1]] - 1;
    const SampleSums sums = sums_of(samples, first, last + 1);
    const auto value_in = [&](int row) {
      return static_cast<float>(fitted_value256(sums, row)) / 256.0F;
    };
    result.push_back({static_cast<std::uint16_t>(samples[first].row),
                      static_cast<std::uint16_t>(samples[last].row), value_in(samples[first].row),
                      value_in(samples[last].row)});
  }
  return result;
}

}  // namespace rdp::reference
