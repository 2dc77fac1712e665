// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_DISTANCE_RANGE_H_
#define RDP_COMMON_FILTER_DISTANCE_RANGE_H_

#include <cstdint>

#include "common/image/camera.h"
#include "common/image/known_range.h"

namespace rdp::filter {

// Samples at distances from `least` to `most`, in metres; most 0: no limit. A sample without a
// distance under the rule is infinitely far. Distances are monotonic in samples, and so the ends
// are found by bisection.
inline KnownRange distance_range(const DepthOfValue& rule, double least, double most) {
  const auto is_beyond = [&](std::uint32_t sample, double limit, bool beyond_limit) {
    const double distance = depth_of_value(sample, rule);
    return !(distance > 0.0) || distance > limit || (beyond_limit && distance == limit);
  };
  // The first sample from 1 to 65536 that is beyond a limit, or, of disparities, is not.
  const auto first = [&](double limit, bool beyond_limit) {
    std::uint32_t low = 1;
    std::uint32_t high = 65536;
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (is_beyond(middle, limit, beyond_limit) != rule.reciprocal) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  };
  const std::uint32_t near = first(least, true);
  const std::uint32_t far = most > 0.0 ? first(most, false) : rule.reciprocal ? 1 : 65536;
  return rule.reciprocal ? KnownRange{far, near - 1} : KnownRange{near, far - 1};
}

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_DISTANCE_RANGE_H_
