// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/graph_timer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/median.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::bench {

using cuda::check;
using cuda::driver;
using test::extra_driver;

namespace {

constexpr int kWarmUps = 3;
constexpr int kFewestReplays = 5;
// Longer than the host needs to enqueue a graph of a few hundred kernels.
constexpr unsigned kSpinNanoseconds = 150'000;

}  // namespace

GraphTimer::GraphTimer(const Rivals* rivals) : rivals_(rivals) {
  check(driver().cuEventCreate(&start_, CU_EVENT_DEFAULT), "creating an event");
  check(driver().cuEventCreate(&stop_, CU_EVENT_DEFAULT), "creating an event");
}

GraphTimer::~GraphTimer() {
  driver().cuEventDestroy_v2(start_);
  driver().cuEventDestroy_v2(stop_);
}

double GraphTimer::once(const std::function<void()>& work) const {
  rivals_->spin(kSpinNanoseconds, stream_.get());
  check(driver().cuEventRecord(start_, stream_.get()), "recording an event");
  work();
  check(driver().cuEventRecord(stop_, stream_.get()), "recording an event");
  check(driver().cuEventSynchronize(stop_), "waiting for the GPU");
  float milliseconds = 0;
  check(extra_driver()->cuEventElapsedTime(&milliseconds, start_, stop_), "reading the time");
  return 1000.0 * static_cast<double>(milliseconds);
}

Timing GraphTimer::time(const std::vector<const Graph*>& graphs, int replays,
                        double seconds) const {
  using Clock = std::chrono::steady_clock;
  std::size_t next = 0;
  const auto replay = [&] {
    const Graph& graph = *graphs[next++ % graphs.size()];
    return once([&] { graph.launch(stream_.get()); });
  };
  const auto begin = Clock::now();
  const auto over = [&] {
    return std::chrono::duration<double>(Clock::now() - begin).count() > seconds;
  };
  for (int i = 0; i < kWarmUps && !(i > 0 && over()); ++i) replay();
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(replays));
  while (static_cast<int>(times.size()) < replays) {
    if (static_cast<int>(times.size()) >= kFewestReplays && over()) break;
    times.push_back(replay());
  }
  const int count = static_cast<int>(times.size());
  return {median_of(std::move(times)), count};
}

Timing GraphTimer::time(const std::vector<Graph>& graphs, int replays, double seconds) const {
  std::vector<const Graph*> pointers;
  for (const Graph& graph : graphs) pointers.push_back(&graph);
  return time(pointers, replays, seconds);
}

Timing GraphTimer::time(const Graph& graph, int replays, double seconds) const {
  return time(std::vector<const Graph*>{&graph}, replays, seconds);
}

}  // namespace rdp::bench
