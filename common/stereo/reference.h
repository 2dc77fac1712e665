// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_REFERENCE_H_
#define RDP_COMMON_STEREO_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "common/stereo/parameters.h"
#include "common/stereo/views.h"

// The definition of the disparity of a pair: plain scalar code in integers that is meant to be
// read. Whatever is faster gives these bits. Nothing here is used while streaming.
//
// Semi-global matching: H. Hirschmueller, "Stereo Processing by Semiglobal Matching and Mutual
// Information", PAMI 2008, on a census (R. Zabih, J. Woodfill, "Non-parametric Local Transforms for
// Computing Visual Correspondence", ECCV 1994) of every second pixel of 9x7. They are compared with
// a smoothed centre, so that one noisy pixel does not turn all bits.
namespace rdp::stereo::reference {

// Comparisons of the pixels whose distances from the centre, in rows and columns, have an even sum,
// row by row, as a number of 30 bits: which of them are at least the mean of the 3x3 pixels around
// the centre, each counted (2 - |dx|) * (2 - |dy|) times. Pixels outside of the picture are those
// of its border.
std::uint32_t census(const DepthView& picture, int row, int column);

// What each disparity costs at each pixel, by row, column and disparity (without min_disparity):
// how many comparisons differ between the left view's pixel and the right view's that many columns
// to its left (to its right where the disparity is negative), which is the first one, or the last
// one, where there is none; at most kMostCost, and kMostCost where that was not seen. So what is
// hidden from the right camera, or is something else there, speaks no louder against a disparity
// than so.
std::vector<std::uint8_t> costs(const Pair& pair, const Parameters& parameters);

// The sums of the costs of all paths, in the same order. Along a path L is the cost and the least
// of L before, L before of the next disparity and p1, and the least L before and p2; less the least
// L before, so that it stays small.
std::vector<std::uint16_t> path_sums(const Pair& pair, const Parameters& parameters);

// The disparity of every pixel of the left view, in 1/256 px; from min_disparity on where that is
// negative, so that samples stay unsigned. 0 is unknown: what would be 0 is 1. What either camera
// has not seen is unknown: a pixel of the left view, which the median does not fill either, and
// what matches a pixel of the right view that was not seen.
Counts match(const Pair& pair, const Parameters& parameters, const Result& result);

// Makes every component of fewer than `size` pixels unknown. Two neighbours, side by side or one
// below the other, belong to one where both are known and differ by at most `range`.
void remove_speckles(const MutableDepthView& disparity, int size, int range);

}  // namespace rdp::stereo::reference

#endif  // RDP_COMMON_STEREO_REFERENCE_H_
