// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_REFERENCE_H_
#define RDP_COMMON_STEREO_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "common/stereo/parameters.h"
#include "common/stereo/views.h"

// The definition of the disparity of a pair: plain scalar code in integers that is meant to be
// read. Faster engines are bit-identical. Nothing here is used while streaming.
//
// Semi-global matching: H. Hirschmueller, "Stereo Processing by Semiglobal Matching and Mutual
// Information", PAMI 2008, on a census (R. Zabih, J. Woodfill, "Non-parametric Local Transforms for
// Computing Visual Correspondence", ECCV 1994) of every second pixel of 9x7. They are compared with
// a smoothed centre, so that one noisy pixel does not turn all bits.
namespace rdp::stereo::reference {

// 30 comparisons as bits of a number, row by row: of the pixels whose distances from the centre, in
// rows and columns, have an even sum. A bit is 1 if the pixel is at least the mean of the 3x3
// pixels around the centre, each counted (2 - |dx|) * (2 - |dy|) times. Pixels outside of the
// picture are those of its border.
std::uint32_t census(const DepthView& picture, int row, int column);

// The cost of each disparity at each pixel, by row, column and disparity (without min_disparity).
// It is the number of comparisons that differ between the left view's pixel and the right view's
// pixel, that many columns to its left. A negative disparity is to its right; beyond the border the
// first or last pixel counts. A cost is at most kMaxCost, and kMaxCost if the right pixel was not
// seen. So a part that is hidden from the right camera, or replaced there, has no larger cost.
std::vector<std::uint8_t> costs(const Pair& pair, const Parameters& parameters);

// The sums of the costs of all paths, in the same order. Along a path, L is the cost plus the least
// of three: the previous L, the previous L of a neighbouring disparity plus p1, and the least
// previous L plus p2. The least previous L is subtracted, so that L stays small.
std::vector<std::uint16_t> path_sums(const Pair& pair, const Parameters& parameters);

// The disparity of every pixel of the left view, in 1/256 px; from min_disparity on where that is
// negative, so that samples stay unsigned. 0 is unknown: what would be 0 is 1. A pixel that either
// camera has not seen is unknown. The median does not fill such a pixel of the left view; a match
// with such a pixel of the right view is unknown, too.
Counts match(const Pair& pair, const Parameters& parameters, const Result& result);

}  // namespace rdp::stereo::reference

#endif  // RDP_COMMON_STEREO_REFERENCE_H_
