// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_MANY_THREADS_H_
#define RDP_TESTS_BENCH_MANY_THREADS_H_

// Frame rates of many streams in one process, each in its own thread.

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/command_line.h"

namespace rdp::bench {

// The total of all threads.
struct Rate {
  double frames = 0;   // per second
  double busy_us = 0;  // time of all processors per frame
};

inline double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Runs `work (number, stop, &count)` in one thread per number. The work adds its frames to `count`
// until `stop`.
class CountingThreads {
 public:
  using Work = std::function<void(int, const std::atomic<bool>&, std::atomic<long>*)>;

  CountingThreads(int threads, const Work& work)
      : counts_(static_cast<std::size_t>(threads)), failures_(static_cast<std::size_t>(threads)) {
    for (int i = 0; i < threads; ++i) {
      running_.emplace_back([this, work, i] {
        try {
          work(i, stop_, &counts_[static_cast<std::size_t>(i)]);
        } catch (...) {
          failures_[static_cast<std::size_t>(i)] = std::current_exception();
        }
      });
    }
  }
  ~CountingThreads() { join(); }
  CountingThreads(const CountingThreads&) = delete;
  CountingThreads& operator=(const CountingThreads&) = delete;

  long total() const {
    long sum = 0;
    for (const std::atomic<long>& count : counts_) sum += count;
    return sum;
  }
  // Joins the threads, and rethrows the first exception of one.
  void stop() {
    join();
    for (const std::exception_ptr& failure : failures_) {
      if (failure != nullptr) std::rethrow_exception(failure);
    }
  }

 private:
  void join() {
    stop_ = true;
    for (std::thread& thread : running_) thread.join();
    running_.clear();
  }

  std::atomic<bool> stop_{false};
  std::vector<std::atomic<long>> counts_;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::thread> running_;
};

// Measures after a warm-up of a tenth of the time.
inline Rate measure_threads(int threads, double seconds, const CountingThreads::Work& work) {
  CountingThreads running(threads, work);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds / 10));
  const long frames_before = running.total();
  const double busy_before = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const double frames = static_cast<double>(running.total() - frames_before);
  const double time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double busy = processor_seconds() - busy_before;
  running.stop();
  return {frames / time, 1e6 * busy / frames};
}

// Thread counts from an option such as "1,8,32". Exits with the usage for others.
inline std::vector<int> thread_counts(const std::string& option, const std::string& text) {
  std::vector<int> all;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const long value = std::strtol(at, &end, 10);
    if (end == at || value < 1 || value > 256 || (*end != ',' && *end != '\0')) {
      test::wrong_usage("--" + option + " takes numbers from 1 to 256 like 1,8,32, not " + text);
    }
    all.push_back(static_cast<int>(value));
    at = *end == ',' ? end + 1 : end;
  }
  return all;
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_MANY_THREADS_H_
