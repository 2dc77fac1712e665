// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_VIEWS_H_
#define RDP_COMMON_STEREO_VIEWS_H_

#include <cstdint>

#include "common/image/depth_view.h"

namespace rdp::stereo {

// A rectified pair: two pictures of one size, 1 to kMaxSide rows and columns of 8 bits.
//
// Masks of rectified pictures are 255 for pixels that the camera has seen, else 0. A mask without
// data: all pixels were seen.
template <typename View>
struct BasicPair {
  View left;
  View right;
  View left_mask;
  View right_mask;
};
using Pair = BasicPair<DepthView>;

// The outputs of a pair, all of its size.
template <typename View>
struct BasicResult {
  View disparity;   // 16 bits, 1/256 px, 0: unknown
  View confidence;  // 8 bits, 0 where the disparity is unknown; without data: it is not wanted
};
using Result = BasicResult<MutableDepthView>;

// Counts that warnings are about.
struct Counts {
  std::uint64_t known = 0;      // pixels that have a disparity
  std::uint64_t saturated = 0;  // of these, with the largest disparity: the true one may be larger
};

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_VIEWS_H_
