// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_CLOUD_H_
#define RDP_COMMON_PLANES_CLOUDS_CLOUD_H_

#include <cstddef>
#include <cstdint>

namespace rdp::planes {

// Points in memory that somebody else owns, on the host or on the device: of each `step` bytes the
// three little-endian floats at `offset` are x, y, z. They need not be aligned.
struct CloudView {
  const std::byte* data = nullptr;
  std::size_t points = 0;
  std::size_t step = 12;
  std::size_t offset = 0;
  double unit = 1.0;  // metres
  // Axes x forward, y left, z up instead of x right, y down, z forward. Planes are given in the
  // cloud's own axes either way; it says what `up` means where that is not set.
  bool forward_left_up = false;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_CLOUD_H_
