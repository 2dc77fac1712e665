// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_LOWER_MEDIAN_H_
#define RDP_COMMON_MOTION_LOWER_MEDIAN_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

// Medians that are one of the values: element (n - 1) / 2 in ascending order, from 0. Nothing is
// averaged, and the order of the values does not matter. Values are finite, at least one. Zeros
// lose their sign, since -0 equals 0.
namespace rdp::motion {

// Changes the order of `values`.
inline double lower_median(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle + 0.0;
}

// The median of |value - centre|. Overwrites `values`.
inline double lower_deviation(std::span<double> values, double centre) {
  for (double& value : values) value = std::fabs(value - centre);
  return lower_median(values);
}

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_LOWER_MEDIAN_H_
