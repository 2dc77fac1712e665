// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/depth_table.h"

#include <cmath>

#include "common/stereo/parameters.h"

namespace rdp::stereo {
namespace {

// 2^43 / 65536 = 2^27 px m, more than any pair has; its product with 2000, and that of a divisor
// with 2, fit 64 bits.
constexpr std::int64_t kMost = std::int64_t{1} << 43;

// In 1/65536, halves up, within what sums and products have room for.
std::int64_t fixed(double value) {
  const double steps = std::floor(value * 65536.0 + 0.5);
  if (!(steps > -static_cast<double>(kMost))) return -kMost;
  return steps < static_cast<double>(kMost) ? static_cast<std::int64_t>(steps) : kMost;
}

}  // namespace

DepthScale depth_scale(double focal_length, double baseline, double disparity_offset) {
  return {fixed(focal_length * baseline), fixed(disparity_offset)};
}

// 1000 f B / (d / 256 + offset) millimetres. Both are in 1/65536, which drops out.
std::uint16_t depth_of_disparity(std::uint16_t disparity, const DepthScale& scale) {
  if (disparity == 0) return 0;
  const std::int64_t divisor = std::int64_t{disparity} * (65536 / kDisparityOne) + scale.offset;
  if (divisor <= 0 || scale.focal_baseline <= 0) return 0;
  const std::int64_t depth = (2000 * scale.focal_baseline + divisor) / (2 * divisor);
  return depth <= 65535 ? static_cast<std::uint16_t>(depth) : 0;
}

std::vector<std::uint16_t> depth_table(const DepthScale& scale) {
  std::vector<std::uint16_t> table(65536);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = depth_of_disparity(static_cast<std::uint16_t>(i), scale);
  }
  return table;
}

void to_depth(const MutableDepthView& disparity, const std::vector<std::uint16_t>& table,
              int first_row, int end_row) {
  const std::uint16_t* distances = table.data();
  for (int row = first_row; row < end_row; ++row) {
    std::byte* samples = disparity.row(row);
    for (int column = 0; column < disparity.width; ++column) {
      std::uint16_t sample;
      std::memcpy(&sample, samples + 2 * static_cast<std::ptrdiff_t>(column), sizeof sample);
      sample = distances[sample];
      std::memcpy(samples + 2 * static_cast<std::ptrdiff_t>(column), &sample, sizeof sample);
    }
  }
}

}  // namespace rdp::stereo
