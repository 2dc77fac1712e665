// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_PARAMETERS_H_
#define RDP_COMMON_POINTS_PARAMETERS_H_

#include <cstddef>

#include "common/image/known_range.h"

namespace rdp::points {

// Parameters of the conversion from a depth frame to a point cloud.
struct Parameters {
  KnownRange known{1, 65535};    // valid samples; others, and 0, give no point
  bool forward_left_up = false;  // x forward, y left, z up; else the camera's x right, y down

  bool operator==(const Parameters&) const = default;
};

// The bytes of a point: x, y and z as floats.
inline constexpr std::size_t kPointBytes = 12;

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_PARAMETERS_H_
