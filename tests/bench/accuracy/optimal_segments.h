// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_OPTIMAL_SEGMENTS_H_
#define RDP_TESTS_BENCH_ACCURACY_OPTIMAL_SEGMENTS_H_

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"
#include "common/rdp/reference.h"
#include "common/rdp/segment_list.h"

namespace rdp::bench {

// How a sample's distance from its segment counts.
enum class Distances {
  kTruncated,  // its square, but no more than SegmentRules::truncation2
  kSquared,    // its square
};

// What the lines of a segmented column cost: rules.price for each segment, and for each known
// sample its distance from the segment's own line.
double segments_cost(const DepthView& frame, const KnownRange& known, const SegmentList& segments,
                     const SegmentRules& rules, Distances distances);

// The cheapest way to cut each column into least-squares lines, a cut being possible between any
// two known samples: what split-and-merge only comes near to, by the method of Stixels (D. Pfeiffer
// and U. Franke, "Towards a Global Optimal Multi-Layer Stixel Representation of Dense 3D Data",
// BMVC 2011) with free lines in place of upright and ground ones. Dynamic programming over all
// pairs of rows: quadratic in the known samples with Distances::kSquared, cubic otherwise. In
// double precision; nobody needs its bits.
void optimal_segments(const DepthView& frame, const KnownRange& known, const SegmentRules& rules,
                      Distances distances, SegmentList* result);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_OPTIMAL_SEGMENTS_H_
