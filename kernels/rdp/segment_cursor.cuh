// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_CURSOR_CUH_
#define RDP_KERNELS_RDP_SEGMENT_CURSOR_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/segment_list_view.h"

namespace rdp::cuda {

// True if the list of any frame is truncated. Its results must not be used, because the work on all
// frames is done again. For whole warps; each thread looks at a frame.
__device__ inline bool is_truncated(const SegmentListView& list) {
  const std::uint32_t frame = min(threadIdx.x % 32, list.frames - 1);
  const std::uint32_t count = __ldg(list.of_frame(frame).offsets + list.columns);
  return __any_sync(kAll, count > list.capacity) != 0;
}

// Walks down the segments of one column, row by row. A row that two segments share belongs to the
// lower one.
class SegmentCursor {
 public:
  // Starts at the segment that has `row`, or at the first one below it.
  __device__ SegmentCursor(const SegmentListView& list, int column, int row)
      : next_(list.segments + __ldg(list.offsets + column)),
        end_(list.segments + __ldg(list.offsets + column + 1)) {
    if (next_ == end_) return;
    // The last segment whose first row is not below `row`, or the first one of all.
    std::uint32_t count = static_cast<std::uint32_t>(end_ - next_);
#pragma unroll 1
    while (count > 1) {
      const std::uint32_t half = count / 2;
      if (next_[half].first_row <= row) {
        next_ += half;
        count -= half;
      } else {
        count = half;
      }
    }
    take();
  }

  // Goes on to `row`, which is not above the previous one. True if the segment has changed.
  __device__ bool advance(int row) {
    bool moved = false;
    // Seldom more than once: not worth copies of the loop's body.
#pragma unroll 1
    while (next_ != end_ && next_->first_row <= row) {
      take();
      moved = true;
    }
    return moved;
  }

  // True if the current segment has `row`; false without a segment.
  __device__ bool has(int row) const { return row >= first_row && row <= last_row; }
  __device__ int length() const { return last_row - first_row; }

  int first_row = 1;
  int last_row = 0;
  float first_value = 0.0F;
  float last_value = 0.0F;

 private:
  __device__ void take() {
    first_row = next_->first_row;
    last_row = next_->last_row;
    first_value = next_->first_value;
    last_value = next_->last_value;
    ++next_;
  }

  const DeviceSegment* next_;
  const DeviceSegment* end_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_CURSOR_CUH_
