// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_FAILING_NEW_H_
#define RDP_TESTS_SUPPORT_FAILING_NEW_H_

// Operator new that fails on demand. The program's own replaces the C++ library's. The plugin and
// the metadata library have their own operator new, whose malloc fails. C code is spared, because
// GLib aborts the process if malloc fails.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/support/malloc_family.h"

namespace failing_new {

// The number of calls up to the one that fails, once; 0 and less: off.
inline std::atomic<int> countdown{0};
// Returns non-zero if calls of the calling thread must not be counted; may be null.
inline std::atomic<int (*)()> not_counted{nullptr};

inline void fail_at(int nth) { countdown = nth; }
// Ends it. True if the call that had to fail was reached.
inline bool reached() { return countdown.exchange(0) <= 0; }

// libgstcuda is C++ from GStreamer 1.26 on. It aborts the process when memory runs out, as GLib
// does, so its calls do not fail.
inline bool is_of_gstreamer(const void* caller) {
  return malloc_family::is_of(caller, "/libgstcuda");
}

// Guards against recursion in is_due(): see allocation_count::asking.
inline thread_local bool asking = false;
inline bool is_due() {
  if (asking || countdown.load(std::memory_order_relaxed) <= 0) return false;
  int (*const elsewhere)() = not_counted.load(std::memory_order_relaxed);
  asking = true;
  const bool counts = elsewhere == nullptr || elsewhere() == 0;
  asking = false;
  return counts && countdown.fetch_sub(1) == 1;
}
inline bool is_due_in_product(const void* caller) {
  return countdown.load(std::memory_order_relaxed) > 0 && malloc_family::is_of_product(caller) &&
         is_due();
}
inline const bool armed = (malloc_family::failing = is_due_in_product, true);

inline void* allocate(std::size_t size, std::size_t alignment, const void* caller) {
  if (countdown.load(std::memory_order_relaxed) > 0 && !is_of_gstreamer(caller) && is_due()) {
    return nullptr;
  }
  void* memory = nullptr;
  if (size == 0) size = 1;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

inline void* allocate_or_throw(std::size_t size, std::size_t alignment, const void* caller) {
  void* memory = allocate(size, alignment, caller);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Not inlined, so that compilers do not warn about mismatched allocation and deallocation.
__attribute__((noinline)) inline void release(void* memory) { std::free(memory); }

}  // namespace failing_new

// Weak, so that several source files may have them.
#define RDP_TEST_NEW __attribute__((weak, visibility("default")))

RDP_TEST_NEW void* operator new(std::size_t size) {
  return failing_new::allocate_or_throw(size, alignof(std::max_align_t),
                                        __builtin_return_address(0));
}
RDP_TEST_NEW void* operator new[](std::size_t size) {
  return failing_new::allocate_or_throw(size, alignof(std::max_align_t),
                                        __builtin_return_address(0));
}
RDP_TEST_NEW void* operator new(std::size_t size, std::align_val_t alignment) {
  return failing_new::allocate_or_throw(size, static_cast<std::size_t>(alignment),
                                        __builtin_return_address(0));
}
RDP_TEST_NEW void* operator new[](std::size_t size, std::align_val_t alignment) {
  return failing_new::allocate_or_throw(size, static_cast<std::size_t>(alignment),
                                        __builtin_return_address(0));
}
RDP_TEST_NEW void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return failing_new::allocate(size, alignof(std::max_align_t), __builtin_return_address(0));
}
RDP_TEST_NEW void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return failing_new::allocate(size, alignof(std::max_align_t), __builtin_return_address(0));
}
RDP_TEST_NEW void* operator new(std::size_t size, std::align_val_t alignment,
                                const std::nothrow_t&) noexcept {
  return failing_new::allocate(size, static_cast<std::size_t>(alignment),
                               __builtin_return_address(0));
}
RDP_TEST_NEW void operator delete(void* memory) noexcept { failing_new::release(memory); }
RDP_TEST_NEW void operator delete[](void* memory) noexcept { failing_new::release(memory); }
RDP_TEST_NEW void operator delete(void* memory, std::size_t) noexcept {
  failing_new::release(memory);
}
RDP_TEST_NEW void operator delete[](void* memory, std::size_t) noexcept {
  failing_new::release(memory);
}
RDP_TEST_NEW void operator delete(void* memory, std::align_val_t) noexcept {
  failing_new::release(memory);
}
RDP_TEST_NEW void operator delete[](void* memory, std::align_val_t) noexcept {
  failing_new::release(memory);
}
RDP_TEST_NEW void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  failing_new::release(memory);
}
RDP_TEST_NEW void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  failing_new::release(memory);
}

#endif  // RDP_TESTS_SUPPORT_FAILING_NEW_H_
