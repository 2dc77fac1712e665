// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_MEDIAN_H_
#define RDP_COMMON_IMAGE_MEDIAN_H_

#include <cstddef>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"

namespace rdp {

// Scratch memory of median_rows(): one for each thread, kept between frames. Grows with the width
// only.
struct MedianScratch {
  GrowBuffer<std::byte> memory;
};

// Writes rows [first_row, end_row) of the side x side median of `in` into the same rows of `out`:
// the bits of reference::median and of cv::medianBlur. Border samples are replicated; unknown
// samples count as values.
//
// side is 3 or 5. `out` has the size and the sample type of `in` and shares no memory with it. The
// rows may be spread over threads, each with a scratch of its own. Throws std::bad_alloc.
//
// The method is that of exchange networks: minima and maxima only, without branches, many windows
// at a time (M. Zucchi, "3x3 median filter, or branchless loopless sort" and "More sort thoughts",
// 2011, after D. E. Knuth, The Art of Computer Programming, vol. 3, 5.3.4). Here neighbouring
// windows share the work: every column of `side` samples is sorted once for all windows that
// contain it.
void median_rows(const DepthView& in, int side, int first_row, int end_row,
                 const MutableDepthView& out, MedianScratch* scratch);

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_MEDIAN_H_
