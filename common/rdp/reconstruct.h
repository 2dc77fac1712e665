// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_RECONSTRUCT_H_
#define RDP_COMMON_RDP_RECONSTRUCT_H_

#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"

namespace rdp {

// Scratch memory of reconstruct_columns(): one for each thread, kept between frames.
struct ReconstructScratch {
  GrowBuffer<std::uint16_t> lines;
};

// Writes the lines of the segmented columns [first_column, end_column) back into the frame columns
// that they came from, bit-identical to reference::reconstruct. Leaves other frame columns, unknown
// samples and padding alone. So segmented columns may be spread over threads, each with its own
// scratch; ranges of a multiple of 32 frame columns share no cache lines.
//
// `source`, the segmented frame before its columns were joined, tells which samples are known.
// Without median and Domain::kInverse it is `frame` itself, else the output of the last of these
// filters. It has the size of `frame` (16 bit in Domain::kInverse, whatever the frame's type). A
// row of a joined column is known where at least half of its source samples are: the rule of
// join_columns(). `segments` and `parameters` are the output and the input of the segmentation of
// `source`. Throws std::bad_alloc, before anything is written.
void reconstruct_columns(const DepthView& source, const SegmentList& segments,
                         const Parameters& parameters, int first_column, int end_column,
                         const MutableDepthView& frame, ReconstructScratch* scratch);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_RECONSTRUCT_H_
