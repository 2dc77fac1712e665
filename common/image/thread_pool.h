// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_THREAD_POOL_H_
#define RDP_COMMON_IMAGE_THREAD_POOL_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace rdp {

// The number of processors this process may run on, by its affinity mask where there is one; at
// least 1.
unsigned usable_processors();

// Threads that wait for parallel loops, for work in pieces of a few microseconds.
//
// A pool of its own rather than OpenMP or TBB, because each element has its number of threads, a
// loop must not allocate (TBB makes its tasks on the heap), and the thread sanitizer must
// understand it (GCC's OpenMP runtime is not instrumented).
class ThreadPool {
 public:
  static constexpr unsigned kMaxThreads = 256;

  ThreadPool() = default;
  ~ThreadPool() { resize(1); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Sets the number of threads that work on a loop, the calling one included: 1..kMaxThreads.
  // Throws std::system_error if the system gives fewer; those it gave stay.
  void resize(unsigned threads);
  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

  // Calls body(item, next, worker) for each item in [0, items), in the calling thread and in up to
  // `threads` - 1 others, and returns when all calls have returned. `next` is the item that this
  // worker will do next, so that it can prefetch; `items` or more where that is not known yet;
  // worker is in [0, size()), the calling thread is 0, and no two calls with the same worker run at
  // the same time. An exception ends the loop early and is thrown again here, the first one if
  // several. Loops on one pool must not overlap.
  template <typename Body>
  void run(unsigned items, unsigned threads, const Body& body) {
    Job job;
    job.items = items;
    job.body = &body;
    job.call = [](const void* b, unsigned item, unsigned next, unsigned worker) {
      (*static_cast<const Body*>(b))(item, next, worker);
    };
    run_job(&job, threads);
  }

 private:
  struct Job {
    unsigned items = 0;
    unsigned threads = 0;
    const void* body = nullptr;
    void (*call)(const void* body, unsigned item, unsigned next, unsigned worker) = nullptr;
    std::atomic<unsigned> next_item{0};
    // Guarded by mutex_.
    unsigned places = 0;   // how many workers may still join
    unsigned working = 0;  // how many have joined and not left
    std::exception_ptr failure;
  };

  void run_job(Job* job, unsigned threads);
  void work(Job* job, unsigned worker);
  void serve(unsigned worker);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable job_posted_;
  std::condition_variable job_left_;
  Job* job_ = nullptr;               // guarded by mutex_; null while no job can be joined
  unsigned wanted_ = 1;              // guarded by mutex_; workers from this number on end
  unsigned asleep_ = 0;              // guarded by mutex_; workers waiting for job_posted_
  std::atomic<unsigned> posted_{0};  // counts the jobs, so that workers can wait without the mutex
};

// Gives an engine `threads` threads (0: one per processor), each with a Worker, its scratch memory.
// Allocates before it starts threads, so that every thread has a Worker even after a failure.
// Throws std::bad_alloc and std::system_error.
template <typename Worker>
void resize_with_workers(unsigned threads, ThreadPool* pool, std::vector<Worker>* workers) {
  if (threads == 0) threads = usable_processors();
  if (threads > workers->size()) {
    std::vector<Worker> more(std::min(threads, ThreadPool::kMaxThreads));
    std::move(workers->begin(), workers->end(), more.begin());
    *workers = std::move(more);
  }
  pool->resize(threads);
  workers->resize(pool->size());
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_THREAD_POOL_H_
