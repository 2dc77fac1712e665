// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_
#define RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_

// Counts every allocation of the process, in whichever library: see malloc_family.h for where it
// does not.

#include <execinfo.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <string>

#include "tests/support/malloc_family.h"

#define RDP_COUNTS_ALLOCATIONS RDP_OWN_MALLOC

namespace allocation_count {
inline std::atomic<std::uint64_t> count{0};
// While this is true, the callers of the last counted one are kept, innermost first. Allocations in
// threads of the CUDA driver's own are not counted then. Both take time.
inline std::atomic<bool> looks_at_callers{false};
inline void* callers[12];
inline std::atomic<int> depth{0};
// Tells that the calling thread is somewhere whose allocations are not counted; may be null.
inline std::atomic<int (*)()> not_counted{nullptr};

// A thread that asks for the first time may need memory to answer: the C library makes a library's
// thread-local variables when they are first used. Not the program's own, as this one.
inline thread_local bool asking = false;

// Keeps the callers. False: they are in a thread that the CUDA driver made for itself, where it
// allocates when it likes. The outermost two start a thread.
inline bool look_at_callers() {
  void* from[std::size(callers)];
  const int length = backtrace(from, static_cast<int>(std::size(from)));
  if (length >= 3 && length < static_cast<int>(std::size(from)) &&
      malloc_family::is_of(from[length - 3], "/libcuda.so")) {
    return false;
  }
  std::copy_n(from, length, callers);
  depth = length;
  return true;
}

inline void note(const void*) {
  if (asking) return;
  int (*const elsewhere)() = not_counted.load(std::memory_order_relaxed);
  asking = true;
  const bool counted = elsewhere == nullptr || elsewhere() == 0;
  if (counted && (!looks_at_callers || look_at_callers())) count++;
  asking = false;
}
// The first backtrace() loads a library.
inline const bool counts = (depth = backtrace(callers, 1), malloc_family::counting = note, true);

// The callers as libraries and places in them, for addr2line.
inline std::string last() {
  std::string text;
  for (int i = 0; i < depth; ++i) text += " " + malloc_family::place_of(callers[i]);
  return text;
}
}  // namespace allocation_count

#endif  // RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_
