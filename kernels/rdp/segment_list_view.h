// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_LIST_VIEW_H_
#define RDP_KERNELS_RDP_SEGMENT_LIST_VIEW_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"

namespace rdp::cuda {

// A segment as kernels write it: the layout of rdp::Segment.
struct DeviceSegment {
  std::uint16_t first_row;
  std::uint16_t last_row;
  float first_value;
  float last_value;
};
static_assert(sizeof(DeviceSegment) == 12);

// Value of offsets[columns] if the chosen kernel cannot do a frame, with any room: the kernel with
// queues must do it again.
inline constexpr std::uint32_t kRetryWithQueues = 0xFFFFFFFFU;

// A DeviceSegmentList as kernels see it: the segments of one or more frames, each of which has a
// slice of its own. A frame's slice is truncated when its offsets[columns] > capacity.
struct SegmentListView {
  std::uint32_t* offsets;   // columns + 1 of them for each frame
  DeviceSegment* segments;  // `capacity` of them for each frame
  std::uint32_t* report;    // page-locked host memory: gets each frame's offsets[columns]
  std::uint32_t columns;    // of a frame
  std::uint32_t capacity;   // of a frame
  std::uint32_t frames;     // 1..kMaxFrames

  // The list of one of the frames alone.
  RDP_HOST_DEVICE SegmentListView of_frame(std::uint32_t frame) const {
    return {offsets + frame * (columns + std::size_t{1}),
            segments + frame * std::size_t{capacity},
            report + frame,
            columns,
            capacity,
            1};
  }
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_LIST_VIEW_H_
