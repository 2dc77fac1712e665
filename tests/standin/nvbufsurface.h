// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_NVBUFSURFACE_H_
#define RDP_TESTS_STANDIN_NVBUFSURFACE_H_

#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>

// Use and control of the stand-in for libnvbufsurface by tests. If available() is false, nothing
// else may be called.
namespace standin_nvmm {

template <typename Function>
Function* find(const char* name) {
  static void* library = dlopen("libnvbufsurface.so.1.0.0", RTLD_LAZY);
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

template <typename Function>
Function& need(const char* name) {
  Function* function = find<Function>(name);
  if (function == nullptr) std::abort();
  return *function;
}

inline bool available() { return find<int(const char*)>("standin_nvmm_count") != nullptr; }

// Number of calls of a function.
inline int count(const char* function) {
  return need<int(const char*)>("standin_nvmm_count")(function);
}

// The nth call of a function from now on (1: the next one) fails; 0 cancels the injection.
inline void inject(const char* function, int nth) {
  need<void(const char*, int)>("standin_nvmm_fail")(function, nth);
}

// Number of live "surfaces", EGL "images" and CPU "maps"; "early": images destroyed while CUDA had
// them registered.
inline int live(const char* kind) { return need<int(const char*)>("standin_nvmm_live")(kind); }

// The memory of a surface.
inline void* data(void* surface, int index) {
  return need<void*(void*, int)>("standin_nvmm_data")(surface, index);
}

// Sizes of NvBufSurface and NvBufSurfaceParams in the header generation of this build, in bytes.
inline std::size_t surface_size() { return need<std::size_t(int)>("standin_nvmm_size")(0); }
inline std::size_t params_size() { return need<std::size_t(int)>("standin_nvmm_size")(1); }

}  // namespace standin_nvmm

#endif  // RDP_TESTS_STANDIN_NVBUFSURFACE_H_
