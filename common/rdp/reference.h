// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_REFERENCE_H_
#define RDP_COMMON_RDP_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "common/image/depth_view.h"
#include "common/image/reference.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"

// The definition of every result: plain scalar code that is meant to be read. Each faster path (the
// SIMD engine on any number of threads, each kernel) must be bit-identical for every input; the
// tests compare them. Nothing here is used while streaming.
namespace rdp::reference {

// Segments every column of `frame`: Ramer-Douglas-Peucker split, Algorithm 1 of P. Cebrian and
// J. C. Moure, "GPU-accelerated RDP Algorithm for Data Segmentation", ICCS 2020, with every
// decision taken in exact integers.
//
// The distance of the known row i, in a segment from row f to row l, to the line through both ends
// is |c| / (l - f) with c = (y[l] - y[f]) * (i - f) - (y[i] - y[f]) * (l - f). As c / (l - f) is
// the difference of two values within the sample range, |c| <= 65535 * 16383 < 2^30: it fits int32
// for all frames of up to kMaxSide rows. The segment is split at the smallest i with the largest
// |c| if |c| * 256 > epsilon256 * (l - f).
//
// `known` says which samples take part; the others are bridged. `frame` has 1..kMaxSide rows and
// columns. The columns are those of `frame`: for column_width see filter().
void segment(const DepthView& frame, const KnownRange& known, std::int64_t eps256,
             SegmentList* result);

// The same with what `rules` ask for beyond the split:
//
// - max_gap: where more than max_gap rows in a row are unknown, a column is divided into runs, and
//   each run is treated like a column of its own. 0: a column is one run.
// - refine and merge: see fit_pieces().
void segment(const DepthView& frame, const KnownRange& known, const SegmentRules& rules,
             SegmentList* result);

// A known sample of a column.
struct Sample {
  int row;
  int value;
};

// Turns a run of known samples and the vertices of its split into disjoint segments with
// least-squares lines. `vertices`: ascending indices into `samples`, the first and the last sample
// among them.
//
// 1. Pieces. Each vertex between two pieces belongs to one of them: it goes with the neighbour
//    whose value is nearer, or in a tie with the one after it. So a step whose two ends are
//    vertices leaves one cut.
// 2. With rules.merge, neighbouring pieces are joined so that the sum over all segments of
//    rules.price and of the truncated error of their samples becomes small. The truncated error of
//    a segment is the sum over its pieces of the squared distances of the piece's samples from the
//    segment's least-squares line, but at most rules.truncation2 times their number. The smallest
//    sum is found by dynamic programming over the cuts, in passes: in each, a segment joins up to
//    kMergeReach neighbours of what the pass before left (the pieces, first), of all ways the
//    cheapest. Among equally cheap last segments, the longest is taken. It ends with a pass that
//    started with no more than kMergeReach segments or joined none, at the latest with pass
//    kMaxMergePasses. With a finite rules.margin, no pass joins segments whose least-squares line
//    ends more than rules.margin outside of the range of their pieces' own line ends. Ends are
//    values in the first and last known row of a line's samples.
// 3. The values of a segment are those of its least-squares line at its first and last known row,
//    rounded to 1/256 sample step and kept within [-65535, 65535]. They may lie outside of the
//    known range. A segment of one sample has its value.
//
// The arithmetic is that of fitted_line.h. Sums of errors are float. The errors of a segment's
// pieces are added from its first piece on, starting with 0. The total up to a cut is (the total up
// to the segment's start + price) + the segment's error; the total at the start is 0.
std::vector<Segment> fit_pieces(const std::vector<Sample>& samples,
                                const std::vector<int>& vertices, const SegmentRules& rules);

// Fit::kAbsolute: refits a run's disjoint segments, the result of fit_pieces(), by approximate
// least absolute deviations. The sum of distances becomes small instead of that of their squares.
// That is the criterion of R. Boscovich and P. S. Laplace, approached here by weights: P. W.
// Holland and R. E. Welsch, "Robust regression using iteratively reweighted least-squares", 1977,
// with a fixed number of passes.
//
// 1. Cuts. The lower one of two neighbouring segments begins at the known row q of the smallest
//    cost: the sum of the distances of the samples above q from the upper segment's line, and of
//    the samples from q on from the lower one's. q is at most kCutReach rows from the old cut. Each
//    segment keeps its middle, the first known row that is not above (first_row + last_row) / 2: so
//    all cuts can be moved at once. Among equally good q, the nearest to the old cut is taken, of
//    two of these the upper one.
// 2. Lines. kRobustPasses times: each sample gets a weight, robust_weight() of its distance from
//    the segment's line, and the line becomes the weighted least-squares line.
// 3. Values, as in fit_pieces().
//
// The arithmetic is that of robust_line.h.
std::vector<Segment> refit(const std::vector<Sample>& samples, const std::vector<Segment>& segments,
                           const SegmentRules& rules);

// The frame that is segmented when `frame` arrives: the inverse depth, then the median, then the
// column groups, each if `parameters` asks for it. Its width is segmented_columns();
// segmented_known_range() has the samples that count in it.
Frame filter(const DepthView& frame, const Parameters& parameters);

// filter() and segment() in one.
void segment_filtered(const DepthView& frame, const Parameters& parameters, SegmentList* result);

// Writes the segments' lines back into the frame they came from, at every row that was known when
// it was segmented. `filtered`: the result of filter(). A sample becomes the line's value, rounded
// half up and kept within the known range. In Domain::kInverse it becomes the depth inverse_scale /
// value, rounded half up and kept within the input's known range. If the value is not above 0, it
// becomes the farthest depth. All columns of a group get the same samples. Other samples stay as
// they are.
void reconstruct(const Frame& filtered, const SegmentList& segments, const Parameters& parameters,
                 const MutableDepthView& frame);

}  // namespace rdp::reference

#endif  // RDP_COMMON_RDP_REFERENCE_H_
