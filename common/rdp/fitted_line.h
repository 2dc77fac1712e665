// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_FITTED_LINE_H_
#define RDP_COMMON_RDP_FITTED_LINE_H_

#include <cstdint>

#include "common/host_device.h"

// The arithmetic of least-squares lines and the limits of the merge, bit-identical in the
// reference, the engine and the kernels. Sums are exact integers; all else uses IEEE 754 operations
// in the order that is written here. Files that include this are compiled without contraction to
// fused operations.
namespace rdp {

// Limits of the passes of the merge: see reference::fit_pieces().
inline constexpr std::uint32_t kMergeReach = 8;
inline constexpr int kMaxMergePasses = 8;

// Sums over some samples of a column: their number, rows, values, and products of these. Rows are
// below 16384 and values below 65536, so that count and rows fit 28 bits, values 30, and the
// others 46. Differences of sums over more and over fewer samples are sums too.
struct SampleSums {
  std::int32_t count = 0;
  std::int32_t rows = 0;
  std::int32_t values = 0;
  std::int64_t rows_rows = 0;
  std::int64_t rows_values = 0;

  RDP_HOST_DEVICE SampleSums operator+(const SampleSums& b) const {
    return {count + b.count, rows + b.rows, values + b.values, rows_rows + b.rows_rows,
            rows_values + b.rows_values};
  }
  RDP_HOST_DEVICE SampleSums operator-(const SampleSums& b) const {
    return {count - b.count, rows - b.rows, values - b.values, rows_rows - b.rows_rows,
            rows_values - b.rows_values};
  }

  // `count` times the sums of products of the deviations from the means: exact. With n samples,
  // n * rows_values and rows * values are below 2^58.
  RDP_HOST_DEVICE std::int64_t row_variation() const {
    return count * rows_rows - std::int64_t{rows} * rows;
  }
  RDP_HOST_DEVICE std::int64_t covariation() const {
    return count * rows_values - std::int64_t{rows} * values;
  }
};

// A least-squares line: its slope, and the means of its samples' rows and values.
struct FittedLine {
  float slope;  // value steps a row; 0 where there is only one row
  float row;
  float value;
};

RDP_HOST_DEVICE inline FittedLine fit_line(const SampleSums& sums) {
  const std::int64_t variation = sums.row_variation();
  const auto count = static_cast<float>(sums.count);
  return {
      variation > 0 ? static_cast<float>(sums.covariation()) / static_cast<float>(variation) : 0.0F,
      static_cast<float>(sums.rows) / count, static_cast<float>(sums.values) / count};
}

// The value of a line in `row`.
RDP_HOST_DEVICE inline float value_in(const FittedLine& line, std::int32_t row) {
  return line.value + line.slope * (static_cast<float>(row) - line.row);
}

// The range of the end values of some lines.
struct EndRange {
  float least, largest;

  RDP_HOST_DEVICE EndRange(float one, float other)
      : least(one < other ? one : other), largest(one < other ? other : one) {}
  RDP_HOST_DEVICE EndRange(const FittedLine& line, std::int32_t first_row, std::int32_t last_row)
      : EndRange(value_in(line, first_row), value_in(line, last_row)) {}

  RDP_HOST_DEVICE void add(const EndRange& other) {
    if (other.least < least) least = other.least;
    if (other.largest > largest) largest = other.largest;
  }
  // True if `other` exceeds this range by at most `margin`.
  RDP_HOST_DEVICE bool holds(const EndRange& other, float margin) const {
    return other.least >= least - margin && other.largest <= largest + margin;
  }
};

// A group of samples, reduced to the numbers that its error from any line needs.
struct Piece {
  FittedLine line;  // their own
  float count;
  float spread;  // the sum of squares of the rows' deviations from their mean
  float error;   // the sum of squares of the values' distances from their own line
  float limit;   // the largest error from any line
};

// `values_values` is the sum of the squared values, `truncation2` the squared distance at which a
// sample's cost saturates.
RDP_HOST_DEVICE inline Piece make_piece(const SampleSums& sums, std::int64_t values_values,
                                        float truncation2) {
  const auto count = static_cast<float>(sums.count);
  // The integer difference is below 2^60 and exact: the error that remains of it is small for
  // samples on a steep line.
  const auto variation =
      static_cast<double>(sums.count * values_values - std::int64_t{sums.values} * sums.values);
  const auto rows = static_cast<double>(sums.row_variation());
  const auto both = static_cast<double>(sums.covariation());
  const double explained = rows > 0.0 ? both * (both / rows) : 0.0;
  const double error = (variation - explained) / sums.count;
  return {fit_line(sums), count, static_cast<float>(sums.row_variation()) / count,
          error > 0.0 ? static_cast<float>(error) : 0.0F, count * truncation2};
}

// The sum of the squared distances of the piece's samples from a line, truncated.
RDP_HOST_DEVICE inline float truncated_error(const Piece& piece, const FittedLine& line) {
  const float distance = line.slope * (piece.line.row - line.row) - (piece.line.value - line.value);
  const float turn = line.slope - piece.line.slope;
  const float error =
      piece.error + (piece.count * (distance * distance) + piece.spread * (turn * turn));
  return error < piece.limit ? error : piece.limit;
}

// The least and the largest value of a fitted line's end, in sample steps. A line may leave the
// known range: clamping one end would turn it away from all its samples. Within these limits,
// multiples of 1/256 are exact as float.
inline constexpr std::int32_t kLeastFittedValue = -65535;
inline constexpr std::int32_t kLargestFittedValue = 65535;

// A value in 1/256 sample steps, rounded half up, kept within the limits above.
RDP_HOST_DEVICE inline std::int32_t rounded_value256(double value) {
  const double rounded_up = value * 256.0 + 0.5;
  if (rounded_up <= 256.0 * kLeastFittedValue) return 256 * kLeastFittedValue;
  if (rounded_up >= 256.0 * kLargestFittedValue) return 256 * kLargestFittedValue;
  const auto towards_zero = static_cast<std::int32_t>(rounded_up);
  return towards_zero > rounded_up ? towards_zero - 1 : towards_zero;
}

// The same of the least-squares line in `row`.
RDP_HOST_DEVICE inline std::int32_t fitted_value256(const SampleSums& sums, std::int32_t row) {
  const std::int64_t variation = sums.row_variation();
  // `count` times the distance from the mean row, exact.
  const std::int32_t from_mean = sums.count * row - sums.rows;
  double value = sums.values;
  if (variation > 0) {
    value += static_cast<double>(sums.covariation()) / static_cast<double>(variation) * from_mean;
  }
  return rounded_value256(value / sums.count);
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_FITTED_LINE_H_
