// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_CLOUD_H_
#define RDP_COMMON_PLANES_CLOUDS_CLOUD_H_

#include <cstddef>
#include <cstdint>

namespace rdp::planes {

// A non-owning view of points on the host or the device. Each point has `step` bytes, with x, y and
// z as little-endian floats at `offset`. They need not be aligned.
struct CloudView {
  const std::byte* data = nullptr;
  std::size_t points = 0;
  std::size_t step = 12;
  std::size_t offset = 0;
  double unit = 1.0;  // metres
  // Axes x forward, y left, z up instead of x right, y down, z forward. Planes are always in the
  // cloud's own axes; this determines the default of `up`, and the ground's pitch and roll.
  bool forward_left_up = false;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_CLOUD_H_
