// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_AGREEMENT_H_
#define RDP_COMMON_MOTION_AGREEMENT_H_

#include <span>

#include "common/motion/input.h"
#include "common/motion/motion.h"
#include "common/motion/parameters.h"

// Second stage of motion detection. The first stage (segment_motion.h) flags candidates: segments
// that are fast relative to their sigma. A candidate keeps its flag if its neighbours move alike: a
// few wrong tracks on a static road then flag nothing.
namespace rdp::motion {

// Columns searched for a neighbour on either side, and neighbours that must agree.
inline constexpr int kNeighbourColumns = 2;
inline constexpr int kLeastAgreeing = 2;

// Clears kMoving on candidates of class ground, and on candidates that fewer than kLeastAgreeing
// neighbours agree with.
//
// Classes come from the input. If it has none and velocities are over ground (the ground is then
// static), they are computed as in rdpsegment (find_ground() and class_of() of common/rdp). The
// tolerance is that of Parameters for disparities, in sample steps, at least 1. Depths that are not
// inverse are compared in 1/km, with a tolerance of 1. Otherwise no segment is of class ground.
//
// A segment s of column c has at most one neighbour in each of the two columns on either side.
// Let r = (first row + last row) / 2 of s, and m the measure of its line at r. For a segment t of
// such a column, let q be its row nearest to r. t is at the distance of s if
//   - q is not further from the rows of s than kRowMargin rows (support.h), and
//   - its line's measure at q is known, and differs from m by no more than the tolerance of m
//     (measure_tolerance() of space.h, which also decides whether a track is on a segment).
// The neighbour is the segment at the distance of s with the smallest |q - r|; ties go to the first
// in the list. It agrees if it is a candidate too, and
//   dx dx + dy dy + dz dz <= a a + b b
// in doubles in this order. (dx, dy, dz) is the velocity of s minus that of t. The sigmas of s and
// of t are a and b. All are as in SegmentMotion.
//
// `motions`: one per segment, in the segments' order.
void keep_agreeing(const Input& input, const Parameters& parameters,
                   std::span<SegmentMotion> motions);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_AGREEMENT_H_
