// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_MEDIAN_MEASURE_H_
#define RDP_TESTS_BENCH_MEDIAN_MEASURE_H_

#include <vector>

#include "tests/bench/bench_frames.h"
#include "tests/bench/graph_timer.h"
#include "tests/bench/rivals.h"

namespace rdp::bench {

// Microseconds a frame for the medians of one frame and what they are measured against. All results
// equal cv::medianBlur's, or std::runtime_error is thrown.
struct MedianTimes {
  int width = 0;
  int height = 0;
  int sample_bytes = 0;
  int lanes = 1;  // frames on their way at once
  double ours3 = 0;
  double ours5 = 0;
  double one_sample = 0;   // 3x3, a thread a sample; 16 bits only
  double two_samples = 0;  // 3x3, a thread for two; 16 bits only
  double copy = 0;         // the same bytes copied within the device
};

MedianTimes measure_medians(const BenchFrame& frame, SampleType type, int lanes,
                            const Rivals& rivals, const GraphTimer& timer, int replays);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_MEDIAN_MEASURE_H_
