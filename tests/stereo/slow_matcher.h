// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STEREO_SLOW_MATCHER_H_
#define RDP_TESTS_STEREO_SLOW_MATCHER_H_

#include <vector>

#include "common/stereo/parameters.h"
#include "common/stereo/views.h"

// A second implementation of the method, from its written definition alone, to compare the
// reference with. It shares no code with the reference and follows the definition literally: each
// value is computed on demand.
namespace rdp::test {

struct SlowMatch {
  std::vector<int> costs;       // by row, column and disparity
  std::vector<int> sums;        // the same order
  std::vector<int> disparity;   // by row and column
  std::vector<int> confidence;  // the same order
  stereo::Counts counts;
};

SlowMatch slow_match(const stereo::Pair& pair, const stereo::Parameters& parameters);

}  // namespace rdp::test

#endif  // RDP_TESTS_STEREO_SLOW_MATCHER_H_
