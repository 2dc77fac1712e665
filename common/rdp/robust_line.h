// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_ROBUST_LINE_H_
#define RDP_COMMON_RDP_ROBUST_LINE_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"
#include "common/rdp/fitted_line.h"

// The arithmetic of Fit::kAbsolute, shared by the reference, the engine and the kernels. Distances
// and weights are computed per sample in IEEE single precision, in the order that is written here.
// All sums are exact integers, so that their order does not matter. Files that include this are
// compiled without contraction to fused operations.
namespace rdp {

// The number of passes that weight the samples of a segment: the work is bounded.
inline constexpr int kRobustPasses = 1;
// The most rows that a cut between two segments is moved by.
inline constexpr int kCutReach = 15;

// A line by its value in a row.
struct RowLine {
  std::int32_t row;
  float value;
  float slope;  // value steps a row

  // The distance of a sample above the line.
  RDP_HOST_DEVICE float distance(std::int32_t sample_row, std::int32_t sample) const {
    return static_cast<float>(sample) - (value + slope * static_cast<float>(sample_row - row));
  }
};

// The line of a Segment or a DeviceSegment.
template <typename AnySegment>
RDP_HOST_DEVICE RowLine line_of(const AnySegment& segment) {
  const std::int32_t rows = segment.last_row - segment.first_row;
  return {segment.first_row, segment.first_value,
          rows > 0 ? (segment.last_value - segment.first_value) / static_cast<float>(rows) : 0.0F};
}

// The cost of a distance for a cut, in 1/256 sample steps, at most 2^24: a sum over the rows that a
// cut is moved by fits 32 bits.
RDP_HOST_DEVICE inline std::int32_t distance_cost(float distance) {
  const float size = fabsf(distance) * 256.0F;
  return size < 16777216.0F ? static_cast<std::int32_t>(size) : 16777216;
}

// The weight of a sample, 1 to 256, that turns least squares into least absolute deviations: 256 up
// to distance `near`, then 256 * near / distance.
RDP_HOST_DEVICE inline std::int32_t robust_weight(float distance, float near) {
  const float size = fabsf(distance);
  if (!(size > near)) return 256;
  const auto weight = static_cast<std::int32_t>(256.0F * near / size);
  return weight > 1 ? weight : 1;
}

// Weighted sums over some samples of a segment. Rows are counted from the segment's first one. With
// at most 2^14 samples, all are below 2^52.
struct WeightedSums {
  std::int64_t weights = 0;
  std::int64_t rows = 0;
  std::int64_t values = 0;
  std::int64_t rows_rows = 0;
  std::int64_t rows_values = 0;

  RDP_HOST_DEVICE void add(std::int32_t row, std::int32_t value, std::int32_t weight) {
    const std::int64_t weighted = std::int64_t{weight} * row;
    weights += weight;
    rows += weighted;
    values += std::int64_t{weight} * value;
    rows_rows += weighted * row;
    rows_values += weighted * value;
  }
  RDP_HOST_DEVICE WeightedSums operator+(const WeightedSums& b) const {
    return {weights + b.weights, rows + b.rows, values + b.values, rows_rows + b.rows_rows,
            rows_values + b.rows_values};
  }
};

// The least-squares line of weighted sums. A segment's first row has a sample of weight 1 or more.
// So, given another sample, the divisor is far above the errors of its terms.
struct RobustLine {
  double value;  // in the segment's first row
  double slope;

  RDP_HOST_DEVICE explicit RobustLine(const WeightedSums& sums) {
    const auto n = static_cast<double>(sums.weights);
    const auto x = static_cast<double>(sums.rows);
    const auto y = static_cast<double>(sums.values);
    slope = 0.0;
    if (sums.rows > 0) {
      slope = (n * static_cast<double>(sums.rows_values) - x * y) /
              (n * static_cast<double>(sums.rows_rows) - x * x);
    }
    value = (y - slope * x) / n;
  }
  RDP_HOST_DEVICE RowLine from_row(std::int32_t row) const {
    return {row, static_cast<float>(value), static_cast<float>(slope)};
  }
  // The value `rows` below the first row, in multiples of 1/256.
  RDP_HOST_DEVICE float rounded_value(std::int32_t rows) const {
    return static_cast<float>(rounded_value256(value + slope * rows)) / 256.0F;
  }
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_ROBUST_LINE_H_
