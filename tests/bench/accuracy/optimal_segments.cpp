// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/optimal_segments.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace rdp::bench {
namespace {

// The known samples of a column, and their prefix sums.
class Column {
 public:
  Column(const DepthView& frame, const KnownRange& known, int column) {
    sums_.push_back({});
    for (int row = 0; row < frame.height; ++row) {
      const std::uint16_t value = frame.at(row, column);
      if (!known.contains(value)) continue;
      rows_.push_back(row);
      values_.push_back(value);
      Sums s = sums_.back();
      // Exact: integers below 2^53.
      s.x += row;
      s.y += value;
      s.xx += static_cast<double>(row) * row;
      s.xy += static_cast<double>(row) * value;
      s.yy += static_cast<double>(value) * value;
      sums_.push_back(s);
    }
  }

  std::size_t size() const { return rows_.size(); }
  float row(std::size_t i) const { return rows_[i]; }

  struct Line {
    double offset, slope, squares;  // sum of the samples' squared distances
  };

  // Fits a line to the samples [first, end).
  Line fit(std::size_t first, std::size_t end) const {
    const Sums& a = sums_[first];
    const Sums& b = sums_[end];
    const auto n = static_cast<double>(end - first);
    const double x = b.x - a.x, y = b.y - a.y;
    const double xx = (b.xx - a.xx) - x * x / n;
    const double xy = (b.xy - a.xy) - x * y / n;
    const double yy = (b.yy - a.yy) - y * y / n;
    const double slope = end - first > 1 ? xy / xx : 0.0;
    return {(y - slope * x) / n, slope, std::max(0.0, yy - slope * xy)};
  }

  // The sum of the truncated squared distances of the samples [first, end) from a line. Single
  // precision in any order, so that the compiler can vectorise.
  double truncated(std::size_t first, std::size_t end, const Line& line, float limit) const {
    const auto offset = static_cast<float>(line.offset);
    const auto slope = static_cast<float>(line.slope);
    constexpr std::size_t kLanes = 16;
    float sums[kLanes] = {};
    std::size_t i = first;
    for (; i + kLanes <= end; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const float d = values_[i + lane] - (offset + slope * rows_[i + lane]);
        sums[lane] += std::min(d * d, limit);
      }
    }
    double sum = 0;
    for (; i < end; ++i) {
      const float d = values_[i] - (offset + slope * rows_[i]);
      sum += std::min(d * d, limit);
    }
    for (const float s : sums) sum += s;
    return sum;
  }

 private:
  struct Sums {
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  };
  std::vector<float> rows_;
  std::vector<float> values_;
  std::vector<Sums> sums_;
};

}  // namespace

double segments_cost(const DepthView& frame, const KnownRange& known, const SegmentList& segments,
                     const SegmentRules& rules, Distances distances) {
  double cost = 0;
  for (int column = 0; column < segments.columns(); ++column) {
    for (const Segment& s : segments.column(column)) {
      cost += rules.price;
      const double length = std::max(1, s.last_row - s.first_row);
      for (int row = s.first_row; row <= s.last_row; ++row) {
        const std::uint16_t sample = frame.at(row, column);
        if (!known.contains(sample)) continue;
        const double line =
            s.first_value + (s.last_value - s.first_value) * (row - s.first_row) / length;
        const double square = (sample - line) * (sample - line);
        cost += distances == Distances::kTruncated ? std::min<double>(square, rules.truncation2)
                                                   : square;
      }
    }
  }
  return cost;
}

void optimal_segments(const DepthView& frame, const KnownRange& known, const SegmentRules& rules,
                      Distances distances, SegmentList* result) {
  std::vector<Segment> segments;
  std::uint32_t* offsets = result->resize_columns(frame.width);
  offsets[0] = 0;
  std::vector<double> best;  // the smallest cost of all samples before this one
  std::vector<std::size_t> start;
  std::vector<std::size_t> cuts;
  for (int c = 0; c < frame.width; ++c) {
    const Column column(frame, known, c);
    best.assign(column.size() + 1, std::numeric_limits<double>::infinity());
    start.assign(column.size() + 1, 0);
    best[0] = 0;
    for (std::size_t end = 1; end <= column.size(); ++end) {
      for (std::size_t first = end; first-- > 0;) {
        const double without = best[first] + rules.price;
        if (without >= best[end]) continue;
        const Column::Line line = column.fit(first, end);
        const double cost = without + (distances == Distances::kSquared
                                           ? line.squares
                                           : column.truncated(first, end, line, rules.truncation2));
        if (cost < best[end]) {
          best[end] = cost;
          start[end] = first;
        }
      }
    }
    cuts.assign(1, column.size());
    while (cuts.back() != 0) cuts.push_back(start[cuts.back()]);
    std::reverse(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const Column::Line line = column.fit(cuts[i], cuts[i + 1]);
      const float first = column.row(cuts[i]);
      const float last = column.row(cuts[i + 1] - 1);
      segments.push_back({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last),
                          static_cast<float>(line.offset + line.slope * first),
                          static_cast<float>(line.offset + line.slope * last)});
    }
    offsets[c + 1] = static_cast<std::uint32_t>(segments.size());
  }
  std::copy(segments.begin(), segments.end(), result->resize_segments());
}

}  // namespace rdp::bench
