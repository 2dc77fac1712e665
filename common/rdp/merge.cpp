// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/merge.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "common/rdp/refit.h"

namespace rdp {
namespace {

// True if rules.margin limits the ends of merged lines.
bool is_bounded(const SegmentRules& rules) {
  return rules.margin < std::numeric_limits<float>::infinity();
}

}  // namespace

// A run: samples without a gap that ends a segment, and the places of its vertices.
struct ColumnMerger::Run {
  const PackedSample* samples;
  std::uint32_t sample_count;
  const std::uint32_t* vertices;
  std::uint32_t vertex_count;
  std::uint32_t first_place;  // the place of samples[0]
};

void ColumnMerger::prepare(int rows) {
  const auto count = static_cast<std::size_t>(rows) + 1;
  places_.ensure(count);
  starts_.ensure(count);
  sums_.ensure(count);
  pieces_.ensure(count);
  ranges_.ensure(count);
  segments_.ensure(count);
  totals_.ensure(count);
  before_.ensure(count);
}

std::uint32_t ColumnMerger::fit(const PackedSample* samples, const PackedSample* vertices,
                                std::uint32_t vertex_count, const SegmentRules& rules,
                                Segment* out) {
  std::uint32_t* const places = places_.data();
  std::uint32_t place = 0;
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    while (samples[place] != vertices[v]) ++place;
    places[v] = place++;
  }
  Segment* const begin = out;
  std::uint32_t first = 0;
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    const bool ends = v + 1 == vertex_count ||
                      (rules.max_gap > 0 && places[v + 1] == places[v] + 1 &&
                       packed_row(vertices[v + 1]) - packed_row(vertices[v]) - 1 > rules.max_gap);
    if (!ends) continue;
    out = fit_run({samples + places[first], places[v] + 1 - places[first], places + first,
                   v + 1 - first, places[first]},
                  rules, out);
    first = v + 1;
  }
  return static_cast<std::uint32_t>(out - begin);
}

Segment* ColumnMerger::fit_run(const Run& run, const SegmentRules& rules, Segment* out) {
  if (!rules.refine) {
    const auto sample_of = [&](std::uint32_t v) {
      return run.samples[run.vertices[v] - run.first_place];
    };
    const std::uint32_t count = run.vertex_count > 1 ? run.vertex_count - 1 : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const PackedSample first = sample_of(i);
      const PackedSample last = sample_of(std::min(i + 1, run.vertex_count - 1));
      *out++ = {static_cast<std::uint16_t>(packed_row(first)),
                static_cast<std::uint16_t>(packed_row(last)),
                static_cast<float>(packed_value(first)), static_cast<float>(packed_value(last))};
    }
    return out;
  }

  std::uint32_t count = cut_at_vertices(run);
  sum_pieces(run, count, rules.merge, rules.truncation2);
  std::uint32_t* const segments = segments_.data();
  for (std::uint32_t s = 0; s <= count; ++s) segments[s] = s;
  if (rules.merge && is_bounded(rules)) find_ranges(run, count);
  for (int pass = 0; rules.merge && pass < kMaxMergePasses; ++pass) {
    const std::uint32_t before = count;
    count = join(run, count, rules);
    if (before <= kMergeReach || count == before) break;
  }

  Segment* const begin = out;
  for (std::uint32_t s = 0; s < count; ++s) {
    const std::uint32_t first = segments[s];
    const std::uint32_t end = segments[s + 1];
    const SampleSums sums = sums_.data()[end] - sums_.data()[first];
    const int first_row = packed_row(run.samples[starts_.data()[first]]);
    const int last_row = packed_row(run.samples[starts_.data()[end] - 1]);
    const auto value_in = [&](int row) {
      return static_cast<float>(fitted_value256(sums, row)) / 256.0F;
    };
    *out++ = {static_cast<std::uint16_t>(first_row), static_cast<std::uint16_t>(last_row),
              value_in(first_row), value_in(last_row)};
  }
  if (rules.fit == Fit::kAbsolute) refit(run.samples, run.sample_count, rules, begin, count);
  return out;
}

