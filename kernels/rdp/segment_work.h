// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_WORK_H_
#define RDP_KERNELS_RDP_SEGMENT_WORK_H_

#include <cstdint>

namespace rdp::cuda {

// The work of a frame, by which the kernel for the next ones is chosen.
struct SegmentWork {
  // A column had more than the kernel has room for.
  static constexpr std::uint32_t kTooMuch = 0xFFFF;

  std::uint32_t most;      // segments of one column, before any merge; or kTooMuch
  std::uint32_t segments;  // of all columns
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_WORK_H_
