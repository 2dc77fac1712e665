// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_OPTIMAL_SEGMENTS_H_
#define RDP_TESTS_BENCH_ACCURACY_OPTIMAL_SEGMENTS_H_

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"
#include "common/rdp/reference.h"
#include "common/rdp/segment_list.h"

namespace rdp::bench {

// The cost of a sample's distance from its segment.
enum class Distances {
  kTruncated,  // the square, limited to SegmentRules::truncation2
  kSquared,    // the square
};

// The cost of a segmentation: rules.price per segment, and the distance of each known sample from
// its segment's line.
double segments_cost(const DepthView& frame, const KnownRange& known, const SegmentList& segments,
                     const SegmentRules& rules, Distances distances);

// Computes the cheapest segmentation of each column into least-squares lines, with cuts between any
// two known samples. Split-and-merge only approximates it. The method is that of Stixels (D.
// Pfeiffer and U. Franke, "Towards a Global Optimal Multi-Layer Stixel Representation of Dense 3D
// Data", BMVC 2011), with free lines in place of upright and ground ones. Dynamic programming over
// all pairs of rows: quadratic in the known samples with Distances::kSquared, cubic otherwise. In
// double precision, not bit-exact.
void optimal_segments(const DepthView& frame, const KnownRange& known, const SegmentRules& rules,
                      Distances distances, SegmentList* result);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_OPTIMAL_SEGMENTS_H_
