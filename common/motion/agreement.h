// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_AGREEMENT_H_
#define RDP_COMMON_MOTION_AGREEMENT_H_

#include <span>

#include "common/motion/input.h"
#include "common/motion/motion.h"
#include "common/motion/parameters.h"

// The second half of the rule of what moves. The first half (segment_motion.h) flags candidates:
// segments that are fast against their sigma. A candidate stays flagged where its neighbours move
// with it: then a few wrong tracks on a road that stands still flag nothing.
namespace rdp::motion {

// So many columns to either side have a neighbour, and so many of these have to agree.
inline constexpr int kNeighbourColumns = 2;
inline constexpr int kLeastAgreeing = 2;

// Takes the flag kMoving from all candidates but those that are not of class ground and that at
// least kLeastAgreeing of their neighbours agree with.
//
// Classes are those of the input. Where it has none and velocities are over ground, of which the
// ground has none, they are found as rdpsegment does (find_ground() and class_of() of common/rdp):
// the tolerance is that of Parameters for disparities, in sample steps and 1 at least; depths that
// are not inverse are compared as 1/km, with a tolerance of 1. Otherwise nothing is of class
// ground.
//
// The neighbours of segment s of column c are one in each of the columns c - 2, c - 1, c + 1 and
// c + 2 at most. Let r = (first row + last row) / 2 of s, and m what its line measures there. Of a
// segment t of such a column, let q be its row that is nearest to r. t is at the distance of s
// where
//   - q is not further from the rows of s than kRowMargin rows (support.h), and
//   - its line's measure at q is known, and differs from m by no more than the tolerance of m
//     (measure_tolerance() of space.h, with which tracks are told to be on a segment).
// The neighbour is the one at the distance of s with the least |q - r|; of several, the first in
// the list. It agrees where it is a candidate as well, and
//   dx dx + dy dy + dz dz <= a a + b b
// in doubles in this order, where (dx, dy, dz) is the velocity of s less that of t, and a and b are
// the sigmas of s and of t, all of them as they are told.
//
// `motions`: one a segment, in the segments' order.
void keep_agreeing(const Input& input, const Parameters& parameters,
                   std::span<SegmentMotion> motions);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_AGREEMENT_H_
