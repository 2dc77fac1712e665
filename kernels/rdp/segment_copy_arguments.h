// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_COPY_ARGUMENTS_H_
#define RDP_KERNELS_RDP_SEGMENT_COPY_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"
#include "kernels/rdp/segment_list_view.h"

namespace rdp::cuda {

// Arguments of the kernel rdp_copy_segments. Each frame of the list has `stride` bytes of `host`:
// its offsets, then room for `room` segments.
struct CopySegmentsArguments {
  SegmentListView list;
  unsigned char* host;  // page-locked
  std::uint64_t stride;
  std::uint32_t room;
};

// The start of a frame's segments in its part of the host's memory.
RDP_HOST_DEVICE inline std::size_t copied_offset_bytes(std::size_t columns) {
  return (columns + 1) * sizeof(std::uint32_t);
}

constexpr int kCopyThreads = 256;
// Blocks of a frame. They write system memory as fast as more would, and are few enough to find
// room beside other kernels.
constexpr int kCopyBlocks = 16;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_COPY_ARGUMENTS_H_
