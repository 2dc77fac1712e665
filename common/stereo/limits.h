// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_LIMITS_H_
#define RDP_COMMON_STEREO_LIMITS_H_

#include "common/host_device.h"

// Numbers that kernels need, too.
namespace rdp::stereo {

// Disparities are in 1/256 px.
inline constexpr int kDisparityOne = 256;
// The most disparities, the smallest one included: all fit the 16 bits of a sample.
inline constexpr int kMaxDisparities = 256;
inline constexpr int kDisparityStep = 16;
// The smallest disparity is at most this, and at least its negative.
inline constexpr int kMaxMinDisparity = 240;

// The disparity in px of the sample 0: the smallest one where it is negative, so that samples stay
// unsigned.
RDP_HOST_DEVICE constexpr int sample_origin(int min_disparity) {
  return min_disparity < 0 ? min_disparity : 0;
}
// The smallest disparity as a sample, in px.
RDP_HOST_DEVICE constexpr int first_sample(int min_disparity) {
  return min_disparity > 0 ? min_disparity : 0;
}
// The largest number of differing census bits, of up to 30, that counts.
inline constexpr int kMaxCost = 12;
// The sum of a path's cost and its penalty fits a byte. It would with more, up to 255 - kMaxCost;
// but no more is of use where a cost is at most 12, and the range stays when kMaxCost changes.
inline constexpr int kMaxPenalty = 224;
static_assert(kMaxCost + kMaxPenalty <= 255);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_LIMITS_H_
