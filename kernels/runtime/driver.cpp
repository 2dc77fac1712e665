// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/runtime/driver.h"

#include <dlfcn.h>

#include "common/boundary.h"
#include "kernels/runtime/cuda_error.h"

namespace rdp::cuda {
namespace {

struct Loaded {
  Driver functions;
  bool usable = false;
  std::string reason;
};

// Never unloaded: contexts, and threads of the driver, live until the process ends.
Loaded load() {
  Loaded loaded;
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    const char* error = dlerror();
    loaded.reason = "no NVIDIA driver: " + std::string(error == nullptr ? "libcuda.so.1" : error);
    return loaded;
  }
#define RDP_CUDA_DRIVER_LOAD(name, ...)                                                      \
  loaded.functions.name = reinterpret_cast<Driver::name##_function*>(dlsym(library, #name)); \
  if (loaded.functions.name == nullptr) {                                                    \
    loaded.reason = "the NVIDIA driver (libcuda.so.1) is too old: it has no " #name;         \
    return loaded;                                                                           \
  }
  RDP_CUDA_DRIVER_FUNCTIONS(RDP_CUDA_DRIVER_LOAD)
#undef RDP_CUDA_DRIVER_LOAD
#define RDP_CUDA_DRIVER_LOAD(name, ...) \
  loaded.functions.name = reinterpret_cast<Driver::name##_function*>(dlsym(library, #name));
  RDP_CUDA_DRIVER_OPTIONAL_FUNCTIONS(RDP_CUDA_DRIVER_LOAD)
#undef RDP_CUDA_DRIVER_LOAD
  const CUresult result = loaded.functions.cuInit(0);
  if (result != CUDA_SUCCESS) {
    const char* name = nullptr;
    loaded.functions.cuGetErrorName(result, &name);
    loaded.reason = "the NVIDIA driver does not start: cuInit says " +
                    std::string(name == nullptr ? std::to_string(result) : name);
    return loaded;
  }
  loaded.usable = true;
  return loaded;
}

// Not a constant object: tests that watch or fail calls of the driver write wrappers of their own
// into its table, which a constant could not be. Nothing else writes to it.
const Loaded& loaded_driver() {
  static Loaded loaded = load();
  return loaded;
}

}  // namespace

const Driver* load_driver(std::string* reason) noexcept {
  return contain(
      [&]() -> const Driver* {
        const Loaded& loaded = loaded_driver();
        if (loaded.usable) return &loaded.functions;
        give_reason(reason, loaded.reason.c_str());
        return nullptr;
      },
      [&](const char* failure) -> const Driver* {  // the next call tries again
        give_reason(reason, failure);
        return nullptr;
      });
}

const Driver& driver() { return loaded_driver().functions; }

std::string error_name(CUresult result) {
  const char* name = nullptr;
  if (driver().cuGetErrorName != nullptr) driver().cuGetErrorName(result, &name);
  return name == nullptr ? "CUDA error " + std::to_string(result) : name;
}

static std::string describe(CUresult result, const std::string& doing) {
  const char* text = nullptr;
  if (driver().cuGetErrorString != nullptr) driver().cuGetErrorString(result, &text);
  return doing + ": " + error_name(result) +
         (text == nullptr ? std::string() : " (" + std::string(text) + ")");
}

CudaError::CudaError(CUresult result, const std::string& doing)
    : std::runtime_error(describe(result, doing)), result_(result) {}

}  // namespace rdp::cuda
