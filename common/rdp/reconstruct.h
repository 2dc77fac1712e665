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
// that they came from: the bits of reference::reconstruct. Frame columns that belong to other
// segmented columns, unknown samples and what lies between the rows are left alone, so that
// segmented columns may be spread over threads, each with a scratch of its own; ranges of a
// multiple of 32 frame columns keep the threads off each other's cache lines.
//
// `source` says which samples are known: what was segmented, before its columns were joined. That
// is `frame` itself with neither a median nor Domain::kInverse, else the frame that the last of
// these filters wrote (16 bit in Domain::kInverse, whatever the frame is). It has the size of
// `frame`. A row of a joined column is known where at least half of its source samples are: the
// rule of join_columns(). `segments` and `parameters` are what the segmentation of `source` gave
// and took. Throws std::bad_alloc, before anything is written.
void reconstruct_columns(const DepthView& source, const SegmentList& segments,
                         const Parameters& parameters, int first_column, int end_column,
                         const MutableDepthView& frame, ReconstructScratch* scratch);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_RECONSTRUCT_H_
