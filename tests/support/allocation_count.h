// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_
#define RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_

// Counts every allocation of the process, in whichever library: the program's own malloc family
// takes the place of the C library's (glibc only, and not together with a sanitizer, which does the
// same). Include it in one source file of a program.

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RDP_COUNTS_ALLOCATIONS 1
#else
#define RDP_COUNTS_ALLOCATIONS 0
#endif

namespace allocation_count {
inline std::atomic<std::uint64_t> count{0};
// Tells that the calling thread is somewhere whose allocations are not counted; may be null.
inline std::atomic<int (*)()> not_counted{nullptr};

// A thread that asks for the first time may need memory to answer: the C library makes a library's
// thread-local variables when they are first used. Not the program's own, as this one.
inline thread_local bool asking = false;

inline void note() {
  if (asking) return;
  int (*const elsewhere)() = not_counted.load(std::memory_order_relaxed);
  asking = true;
  const bool counted = elsewhere == nullptr || elsewhere() == 0;
  asking = false;
  if (counted) count++;
}
}  // namespace allocation_count

#if RDP_COUNTS_ALLOCATIONS
#include <malloc.h>
// Before the definitions: clang's mm_malloc.h declares posix_memalign without noexcept, which it
// refuses after them and takes before them.
#if defined(__SSE__)
#include <mm_malloc.h>
#endif

// noexcept, as the C library declares them.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

__attribute__((visibility("default"))) void* malloc(std::size_t size) noexcept {
  allocation_count::note();
  return __libc_malloc(size);
}
__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size) noexcept {
  allocation_count::note();
  return __libc_calloc(count, size);
}
__attribute__((visibility("default"))) void* realloc(void* pointer, std::size_t size) noexcept {
  allocation_count::note();
  return __libc_realloc(pointer, size);
}
__attribute__((visibility("default"))) void* memalign(std::size_t alignment,
                                                      std::size_t size) noexcept {
  allocation_count::note();
  return __libc_memalign(alignment, size);
}
__attribute__((visibility("default"))) void* aligned_alloc(std::size_t alignment,
                                                           std::size_t size) noexcept {
  allocation_count::note();
  return __libc_memalign(alignment, size);
}
__attribute__((visibility("default"))) int posix_memalign(void** pointer, std::size_t alignment,
                                                          std::size_t size) noexcept {
  allocation_count::note();
  *pointer = __libc_memalign(alignment, size);
  return *pointer == nullptr ? ENOMEM : 0;
}
}
#endif

#endif  // RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_
