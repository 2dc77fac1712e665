// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if RDP_EMULATION_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

// Pushes the callee-saved registers, stores the stack pointer in *from, switches to the stack `to`,
// and pops its registers. Kernels change no rounding modes, so these are not saved.
#if RDP_EMULATION_UCONTEXT
#elif defined(__x86_64__)
asm(R"(
.text
.type rdp_emulation_switch, @function
.hidden rdp_emulation_switch
.globl rdp_emulation_switch
rdp_emulation_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size rdp_emulation_switch, .-rdp_emulation_switch
)");
extern "C" void rdp_emulation_switch(void** from, void* to);
#elif defined(__aarch64__)
asm(R"(
.text
.type rdp_emulation_switch, %function
.hidden rdp_emulation_switch
.globl rdp_emulation_switch
rdp_emulation_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size rdp_emulation_switch, .-rdp_emulation_switch
)");
extern "C" void rdp_emulation_switch(void** from, void* to);
#endif

namespace emulation {

void prepare(Fiber* fiber, unsigned char* bottom, std::size_t size, void (*entry)()) {
  fiber->bottom = bottom;
  fiber->size = size;
  fiber->fake_stack = nullptr;
#if RDP_EMULATION_UCONTEXT
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = bottom;
  fiber->context.uc_stack.ss_size = size;
  fiber->context.uc_link = nullptr;
  makecontext(&fiber->context, entry, 0);
#elif defined(__x86_64__)
  auto* top = reinterpret_cast<void**>(bottom + size) - 1;
  top[0] = nullptr;  // return address of the entry: debuggers stop here
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  fiber->stack_pointer = top;
#else
  auto* const top = reinterpret_cast<void**>(bottom + size - 160);
  for (int i = 0; i < 20; ++i) top[i] = nullptr;
  top[11] = reinterpret_cast<void*>(entry);
  fiber->stack_pointer = top;
#endif
}

void go_over(Fiber* from, Fiber* to, [[maybe_unused]] bool last) {
#if RDP_EMULATION_ASAN
  __sanitizer_start_switch_fiber(last ? nullptr : &from->fake_stack, to->bottom, to->size);
#endif
#if RDP_EMULATION_UCONTEXT
  swapcontext(&from->context, &to->context);
#else
  rdp_emulation_switch(&from->stack_pointer, to->stack_pointer);
#endif
#if RDP_EMULATION_ASAN
  __sanitizer_finish_switch_fiber(from->fake_stack, nullptr, nullptr);
#endif
}

void arrived([[maybe_unused]] Fiber* self, [[maybe_unused]] Fiber* creator) {
#if RDP_EMULATION_ASAN
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(self->fake_stack, &bottom, &size);
  // No other source reports the bounds of the thread's own stack.
  if (creator->bottom == nullptr) {
    creator->bottom = bottom;
    creator->size = size;
  }
#endif
}

unsigned char* make_stacks(std::size_t count, std::size_t size) {
  void* const memory = mmap(nullptr, count * size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("emulation: no memory for stacks");
    std::abort();
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const stacks = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < count; ++i) mprotect(stacks + i * size, page, PROT_NONE);
  return stacks;
}

}  // namespace emulation
