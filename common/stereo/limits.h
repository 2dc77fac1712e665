// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_LIMITS_H_
#define RDP_COMMON_STEREO_LIMITS_H_

#include "common/host_device.h"

// Constants shared with the kernels.
namespace rdp::stereo {

// Disparities are in 1/256 px.
inline constexpr int kDisparityOne = 256;
// The most disparities, the smallest one included: all fit the 16 bits of a sample.
inline constexpr int kMaxDisparities = 256;
inline constexpr int kDisparityStep = 16;
// The smallest disparity is at most this, and at least its negative.
inline constexpr int kMaxMinDisparity = 240;

// The disparity in px of sample 0: min_disparity if negative, so that samples stay unsigned.
RDP_HOST_DEVICE constexpr int sample_origin(int min_disparity) {
  return min_disparity < 0 ? min_disparity : 0;
}
// The smallest disparity as a sample, in px.
RDP_HOST_DEVICE constexpr int first_sample(int min_disparity) {
  return min_disparity > 0 ? min_disparity : 0;
}
// Maximum cost: more differing census bits (of 30) do not count.
inline constexpr int kMaxCost = 12;
// Maximum penalty: its sum with a cost fits a byte. Penalties up to 255 - kMaxCost would fit, too,
// but have no use with costs of at most 12. So the range stays when kMaxCost changes.
inline constexpr int kMaxPenalty = 224;
static_assert(kMaxCost + kMaxPenalty <= 255);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_LIMITS_H_
