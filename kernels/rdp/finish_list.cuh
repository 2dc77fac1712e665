// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FINISH_LIST_CUH_
#define RDP_KERNELS_RDP_FINISH_LIST_CUH_

#include "kernels/primitives/compaction.cuh"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/rdp/segment_work.h"

namespace rdp::cuda {

// Says how many segments a frame has and how much work it was, by one thread of its last tile.
// `all` is the total of all tiles.
__device__ __forceinline__ void finish_list(const SegmentListView& list, const TileTotal& all,
                                            SegmentWork* work) {
  const unsigned segments = all.most == SegmentWork::kTooMuch ? kRetryWithQueues : all.segments;
  list.offsets[list.columns] = segments;
  *list.report = segments;
  *work = {all.most, all.segments};
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FINISH_LIST_CUH_
