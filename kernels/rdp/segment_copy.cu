// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a list to page-locked memory of the host. A kernel rather than the copy engine: it starts
// right behind the one before it, and it knows how many segments there are.
#include "kernels/primitives/copy_words.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {

// Leaves a frame out that has more segments than there is room for: the host sees their number.
extern "C" __global__ void __launch_bounds__(kCopyThreads)
    rdp_copy_segments(const __grid_constant__ CopySegmentsArguments a) {
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  const std::uint32_t count = list.offsets[list.columns];
  if (count > a.room || count > list.capacity) return;
  unsigned char* const to = a.host + blockIdx.y * a.stride;
  copy_words<kCopyThreads>(list.offsets, to, copied_offset_bytes(list.columns));
  copy_words<kCopyThreads>(list.segments, to + copied_offset_bytes(list.columns),
                           count * sizeof(DeviceSegment));
}

}  // namespace rdp::cuda
