// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_FIBER_H_
#define RDP_TESTS_EMULATION_FIBER_H_

#include <cstddef>

// How to go from stack to stack: in a few instructions where they are written down here, else with
// the C library, which asks the system each time.
#if !defined(RDP_EMULATION_UCONTEXT)
#if defined(__x86_64__) || defined(__aarch64__)
#define RDP_EMULATION_UCONTEXT 0
#else
#define RDP_EMULATION_UCONTEXT 1
#endif
#endif
#if RDP_EMULATION_UCONTEXT
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define RDP_EMULATION_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RDP_EMULATION_ASAN 1
#endif
#endif
#ifndef RDP_EMULATION_ASAN
#define RDP_EMULATION_ASAN 0
#endif

namespace emulation {

// A stack that the process's only thread can go over to.
struct Fiber {
#if RDP_EMULATION_UCONTEXT
  ucontext_t context;
#else
  void* stack_pointer = nullptr;
#endif
  // For the address sanitizer.
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake_stack = nullptr;
};

// Makes a fiber that begins with `entry`, which does not return, on `size` bytes at `bottom`.
void prepare(Fiber* fiber, unsigned char* bottom, std::size_t size, void (*entry)());

// Goes on with `to`. Returns when somebody goes back to `from`; never where `last`.
void go_over(Fiber* from, Fiber* to, bool last = false);

// First thing in `entry`. `creator` is the fiber that runs on the thread's own stack.
void arrived(Fiber* self, Fiber* creator);

// Memory for `count` stacks of `size` bytes, each with a page below it that nobody may touch.
// Returns the first; the next begins size bytes later. Never freed.
unsigned char* make_stacks(std::size_t count, std::size_t size);

}  // namespace emulation

#endif  // RDP_TESTS_EMULATION_FIBER_H_
