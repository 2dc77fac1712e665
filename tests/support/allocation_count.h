// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_
#define RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_

// Counts every allocation of the process, in any library. malloc_family.h names the exceptions.

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
// While true, the callers of the last counted allocation are kept, innermost first, and allocations
// in the CUDA driver's own threads are not counted. Both take time.
inline std::atomic<bool> looks_at_callers{false};
inline void* callers[12];
inline std::atomic<int> depth{0};
// Returns non-zero if allocations of the calling thread must not be counted; may be null.
inline std::atomic<int (*)()> not_counted{nullptr};

// Guards against recursion, because the first call of not_counted in a thread may allocate. The C
// library creates a library's thread-local variables on first use; those of the program itself, as
// this one, exist already.
inline thread_local bool asking = false;

// Keeps the callers. False in a thread of the CUDA driver, which allocates at any time. The driver
// is then the third frame from the end, before the two that start a thread.
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
// Calls backtrace() early, because the first call loads a library.
inline const bool counts = (depth = backtrace(callers, 1), malloc_family::counting = note, true);

// The callers as library and offset, for addr2line.
inline std::string last() {
  std::string text;
  for (int i = 0; i < depth; ++i) text += " " + malloc_family::place_of(callers[i]);
  return text;
}
}  // namespace allocation_count

#endif  // RDP_TESTS_SUPPORT_ALLOCATION_COUNT_H_
