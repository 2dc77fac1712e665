// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_DEPTH_TABLE_H_
#define RDP_COMMON_STEREO_DEPTH_TABLE_H_

#include <cstdint>
#include <vector>

#include "common/image/depth_view.h"

namespace rdp::stereo {

// The scale of distances in integers, so that they are the same everywhere.
struct DepthScale {
  std::int64_t focal_baseline = 0;  // focal length times baseline, in 1/65536 px m
  std::int64_t offset = 0;          // added to the disparity, in 1/65536 px; may be below 0

  bool operator==(const DepthScale&) const = default;
};
DepthScale depth_scale(double focal_length, double baseline, double disparity_offset);

// The distance in mm of a disparity in 1/256 px, halves rounded up. 0 (unknown) for disparity 0,
// and for distances above 65535 mm, below 0.5 mm or beyond infinity.
std::uint16_t depth_of_disparity(std::uint16_t disparity, const DepthScale& scale);

// Lookup table of depth_of_disparity() for every sample, on CPU and GPU.
std::vector<std::uint16_t> depth_table(const DepthScale& scale);

// Replaces disparities by distances, in rows [first_row, end_row).
void to_depth(const MutableDepthView& disparity, const std::vector<std::uint16_t>& table,
              int first_row, int end_row);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_DEPTH_TABLE_H_
