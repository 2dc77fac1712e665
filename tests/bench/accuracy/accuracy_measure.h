// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_ACCURACY_MEASURE_H_
#define RDP_TESTS_BENCH_ACCURACY_ACCURACY_MEASURE_H_

#include <cstddef>

#include "common/rdp/parameters.h"
#include "common/rdp/reference.h"
#include "common/rdp/segment_list.h"

namespace rdp::bench {

// How far something is from what it should be, in the unit of epsilon.
struct Errors {
  std::size_t samples = 0;
  double mean = 0;      // of the absolute distances
  double relative = 0;  // mean of distance / value over the values above one unit
  double outliers = 0;  // the share that is off by more than 3 units and 5 %
};

// The segments' lines against the samples of a frame, all pixel columns of a group against its one
// line. Counts what is known in the frame and covered by a segment. With `truth` (known where it is
// not 0), its samples are what the lines should be.
Errors errors_of_segments(const reference::Frame& frame, const KnownRange& known,
                          const SegmentList& segments, int column_width, double sample_scale,
                          const reference::Frame* truth = nullptr);

// The frame itself against the truth, over the same samples.
Errors errors_of_frame(const reference::Frame& frame, const KnownRange& known,
                       const SegmentList& segments, int column_width, double sample_scale,
                       const reference::Frame& truth);

// How compact segments are.
struct Compression {
  std::size_t columns = 0;  // that have a segment
  std::size_t segments = 0;
  double rows_a_segment = 0;     // rows of these columns, for each segment
  double samples_a_segment = 0;  // known samples of the frame, for each segment
  std::size_t bytes = 0;         // of the arrays of segments and offsets
};
Compression compression_of(const reference::Frame& frame, const KnownRange& known,
                           const SegmentList& segments);

// How many splits lie within each other in the columns of a frame that have known samples.
struct Levels {
  double mean = 0;
  double deviation = 0;  // standard
  int most = 0;
};
Levels split_levels(const DepthView& frame, const KnownRange& known, std::int64_t eps256);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_ACCURACY_MEASURE_H_
