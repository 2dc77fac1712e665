// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_LAUNCH_TIMER_H_
#define RDP_TESTS_BENCH_LAUNCH_TIMER_H_

#include <cuda.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"

// Times of work that consists of several kernels, in total and per kernel.
namespace rdp::bench {

// Wrappers around the driver's functions. They know the work's kernels by name, and can run one of
// them alone, several times, or between events.
class Launches {
 public:
  static Launches& get();

  // Called once, before any kernel is looked up.
  void install();

  // After begin(), runs only this launch, `times` times; -1: all launches, once.
  void look_at(int only, int times);
  // Runs everything once, with events before launch `first` and after launch `last`; `in_graph`:
  // the events are nodes of the recorded graph. For work that cannot run in parts, or twice.
  void surround(int first, int last, CUevent before, CUevent after, bool in_graph = true);
  void begin();
  const std::vector<std::string>& names() const { return names_; }

 private:
  CUresult launch(const std::function<CUresult()>& start, CUstream stream);

  cuda::Driver real_;
  std::map<CUfunction, std::string> functions_;
  std::vector<std::string> names_;
  int only_ = -1;
  int times_ = 1;
  int next_ = 0;
  int first_surrounded_ = -1;
  int last_surrounded_ = -1;
  CUevent before_ = nullptr;
  CUevent after_ = nullptr;
  unsigned event_flags_ = CU_EVENT_RECORD_EXTERNAL;
};

// Work that is recorded once and launched as a whole.
class Graph {
 public:
  // Records what `work` enqueues on `stream`, and on streams that it forks and joins.
  Graph(CUstream stream, const std::function<void()>& work);
  ~Graph();
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) = delete;

  void launch(CUstream stream) const;

 private:
  CUgraphExec graph_ = nullptr;
};

struct Times {
  double median = 0;  // microseconds
  double least = 0;
};

void print(const char* what, const Times& times);

// Times work on a stream by events, over several replays; results are divided by `parts`.
class LaunchTimer {
 public:
  LaunchTimer();
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

  CUstream stream() const { return stream_.get(); }

  Times time(const std::function<void()>& work, int replays, int parts = 1) const;
  // The same for a graph of the work.
  Times time_graph(const std::function<void()>& work, int replays, int parts = 1) const;
  // The time of one launch in such a graph, from the previous launch's end to its own.
  Times time_launch(const std::function<void()>& work, int number, int replays) const;
  // The same for launches `first` to `last`.
  Times time_launches(const std::function<void()>& work, int first, int last, int replays) const;
  // The same without a graph, as elements launch them.
  Times time_started(const std::function<void()>& work, int first, int last, int replays) const;

 private:
  cuda::Stream stream_;
  CUevent start_ = nullptr;
  CUevent stop_ = nullptr;
};

// Prints the times of the whole work, of `on_host`, and of each launch of the work, by these names
// and as sums per name. The work runs as in a detector's find(). A launch between two events
// overlaps with no other one. The columns beside it show the time from the first launch to its end,
// and the increase over the previous launch.
void print_work(const LaunchTimer& timer, const std::function<void()>& work,
                const char* on_host_name, const std::function<void()>& on_host,
                const std::vector<std::string>& names, int replays);

// The main() of such a benchmark: runs `run` in the device's primary context. Returns the exit
// status: 77 without a device. To time launches, it installs Launches for one thread, and also
// skips drivers without graphs.
int run_on_device(int device, const std::function<void()>& run, bool times_launches = true);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_LAUNCH_TIMER_H_
