// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GRAPH_TIMER_H_
#define RDP_TESTS_BENCH_GRAPH_TIMER_H_

#include <cuda.h>

#include <functional>
#include <vector>

#include "kernels/runtime/device_memory.h"
#include "tests/bench/launch_timer.h"
#include "tests/bench/rivals.h"

namespace rdp::bench {

struct Timing {
  double microseconds = 0;  // the median
  int replays = 0;
};

// Times graphs by CUDA events. A spinning kernel keeps the device busy while the host enqueues a
// replay, so that only the device's time is measured.
class GraphTimer {
 public:
  explicit GraphTimer(const Rivals* rivals);
  ~GraphTimer();
  GraphTimer(const GraphTimer&) = delete;
  GraphTimer& operator=(const GraphTimer&) = delete;

  CUstream stream() const { return stream_.get(); }

  // The time of a replay, after warm-up; several graphs alternate. Slow ones are replayed until
  // `seconds` have passed, but at least five times.
  Timing time(const std::vector<Graph>& graphs, int replays, double seconds = 4) const;
  Timing time(const Graph& graph, int replays, double seconds = 4) const;

  // The time of a single execution of the enqueued work, in microseconds; waits for it.
  double once(const std::function<void()>& work) const;

 private:
  Timing time(const std::vector<const Graph*>& graphs, int replays, double seconds) const;

  const Rivals* rivals_;
  cuda::Stream stream_;
  CUevent start_ = nullptr;
  CUevent stop_ = nullptr;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GRAPH_TIMER_H_
