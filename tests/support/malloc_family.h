// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_MALLOC_FAMILY_H_
#define RDP_TESTS_SUPPORT_MALLOC_FAMILY_H_

// The program's own malloc family, which replaces the C library's in every library. It needs glibc,
// and excludes sanitizers, which do the same. Several source files of a program may include it.

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RDP_OWN_MALLOC 1
#else
#define RDP_OWN_MALLOC 0
#endif

namespace malloc_family {

// Called at each allocation with its return address; may be null.
inline std::atomic<void (*)(const void* caller)> counting{nullptr};
// Returns true to make the allocation fail; may be null. Not called by calloc and realloc, which
// C++ does not use.
inline std::atomic<bool (*)(const void* caller)> failing{nullptr};

// True if the code belongs to a library whose path contains `part`.
inline bool is_of(const void* code, const char* part) {
  Dl_info info;
  return dladdr(code, &info) != 0 && info.dli_fname != nullptr &&
         std::strstr(info.dli_fname, part) != nullptr;
}
// Library and offset of the code, for addr2line.
inline std::string place_of(const void* code) {
  Dl_info info;
  if (code == nullptr || dladdr(code, &info) == 0 || info.dli_fname == nullptr) return "nowhere";
  char text[32];
  std::snprintf(text, sizeof text, "+0x%tx",
                static_cast<const char*>(code) - static_cast<const char*>(info.dli_fbase));
  return std::string(info.dli_fname) + text;
}
// True if the code is in the plugin or the metadata library. There only the C++ runtime calls
// malloc, for operator new and exceptions; g_try_malloc returns from malloc to its own caller.
inline bool is_of_product(const void* code) {
  return is_of(code, "/libgstrdpsegment") || is_of(code, "/libgstrdpmcap");
}

inline void count(const void* caller) {
  if (auto* const told = counting.load(std::memory_order_relaxed)) told(caller);
}
inline bool fails(const void* caller) {
  auto* const asked = failing.load(std::memory_order_relaxed);
  return asked != nullptr && asked(caller);
}

}  // namespace malloc_family

#if RDP_OWN_MALLOC
#include <malloc.h>
// Included before the definitions: clang's mm_malloc.h declares posix_memalign without noexcept,
// which is an error after them.
#if defined(__SSE__)
#include <mm_malloc.h>
#endif

// Weak, because several source files may define it; noexcept, as in the C library's declarations.
#define RDP_MALLOC_FAMILY __attribute__((weak, visibility("default"), noinline))
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

RDP_MALLOC_FAMILY void* malloc(std::size_t size) noexcept {
  const void* caller = __builtin_return_address(0);
  malloc_family::count(caller);
  return malloc_family::fails(caller) ? nullptr : __libc_malloc(size);
}
RDP_MALLOC_FAMILY void* calloc(std::size_t count, std::size_t size) noexcept {
  malloc_family::count(__builtin_return_address(0));
  return __libc_calloc(count, size);
}
RDP_MALLOC_FAMILY void* realloc(void* pointer, std::size_t size) noexcept {
  malloc_family::count(__builtin_return_address(0));
  return __libc_realloc(pointer, size);
}
RDP_MALLOC_FAMILY void* memalign(std::size_t alignment, std::size_t size) noexcept {
  const void* caller = __builtin_return_address(0);
  malloc_family::count(caller);
  return malloc_family::fails(caller) ? nullptr : __libc_memalign(alignment, size);
}
RDP_MALLOC_FAMILY void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  const void* caller = __builtin_return_address(0);
  malloc_family::count(caller);
  return malloc_family::fails(caller) ? nullptr : __libc_memalign(alignment, size);
}
RDP_MALLOC_FAMILY int posix_memalign(void** pointer, std::size_t alignment,
                                     std::size_t size) noexcept {
  const void* caller = __builtin_return_address(0);
  malloc_family::count(caller);
  *pointer = malloc_family::fails(caller) ? nullptr : __libc_memalign(alignment, size);
  return *pointer == nullptr ? ENOMEM : 0;
}
}
#endif

#endif  // RDP_TESTS_SUPPORT_MALLOC_FAMILY_H_
