// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/thread_pool.h"

#include <algorithm>
#include <chrono>

#include "common/image/float_environment.h"

#ifdef __linux__
#include <sched.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace rdp {
namespace {

// The next loop of the same frame comes sooner than the system can wake a thread. So threads spin
// for a short time before they sleep. Between frames, which are much farther apart, they sleep and
// leave the processors to others.
constexpr std::chrono::microseconds kSpin{40};

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

// Spins until `done` or for kSpin. Says whether it is done.
template <typename Done>
bool spin_until(Done done) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 32; ++i) {
      if (done()) return true;
      relax();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

unsigned usable_processors() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return std::max(1U, static_cast<unsigned>(CPU_COUNT(&set)));
  }
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

void ThreadPool::resize(unsigned threads) {
  threads = std::clamp(threads, 1U, kMaxThreads);
  if (threads == size()) return;
  {
    const std::lock_guard lock(mutex_);
    wanted_ = threads;
    if (threads < size()) posted_.fetch_add(1, std::memory_order_release);
  }
  job_posted_.notify_all();
  while (size() > threads) {
    workers_.back().join();
    workers_.pop_back();
  }
  workers_.reserve(threads - 1);
  while (size() < threads) {
    const unsigned worker = size();
    workers_.emplace_back([this, worker] { serve(worker); });
  }
}

void ThreadPool::work(Job* job, unsigned worker) {
  try {
    const auto take = [&] { return job->next_item.fetch_add(1, std::memory_order_relaxed); };
    unsigned item = take();
    while (item < job->items) {
      // Near the end, a worker reserves no next item: another thread could start it now.
      const bool ahead = job->items - item > 2 * job->threads;
      const unsigned announced = ahead ? take() : job->items;
      job->call(job->body, item, announced, worker);
      item = ahead ? announced : take();
    }
  } catch (...) {
    job->next_item.store(job->items, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    if (!job->failure) job->failure = std::current_exception();
  }
}

void ThreadPool::run_job(Job* job, unsigned threads) {
  job->threads = std::min({threads, size(), job->items});
  if (job->threads <= 1) {
    for (unsigned item = 0; item < job->items; ++item) job->call(job->body, item, item + 1, 0);
    return;
  }
  unsigned to_wake;
  {
    const std::lock_guard lock(mutex_);
    job->places = job->threads - 1;
    job_ = job;
    // Threads that are awake will see the job by themselves.
    const unsigned awake = size() - 1 - asleep_;
    to_wake = job->places > awake ? job->places - awake : 0;
    posted_.fetch_add(1, std::memory_order_release);
  }
  for (; to_wake > 0; --to_wake) job_posted_.notify_one();
  work(job, 0);
  // A worker that has not woken up by now has nothing to do here, and must not find this job.
  std::unique_lock lock(mutex_);
  job_ = nullptr;
  if (job->working > 0) {
    lock.unlock();
    spin_until([&] {
      const std::unique_lock look(mutex_, std::try_to_lock);
      return look.owns_lock() && job->working == 0;
    });
    lock.lock();
    job_left_.wait(lock, [&] { return job->working == 0; });
  }
  if (job->failure) std::rethrow_exception(job->failure);
}

void ThreadPool::serve(unsigned worker) {
  const StandardFloats floats;  // a new thread inherits those of the one that started it
  unsigned seen = 0;
  for (;;) {
    spin_until([&] { return posted_.load(std::memory_order_acquire) != seen; });
    std::unique_lock lock(mutex_);
    if (posted_.load(std::memory_order_relaxed) == seen && worker < wanted_) {
      ++asleep_;
      job_posted_.wait(lock, [&] {
        return posted_.load(std::memory_order_relaxed) != seen || worker >= wanted_;
      });
      --asleep_;
    }
    if (worker >= wanted_) return;
    seen = posted_.load(std::memory_order_relaxed);
    Job* job = job_;
    if (job == nullptr || job->places == 0) continue;
    --job->places;
    ++job->working;
    lock.unlock();
    work(job, worker);
    lock.lock();
    if (--job->working == 0) job_left_.notify_one();
  }
}

}  // namespace rdp
