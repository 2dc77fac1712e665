// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_PARAMETERS_H_
#define RDP_COMMON_STEREO_PARAMETERS_H_

#include <cstdint>

#include "common/stereo/limits.h"

namespace rdp::stereo {

// The parameters of the matching, defined in common/stereo/reference.h.
struct Parameters {
  int disparities = 128;    // 16 to 256, a multiple of 16
  int min_disparity = 0;    // px, -240 to 240; with `disparities` at most 256
  int paths = 4;            // or 8
  int p1 = 7;               // 0 to 127, penalty of a disparity change of 1 px, in census bits
  int p2 = 86;              // p1 to kMaxPenalty, penalty of larger changes
  int uniqueness = 5;       // percent, 0 to 50; 0: off
  int max_left_right = 1;   // px, -1 to 255; -1: off
  int min_confidence = 0;   // 0 to 255; 0: off
  int median = 3;           // 0, 3 or 5: the side of its window
  int speckle_size = 100;   // pixels; 0: off
  int speckle_range = 256;  // in 1/256 px

  // The sample of the largest disparity, in 1/256 px.
  int largest_sample() const {
    return kDisparityOne * (first_sample(min_disparity) + disparities - 1);
  }

  bool operator==(const Parameters&) const = default;
};

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_PARAMETERS_H_
