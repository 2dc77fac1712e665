// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_PROGRESS_H_
#define RDP_COMMON_IMAGE_PROGRESS_H_

#include <hwy/cache_control.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

// Progress counters for threads that follow each other through the rows or columns of a picture:
// each waits for results of the previous one.
namespace rdp {

// The distance between two counters: a cache line, against false sharing.
inline constexpr std::ptrdiff_t kProgressStride = 16;

inline void publish_progress(std::int32_t* progress, int done) {
  std::atomic_ref<std::int32_t>(*progress).store(done, std::memory_order_release);
}

// Waits until another thread, already at work, has published `wanted` or more.
inline void wait_for_progress(std::int32_t* progress, int wanted) {
  const std::atomic_ref<std::int32_t> done(*progress);
  for (int tries = 0; done.load(std::memory_order_acquire) < wanted; ++tries) {
    // A long wait means that the other thread has lost its processor.
    constexpr int kTries = 500;
    tries < kTries ? hwy::Pause() : std::this_thread::yield();
  }
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_PROGRESS_H_
