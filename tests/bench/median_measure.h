// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_MEDIAN_MEASURE_H_
#define RDP_TESTS_BENCH_MEDIAN_MEASURE_H_

#include <vector>

#include "tests/bench/bench_frames.h"
#include "tests/bench/graph_timer.h"
#include "tests/bench/rivals.h"

namespace rdp::bench {

// Times of the median filters and their comparisons on one frame, in microseconds per frame. Throws
// std::runtime_error unless all results equal cv::medianBlur's.
struct MedianTimes {
  int width = 0;
  int height = 0;
  int sample_bytes = 0;
  int lanes = 1;  // concurrent frames
  double ours3 = 0;
  double ours5 = 0;
  double one_sample = 0;   // 3x3, one thread per sample; 16 bits only
  double two_samples = 0;  // 3x3, one thread per two samples; 16 bits only
  double copy = 0;         // a device copy of the same bytes
};

MedianTimes measure_medians(const BenchFrame& frame, SampleType type, int lanes,
                            const Rivals& rivals, const GraphTimer& timer, int replays);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_MEDIAN_MEASURE_H_
