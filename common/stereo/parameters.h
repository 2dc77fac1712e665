// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_PARAMETERS_H_
#define RDP_COMMON_STEREO_PARAMETERS_H_

#include <cstdint>

namespace rdp::stereo {

// Disparities are in 1/256 px.
inline constexpr int kDisparityOne = 256;
// The most disparities, the smallest one included: all fit the 16 bits of a sample.
inline constexpr int kMostDisparities = 256;
inline constexpr int kDisparityStep = 16;
// Of the up to 30 bits of the census that differ so many count, at most.
inline constexpr int kMostCost = 12;
// The sum of a path's cost and its penalty fits a byte. It would with more, up to 255 - kMostCost;
// but no more is of use where a cost is at most 12, and the range stays when kMostCost changes.
inline constexpr int kMostPenalty = 224;
static_assert(kMostCost + kMostPenalty <= 255);

// How a pair is matched. What each of them does is in common/stereo/reference.h.
struct Parameters {
  int disparities = 128;    // 16 to 256, a multiple of 16
  int min_disparity = 0;    // px; with `disparities` at most 256
  int paths = 4;            // or 8
  int p1 = 7;               // 0 to 127, for a step of one disparity, in bits of the census
  int p2 = 86;              // p1 to kMostPenalty, for any other step
  int uniqueness = 5;       // percent, 0 to 50; 0: off
  int max_left_right = 1;   // px, -1 to 255; -1: off
  int min_confidence = 0;   // 0 to 255; 0: off
  int median = 3;           // 0, 3 or 5: the side of its window
  int speckle_size = 100;   // pixels; 0: off
  int speckle_range = 256;  // in 1/256 px

  bool operator==(const Parameters&) const = default;
};

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_PARAMETERS_H_
