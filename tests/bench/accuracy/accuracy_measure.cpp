// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/accuracy_measure.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace rdp::bench {
namespace {

double line_at(const Segment& s, int row) {
  if (s.first_row == s.last_row) return s.first_value;
  return s.first_value + (static_cast<double>(s.last_value) - s.first_value) * (row - s.first_row) /
                             (s.last_row - s.first_row);
}

class ErrorSums {
 public:
  void add(double is, double should_be) {
    const double error = std::abs(is - should_be);
    sums_.samples += 1;
    sums_.mean += error;
    if (should_be > 1.0) {
      above_one_ += 1;
      sums_.relative += error / should_be;
    }
    if (error > 3.0 && error > 0.05 * should_be) sums_.outliers += 1;
  }
  Errors result() const {
    Errors errors = sums_;
    const auto count = static_cast<double>(std::max<std::size_t>(1, errors.samples));
    errors.mean /= count;
    errors.outliers /= count;
    errors.relative /= static_cast<double>(std::max<std::size_t>(1, above_one_));
    return errors;
  }

 private:
  Errors sums_;
  std::size_t above_one_ = 0;
};

// Calls body(sample, line, row, column) for the known samples that segments cover. A row shared by
// two segments counts for the lower one.
template <typename Body>
void for_covered(const reference::Frame& frame, const KnownRange& known,
                 const SegmentList& segments, int column_width, Body body) {
  for (int column = 0; column < frame.width; ++column) {
    const auto all = segments.column(column / column_width);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool shares = i + 1 < all.size() && all[i + 1].first_row == all[i].last_row;
      const int end = all[i].last_row + (shares ? 0 : 1);
      for (int row = all[i].first_row; row < end; ++row) {
        const std::uint16_t sample = frame.at(row, column);
        if (known.contains(sample)) body(sample, line_at(all[i], row), row, column);
      }
    }
  }
}

}  // namespace

Errors errors_of_segments(const reference::Frame& frame, const KnownRange& known,
                          const SegmentList& segments, int column_width, double sample_scale,
                          const reference::Frame* truth) {
  ErrorSums sums;
  for_covered(frame, known, segments, column_width,
              [&](std::uint16_t sample, double line, int row, int column) {
                const std::uint16_t wanted = truth == nullptr ? sample : truth->at(row, column);
                if (truth != nullptr && wanted == 0) return;
                sums.add(line * sample_scale, wanted * sample_scale);
              });
  return sums.result();
}

Errors errors_of_frame(const reference::Frame& frame, const KnownRange& known,
                       const SegmentList& segments, int column_width, double sample_scale,
                       const reference::Frame& truth) {
  ErrorSums sums;
  for_covered(frame, known, segments, column_width,
              [&](std::uint16_t sample, double, int row, int column) {
                const std::uint16_t wanted = truth.at(row, column);
                if (wanted != 0) sums.add(sample * sample_scale, wanted * sample_scale);
              });
  return sums.result();
}

Compression compression_of(const reference::Frame& frame, const KnownRange& known,
                           const SegmentList& segments) {
  Compression result;
  for (int c = 0; c < segments.columns(); ++c) result.columns += segments.column(c).empty() ? 0 : 1;
  result.segments = segments.segment_count();
  const auto count = static_cast<double>(std::max<std::size_t>(1, result.segments));
  result.rows_a_segment = static_cast<double>(result.columns) * frame.height / count;
  const auto is_known = [&](std::uint16_t sample) { return known.contains(sample); };
  result.samples_a_segment =
      static_cast<double>(std::ranges::count_if(frame.samples, is_known)) / count;
  result.bytes = segments.segments().size_bytes() + segments.offsets().size_bytes();
  return result;
}

Levels split_levels(const DepthView& frame, const KnownRange& known, std::int64_t eps256) {
  struct Part {
    std::size_t first, last;
    int level;
  };
  std::vector<int> deepest;
  std::vector<reference::Sample> samples;
  std::vector<Part> parts;
  for (int column = 0; column < frame.width; ++column) {
    samples.clear();
    for (int row = 0; row < frame.height; ++row) {
      const std::uint16_t value = frame.at(row, column);
      if (known.contains(value)) samples.push_back({row, value});
    }
    if (samples.size() < 2) continue;
    int most = 0;
    parts.push_back({0, samples.size() - 1, 0});
    while (!parts.empty()) {
      const Part part = parts.back();
      parts.pop_back();
      most = std::max(most, part.level);
      const auto [first_row, first_value] = samples[part.first];
      const int length = samples[part.last].row - first_row;
      const int rise = samples[part.last].value - first_value;
      int largest = 0;
      std::size_t farthest = part.first;
      for (std::size_t i = part.first + 1; i < part.last; ++i) {
        const int c = std::abs(rise * (samples[i].row - first_row) -
                               (samples[i].value - first_value) * length);
        if (c > largest) {
          largest = c;
          farthest = i;
        }
      }
      if (std::int64_t{largest} * 256 <= eps256 * length) continue;
      parts.push_back({part.first, farthest, part.level + 1});
      parts.push_back({farthest, part.last, part.level + 1});
    }
    deepest.push_back(most);
  }
  Levels levels;
  if (deepest.empty()) return levels;
  const auto count = static_cast<double>(deepest.size());
  for (const int level : deepest) levels.mean += level / count;
  for (const int level : deepest) {
    levels.deviation += (level - levels.mean) * (level - levels.mean) / count;
  }
  levels.deviation = std::sqrt(levels.deviation);
  levels.most = std::ranges::max(deepest);
  return levels;
}

}  // namespace rdp::bench
