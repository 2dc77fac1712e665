// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_STANDIN_H_
#define RDP_TESTS_STANDIN_STANDIN_H_

#include <dlfcn.h>

#include <cstdlib>

// How tests steer the stand-in driver. The same program runs on a real one, where available() is
// false and nothing else may be called.
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

// The nth call of an entry point from now on (1: the next one) answers `result` once, and does
// nothing else. A result that a real context does not survive (CUDA_ERROR_ILLEGAL_ADDRESS, …) loses
// the current one: from then on every call in it answers that. nth 0 takes it back. The
// environment variable STANDIN_FAIL=function:nth:result,… does it from the start.
inline void inject(const char* function, int nth, int result) {
  need<void(const char*, int, int)>("standin_fail")(function, nth, result);
}

// The same for the nth call of whichever entry point, those that only let go of something excepted:
// they work, and leave a context that is lost. Returns how many calls were left to go from the last
// time; 0 if it has happened.
inline int inject_any(int nth, int result) {
  return need<int(int, int)>("standin_fail_any")(nth, result);
}

// How often an entry point has been called; null: all of them together.
inline int count(const char* function) { return need<int(const char*)>("standin_count")(function); }

// Bytes copied so far: "HtoD", "DtoH", "DtoD", "HtoH", or null for all of them.
inline unsigned long long bytes_copied(const char* direction) {
  return need<unsigned long long(const char*)>("standin_bytes_copied")(direction);
}

// How many devices there are from now on. From the start: STANDIN_DEVICES.
inline void set_devices(int devices) { need<void(int)>("standin_devices")(devices); }

// How long each kernel takes from now on, beside its work: what makes this device the slower one
// wherever the test runs, an emulated processor included. 0 at first.
inline void set_kernel_milliseconds(int milliseconds) {
  need<void(int)>("standin_kernel_milliseconds")(milliseconds);
}

// Loses all contexts there are, as a kernel that goes wrong does.
inline void lose_contexts(int result) { need<void(int)>("standin_lose_contexts")(result); }

// Objects that have been made and not been destroyed: "contexts", "streams", "events", "modules",
// "resources" (registered EGL images), "device-memory", "host-memory" or "all"; "abandoned": those
// that their context took with it.
inline int live(const char* kind) { return need<int(const char*)>("standin_live")(kind); }

// A function that says whether the calling thread is in the stand-in, whose own allocations do not
// count; null on a real driver.
inline int (*inside())() { return find<int()>("standin_inside"); }

}  // namespace standin

#endif  // RDP_TESTS_STANDIN_STANDIN_H_
