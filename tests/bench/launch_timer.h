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

// Times of work that consists of several kernels, as a whole and of each of them.
namespace rdp::bench {

// Wrappers in front of the driver's functions, which know the kernels of the work by their names,
// and can start one of them alone, several times, or have events around it.
class Launches {
 public:
  static Launches& get();

  // Once, before any kernel is looked for.
  void install();

  // Of what follows begin() that launch alone is done, as often as this; -1: all of them, once.
  void look_at(int only, int times);
  // Everything is done, once, with events before and after launches first to last; `in_graph`: they
  // are nodes of the graph that is recorded. Such work cannot be done in parts, or twice.
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

// Work that was recorded once and is started as a whole.
class Graph {
 public:
  // Records what `work` enqueues on `stream`, and on streams that it forks from it and joins again.
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

// Events around work on a stream, which is started so often; a time is that of one of `parts`.
class LaunchTimer {
 public:
  LaunchTimer();
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

  CUstream stream() const { return stream_.get(); }

  Times time(const std::function<void()>& work, int replays, int parts = 1) const;
  // The same of a graph of what `work` enqueues on the stream.
  Times time_graph(const std::function<void()>& work, int replays, int parts = 1) const;
  // Of one launch of such a graph, from the end of the one before it to its own.
  Times time_launch(const std::function<void()>& work, int number, int replays) const;
  // The same of launches first to last of it.
  Times time_launches(const std::function<void()>& work, int first, int last, int replays) const;
  // The same without a graph: as an element starts them.
  Times time_started(const std::function<void()>& work, int first, int last, int replays) const;

 private:
  cuda::Stream stream_;
  CUevent start_ = nullptr;
  CUevent stop_ = nullptr;
};

// Prints the times of all of the work, of `on_host`, and of each launch of the work, by these names
// and summed up by name. The work is done as find() of a finder does it. A launch between two
// events overlaps with no other one; what it adds to the work is in the columns beside: the time
// from the first launch to the end of this one, and how much that is more than for the one before.
void print_work(const LaunchTimer& timer, const std::function<void()>& work,
                const char* on_host_name, const std::function<void()>& on_host,
                const std::vector<std::string>& names, int replays);

// What main() of such a benchmark does: `run`, in the primary context of the device. Returns the
// exit status: 77 where there is no device. To time launches, Launches are installed, for one
// thread, and a driver without graphs is skipped as well.
int run_on_device(int device, const std::function<void()>& run, bool times_launches = true);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_LAUNCH_TIMER_H_
