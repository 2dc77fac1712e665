// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_ARGUMENTS_H_
#define RDP_KERNELS_RDP_FIT_ARGUMENTS_H_

#include <cstdint>

#include "kernels/primitives/frame_arguments.h"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/rdp/segment_work.h"

namespace rdp::cuda {

// Arguments of the kernels of fit.cu. Pointers are device pointers.
struct FitArguments : FrameArguments {
  // SegmentRules of common/rdp/parameters.h.
  std::int32_t max_gap;
  std::uint32_t refine;  // 0 or 1
  std::uint32_t merge;   // 0 or 1
  float truncation2;
  float price;
  float margin;
  // The vertices from segment.cu: for each column of each frame a bit for each row, in words of 32
  // rows.
  const std::uint32_t* vertices;
  // The fitter's scratch, zero before the first launch. A word for each tile of columns, frame
  // after frame: the number of its segments, and in the upper half the number of the launch.
  unsigned long long* tiles;
  // Three counters: earlier launches with this scratch; the next tile to take; blocks that found no
  // tile left.
  std::uint32_t* counters;
  // For each block, room for the pieces of columns that have too many for its shared memory.
  unsigned char* pieces;
  std::int64_t pieces_bytes;  // for a block
  SegmentWork* work;          // page-locked host memory: for each frame
  SegmentListView list;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_ARGUMENTS_H_
