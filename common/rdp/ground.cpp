// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/ground.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/image/float_environment.h"

namespace rdp {
namespace {

// Element `rank`, from 0, of a sorted sequence that has counts[i] times i. Sets *before to the
// number of smaller elements.
int find_rank(const std::array<std::int32_t, 256>& counts, std::int32_t rank,
              std::int32_t* before) {
  *before = 0;
  for (int i = 0; i < 255; ++i) {
    if (rank < *before + counts[static_cast<std::size_t>(i)]) return i;
    *before += counts[static_cast<std::size_t>(i)];
  }
  return 255;
}

// The lower weighted median of 16-bit codes, by their upper and then their lower bytes; -1 without
// votes. for_each_vote(f) calls f(code, weight) for each vote, the same each time. Weights count
// rows; their sum is below 2^28.
template <typename ForEachVote>
int weighted_median(ForEachVote for_each_vote) {
  std::array<std::int32_t, 256> counts{};
  std::int32_t total = 0;
  for_each_vote([&](int code, int weight) {
    counts[static_cast<std::size_t>(code >> 8)] += weight;
    total += weight;
  });
  if (total == 0) return -1;
  const std::int32_t rank = (total - 1) / 2;
  std::int32_t before = 0;
  const int upper = find_rank(counts, rank, &before);
  counts.fill(0);
  for_each_vote([&](int code, int weight) {
    if (code >> 8 == upper) counts[static_cast<std::size_t>(code & 255)] += weight;
  });
  std::int32_t unused = 0;
  return upper << 8 | find_rank(counts, rank - before, &unused);
}

// The segment by which a column votes, or null.
const Segment* vote_of(std::span<const Segment> column, int height, const ClassRules& rules) {
  const std::size_t search = std::min<std::size_t>(column.size(), kGroundSearch);
  for (std::size_t i = 1; i <= search; ++i) {
    const Segment& segment = column[column.size() - i];
    if (!is_long_enough(segment.first_row, segment.last_row, height)) continue;
    return rises(segment.first_value, segment.last_value, rules) ? &segment : nullptr;
  }
  return nullptr;
}

Ground find_ground_nearest(const SegmentArrays& segments, int height, const ClassRules& rules) {
  const auto for_each_segment = [&](auto vote) {
    for (int c = 0; c < segments.columns(); ++c) {
      if (const Segment* segment = vote_of(segments.column(c), height, rules)) vote(*segment);
    }
  };
  Ground ground;
  ground.slope = rules.ground_slope;
  if (!(ground.slope > 0.0)) {
    int votes = 0;
    for_each_segment([&](const Segment&) { ++votes; });
    const int code = weighted_median([&](auto vote) {
      for_each_segment([&](const Segment& segment) {
        vote(code_of_slope(slope_of(segment, rules)), segment.last_row - segment.first_row);
      });
    });
    if (code < 0 || !is_quorum(votes, segments.columns())) return {};
    ground.slope = slope_of_code(code);
  }
  const int code = weighted_median([&](auto vote) {
    for_each_segment([&](const Segment& segment) {
      if (!is_level(slope_of(segment, rules), ground.slope)) return;
      vote(code_of_horizon(horizon_of(segment, ground.slope, rules)),
           segment.last_row - segment.first_row);
    });
  });
  if (code >= 0) ground.horizon = horizon_of_code(code);
  return ground;
}

}  // namespace

Ground find_ground(const SegmentArrays& segments, int height, const ClassRules& rules) {
  return with_standard_floats([&] { return find_ground_nearest(segments, height, rules); });
}

ClassRules class_rules(const Parameters& parameters) {
  return with_standard_floats([&] {
    // No value and no slope reaches this, and products with rows stay finite.
    constexpr double kLimit = 1e6;
    ClassRules rules;
    const double tolerance = static_cast<double>(epsilon256(parameters)) / 256.0;
    rules.tolerance = std::max(tolerance, 1.0);
    rules.far_value = parameters.far_value < 0.0
                          ? tolerance
                          : std::min(parameters.far_value / parameters.sample_scale, kLimit);
    rules.ground_slope = std::min(parameters.ground_slope / parameters.sample_scale, kLimit);
    return rules;
  });
}

Ground middle_line(const GroundPlane& plane, int width) {
  return with_standard_floats([&] {
    Ground line;
    const auto per_row = static_cast<double>(plane.per_row);
    line.slope = per_row / 4294967296.0;
    const std::int64_t below = -ground_value(plane, width - 1, 0);
    line.horizon = static_cast<double>(below) / (2.0 * per_row);
    return line;
  });
}

void classify_segments(const SegmentArrays& segments, const Ground& ground, const ClassRules& rules,
                       std::uint8_t* classes) {
  with_standard_floats([&] {
    std::uint8_t* to = classes;
    for (const Segment& segment : segments.segments()) {
      *to++ = static_cast<std::uint8_t>(class_of(segment.first_row, segment.last_row,
                                                 segment.first_value, segment.last_value, ground,
                                                 rules));
    }
  });
}

void classify_segments(const SegmentArrays& segments, const GroundPlane& plane,
                       const ClassRules& rules, int column_width, int width,
                       std::uint8_t* classes) {
  with_standard_floats([&] {
    std::uint8_t* to = classes;
    for (int c = 0; c < segments.columns(); ++c) {
      const int twice_column = twice_middle(c, column_width, width);
      for (const Segment& segment : segments.column(c)) {
        *to++ = static_cast<std::uint8_t>(class_on_plane(segment.first_row, segment.last_row,
                                                         segment.first_value, segment.last_value,
                                                         twice_column, plane, rules));
      }
    }
  });
}

}  // namespace rdp