std::uint32_t ColumnMerger::cut_at_vertices(const Run& run) {
  std::uint32_t* const starts = starts_.data();
  std::uint32_t count = 0;
  starts[count++] = 0;
  for (std::uint32_t v = 1; v + 1 < run.vertex_count; ++v) {
    const std::uint32_t vertex = run.vertices[v] - run.first_place;
    const int value = packed_value(run.samples[vertex]);
    const int before = std::abs(value - packed_value(run.samples[vertex - 1]));
    const int after = std::abs(packed_value(run.samples[vertex + 1]) - value);
    const std::uint32_t cut = before >= after ? vertex : vertex + 1;
    if (cut > starts[count - 1]) starts[count++] = cut;
  }
  starts[count] = run.sample_count;
  return count;
}

void ColumnMerger::sum_pieces(const Run& run, std::uint32_t pieces, bool merge, float truncation2) {
  SampleSums* const sums = sums_.data();
  sums[0] = {};
  for (std::uint32_t p = 0; p < pieces; ++p) {
    const std::uint32_t first = starts_.data()[p];
    const std::uint32_t end = starts_.data()[p + 1];
    SampleSums sum;
    std::int64_t values_values = 0;
    for (std::uint32_t i = first; i < end; ++i) {
      const std::int32_t row = packed_row(run.samples[i]);
      const std::int32_t value = packed_value(run.samples[i]);
      sum.rows += row;
      sum.values += value;
      sum.rows_rows += row * row;
      sum.rows_values += row * value;  // below 2^30
      values_values += std::int64_t{value} * value;
    }
    sum.count = static_cast<std::int32_t>(end - first);
    sums[p + 1] = sums[p] + sum;
    if (merge) pieces_.data()[p] = make_piece(sum, values_values, truncation2);
  }
}

void ColumnMerger::find_ranges(const Run& run, std::uint32_t pieces) {
  const std::uint32_t* const starts = starts_.data();
  for (std::uint32_t p = 0; p < pieces; ++p) {
    ranges_.data()[p] = {pieces_.data()[p].line, packed_row(run.samples[starts[p]]),
                         packed_row(run.samples[starts[p + 1] - 1])};
  }
}

std::uint32_t ColumnMerger::join(const Run& run, std::uint32_t count, const SegmentRules& rules) {
  const bool bounded = is_bounded(rules);
  const std::uint32_t* const starts = starts_.data();
  EndRange* const ranges = ranges_.data();
  std::uint32_t* const segments = segments_.data();
  const SampleSums* const sums = sums_.data();
  const Piece* const pieces = pieces_.data();
  float* const totals = totals_.data();
  std::uint32_t* const before = before_.data();
  totals[0] = 0.0F;
  for (std::uint32_t end = 1; end <= count; ++end) {
    const std::uint32_t end_piece = segments[end];
    const std::uint32_t farthest = end - std::min(end, kMergeReach);
    const int last_row = packed_row(run.samples[starts[end_piece] - 1]);
    EndRange range = bounded ? ranges[end - 1] : EndRange(0.0F, 0.0F);
    float smallest = std::numeric_limits<float>::infinity();
    // Tries last segments from the shortest to the longest; the longest of the cheapest wins.
    // Errors are not negative, so a total that is too large without the error can be skipped.
    for (std::uint32_t first = end; first-- > farthest;) {
      if (bounded) range.add(ranges[first]);
      const float without = totals[first] + rules.price;
      if (without > smallest) continue;
      const FittedLine line = fit_line(sums[end_piece] - sums[segments[first]]);
      if (bounded && first + 1 < end) {
        const int first_row = packed_row(run.samples[starts[segments[first]]]);
        if (!range.holds({line, first_row, last_row}, rules.margin)) continue;
      }
      float error = 0.0F;
      for (std::uint32_t p = segments[first]; p < end_piece; ++p) {
        error += truncated_error(pieces[p], line);
      }
      const float total = without + error;
      if (total <= smallest) {
        smallest = total;
        before[end] = first;
      }
    }
    totals[end] = smallest;
  }
  // Collects the cuts from the last to the first at the end of `before`, over starts that have been
  // read, then reads them forwards.
  std::uint32_t kept = 0;
  for (std::uint32_t end = count; end > 0; ++kept) {
    const std::uint32_t start = before[end];
    before[count - kept] = end;
    end = start;
  }
  if (bounded) {
    for (std::uint32_t s = 0, first = 0; s < kept; ++s) {
      const std::uint32_t end = before[count - kept + s + 1];
      EndRange range = ranges[first];
      while (++first < end) range.add(ranges[first]);
      ranges[s] = range;
    }
  }
  for (std::uint32_t s = 1; s <= kept; ++s) segments[s] = segments[before[count - kept + s]];
  return kept;
}

}  // namespace rdp
