// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_
#define RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_

#include <cstdint>

#include "kernels/primitives/frame_arguments.h"
#include "kernels/rdp/segment_list_view.h"

namespace rdp::cuda {

// What the kernels of segment.cu take. Pointers are device pointers.
struct SegmentArguments : FrameArguments {
  std::uint32_t eps256;
  // Where more rows in a row are unknown, a column is cut into runs, which are split each for
  // itself; 0: columns are not cut.
  std::int32_t max_gap;
  // What fit.cu works on instead of a list: for each column a bit for each row, whether it is a
  // vertex, in words of 32 rows. Null: the list is wanted.
  std::uint32_t* vertices;
  // The segmenter's scratch, zero before the first frame. One word for each block: the number of
  // its segments, and in the upper half the number of the frame that they belong to.
  unsigned long long* tiles;
  // How many frames were segmented with this scratch before.
  std::uint32_t* frames;
  SegmentListView list;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_
