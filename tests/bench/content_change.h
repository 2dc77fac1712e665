// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_CONTENT_CHANGE_H_
#define RDP_TESTS_BENCH_CONTENT_CHANGE_H_

#include <vector>

#include "tests/bench/graph_timer.h"
#include "tests/bench/segment_measure.h"

namespace rdp::bench {

// One of the frames after a stream's content has changed.
struct ChangedFrame {
  double microseconds = 0;  // median over all changes
  bool used_queues = false;
};

// Shows `before` until the choice of the kernel has settled, then `after`, frame by frame; the host
// waits for each, as elements do. Returns the first `frames` frames of `after`, over `changes`
// changes. Both questions must have one size. All lists have enough room before anything is timed.
std::vector<ChangedFrame> measure_change(const Question& before, const Question& after,
                                         const GraphTimer& timer, int frames, int changes);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_CONTENT_CHANGE_H_
