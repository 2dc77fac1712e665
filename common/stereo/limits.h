// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_LIMITS_H_
#define RDP_COMMON_STEREO_LIMITS_H_

// Numbers that kernels need, too.
namespace rdp::stereo {

// Disparities are in 1/256 px.
inline constexpr int kDisparityOne = 256;
// The most disparities, the smallest one included: all fit the 16 bits of a sample.
inline constexpr int kMostDisparities = 256;
inline constexpr int kDisparityStep = 16;
// Of a census of 31 bits.
inline constexpr int kMostCost = 31;
// The sum of a path's cost and its penalty fits a byte.
inline constexpr int kMostPenalty = 255 - kMostCost;

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_LIMITS_H_
