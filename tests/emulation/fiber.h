// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_FIBER_H_
#define RDP_TESTS_EMULATION_FIBER_H_

#include <cstddef>

// Switches between stacks: in a few instructions on x86-64 and AArch64, else by the C library,
// which makes a system call each time.
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

// A stack that the process's only thread can switch to.
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

// Switches to `to`. Returns when a fiber switches back to `from`; never if `last`.
void go_over(Fiber* from, Fiber* to, bool last = false);

// Must be the first call in `entry`. `creator` is the fiber that runs on the thread's own stack.
void arrived(Fiber* self, Fiber* creator);

// Allocates `count` stacks of `size` bytes, each with a guard page below it. Returns the first; the
// next begins `size` bytes later. Never freed.
unsigned char* make_stacks(std::size_t count, std::size_t size);

}  // namespace emulation

#endif  // RDP_TESTS_EMULATION_FIBER_H_
