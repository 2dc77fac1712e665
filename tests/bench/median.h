// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_MEDIAN_H_
#define RDP_TESTS_BENCH_MEDIAN_H_

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rdp::bench {

// The median, the upper one of two candidates; 0 if there are no values.
inline double median_of(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_MEDIAN_H_
