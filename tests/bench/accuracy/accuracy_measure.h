// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_ACCURACY_MEASURE_H_
#define RDP_TESTS_BENCH_ACCURACY_ACCURACY_MEASURE_H_

#include <cstddef>

#include "common/rdp/parameters.h"
#include "common/rdp/reference.h"
#include "common/rdp/segment_list.h"

namespace rdp::bench {

// Deviations from the expected values, in the unit of epsilon.
struct Errors {
  std::size_t samples = 0;
  double mean = 0;      // of the absolute distances
  double relative = 0;  // mean of distance / value over the values above one unit
  double outliers = 0;  // fraction off by more than 3 units and 5 %
};

// The deviations of the segments' lines from the known samples that they cover. All pixel columns
// of a group are compared with its one line. With `truth` (0: unknown), its samples are the
// expected values.
Errors errors_of_segments(const reference::Frame& frame, const KnownRange& known,
                          const SegmentList& segments, int column_width, double sample_scale,
                          const reference::Frame* truth = nullptr);

// The deviations of the frame's own samples from the truth, over the same samples.
Errors errors_of_frame(const reference::Frame& frame, const KnownRange& known,
                       const SegmentList& segments, int column_width, double sample_scale,
                       const reference::Frame& truth);

// The compactness of segments.
struct Compression {
  std::size_t columns = 0;  // columns with a segment
  std::size_t segments = 0;
  double rows_a_segment = 0;     // rows of these columns per segment
  double samples_a_segment = 0;  // known samples of the frame per segment
  std::size_t bytes = 0;         // size of the segments and offsets
};
Compression compression_of(const reference::Frame& frame, const KnownRange& known,
                           const SegmentList& segments);

// The depth of nested splits, over the columns with known samples.
struct Levels {
  double mean = 0;
  double deviation = 0;  // standard
  int most = 0;
};
Levels split_levels(const DepthView& frame, const KnownRange& known, std::int64_t eps256);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_ACCURACY_MEASURE_H_
