// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_PROGRESS_H_
#define RDP_COMMON_IMAGE_PROGRESS_H_

#include <hwy/cache_control.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

// Threads that follow each other through the rows or columns of a picture, each at work on what the
// next one waits for.
namespace rdp {

// From one number to the next: a cache line for each.
inline constexpr std::ptrdiff_t kProgressStride = 16;

inline void publish_progress(std::int32_t* progress, int done) {
  std::atomic_ref<std::int32_t>(*progress).store(done, std::memory_order_release);
}

// Waits until another thread has got so far. It is at work on it.
inline void wait_for_progress(std::int32_t* progress, int wanted) {
  const std::atomic_ref<std::int32_t> done(*progress);
  for (int tries = 0; done.load(std::memory_order_acquire) < wanted; ++tries) {
    // For long only where that thread has lost its processor to another one.
    constexpr int kTries = 500;
    tries < kTries ? hwy::Pause() : std::this_thread::yield();
  }
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_PROGRESS_H_
