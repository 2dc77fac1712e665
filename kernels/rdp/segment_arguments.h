// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_
#define RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_

#include <cstdint>

#include "kernels/primitives/frame_arguments.h"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/rdp/segment_work.h"

namespace rdp::cuda {

// Arguments of the kernels of segment_warps.cu and segment_queues.cu. Pointers are device pointers.
struct SegmentArguments : FrameArguments {
  std::uint32_t eps256;
  // The largest gap: a column with more unknown rows in a row is divided into runs, which are split
  // each for itself. 0: a column is one run.
  std::int32_t max_gap;
  // The rest of SegmentRules in common/rdp/parameters.h, for the kernels of segment_warps.cu.
  std::uint32_t refine;  // 0 or 1
  std::uint32_t merge;   // 0 or 1
  float truncation2;
  float price;
  float margin;
  float near;
  // The vertices for fit.cu instead of a list: for each column of each frame a bit for each row, in
  // words of 32 rows. Null: the list is wanted.
  std::uint32_t* vertices;
  // The segmenter's scratch, zero before the first launch: for each frame of a launch one word for
  // each tile, its TileTotal. A place is always one of the same frame's, whatever the width.
  unsigned long long* tiles;
  std::int32_t tile_stride;  // from a frame's words to those of the next
  // For each frame of a launch: how many launches had one before.
  std::uint32_t* launches;
  SegmentWork* work;  // page-locked host memory: for each frame
  SegmentListView list;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_
