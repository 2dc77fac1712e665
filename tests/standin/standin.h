// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_STANDIN_H_
#define RDP_TESTS_STANDIN_STANDIN_H_

#include <dlfcn.h>

#include <cstdlib>

// Control of the stand-in driver by tests. The same program runs on a real driver, but there
// available() is false and nothing else may be called.
namespace standin {

template <typename Function>
Function* find(const char* name) {
  static void* library = dlopen("libcuda.so.1", RTLD_LAZY);
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

template <typename Function>
Function& need(const char* name) {
  Function* function = find<Function>(name);
  if (function == nullptr) std::abort();
  return *function;
}

inline bool available() { return find<void(const char*, int, int)>("standin_fail") != nullptr; }

// The nth call of an entry point from now on (1: the next one) returns `result` once and does
// nothing else. After a result that a real context does not survive (CUDA_ERROR_ILLEGAL_ADDRESS,
// …), every call in the current context returns it. nth 0 cancels the injection. The environment
// variable STANDIN_FAIL=function:nth:result,… injects from the start.
inline void inject(const char* function, int nth, int result) {
  need<void(const char*, int, int)>("standin_fail")(function, nth, result);
}

// Injects into the nth call of any entry point. A call that only releases something ignores
// `result`, unless a real context does not survive it: that loses the context here, too. Returns
// the calls that the previous injection had left; 0 if it has fired.
inline int inject_any(int nth, int result) {
  return need<int(int, int)>("standin_fail_any")(nth, result);
}

// Number of calls of an entry point; null: of all of them.
inline int count(const char* function) { return need<int(const char*)>("standin_count")(function); }

// Bytes copied so far: "HtoD", "DtoH", "DtoD", "HtoH", or null for the sum.
inline unsigned long long bytes_copied(const char* direction) {
  return need<unsigned long long(const char*)>("standin_bytes_copied")(direction);
}

// Sets the number of devices; STANDIN_DEVICES sets it from the start.
inline void set_devices(int devices) { need<void(int)>("standin_devices")(devices); }

// Sets an extra duration of each kernel (0 at first). It makes this device slower than the CPU on
// any machine, even on an emulated processor.
inline void set_kernel_milliseconds(int milliseconds) {
  need<void(int)>("standin_kernel_milliseconds")(milliseconds);
}

// Makes all existing contexts lost, as a failing kernel does.
inline void lose_contexts(int result) { need<void(int)>("standin_lose_contexts")(result); }

// Number of live objects: "contexts", "streams", "events", "modules", "resources" (registered EGL
// images), "device-memory", "host-memory" or "all". "abandoned": objects destroyed with a context
// that was not lost.
inline int live(const char* kind) { return need<int(const char*)>("standin_live")(kind); }

// A function that returns non-zero while the calling thread is in the stand-in, whose own
// allocations do not count; null on a real driver.
inline int (*inside())() { return find<int()>("standin_inside"); }

}  // namespace standin

#endif  // RDP_TESTS_STANDIN_STANDIN_H_
