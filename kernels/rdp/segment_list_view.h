// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_LIST_VIEW_H_
#define RDP_KERNELS_RDP_SEGMENT_LIST_VIEW_H_

#include <cstdint>

namespace rdp::cuda {

// A segment as kernels write it: the layout of rdp::Segment.
struct DeviceSegment {
  std::uint16_t first_row;
  std::uint16_t last_row;
  float first_value;
  float last_value;
};
static_assert(sizeof(DeviceSegment) == 12);

// A DeviceSegmentList as kernels see it. The list is truncated when offsets[columns] > capacity.
struct SegmentListView {
  std::uint32_t* offsets;  // columns + 1 of them
  DeviceSegment* segments;
  std::uint32_t* report;  // pinned host memory: gets offsets[columns]
  std::uint32_t columns;
  std::uint32_t capacity;  // of `segments`
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_LIST_VIEW_H_
