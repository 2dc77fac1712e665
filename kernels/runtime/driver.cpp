// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/runtime/driver.h"

#include <dlfcn.h>

#include <atomic>
#include <mutex>

#include "common/boundary.h"
#include "kernels/runtime/cuda_error.h"

namespace rdp::cuda {
namespace {

struct Loaded {
  Driver functions;
  bool complete = false;  // has every function that is needed
  std::string reason;     // why not
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
  loaded.complete = true;
  return loaded;
}

// Not a constant object: tests that watch or fail calls of the driver write wrappers of their own
// into its table, which a constant could not be. Nothing else writes to it.
const Loaded& loaded_driver() {
  static Loaded loaded = load();
  return loaded;
}

// Initialises the driver. Only success is remembered. A failure can pass: memory was short, or a
// service of the driver was not up yet. So each call after a failure asks again.
bool initialize(const Driver& functions, std::string* reason) {
  static std::mutex mutex;
  static std::atomic<bool> initialized{false};
  if (initialized) return true;
  const std::lock_guard lock(mutex);
  if (initialized) return true;
  const CUresult result = functions.cuInit(0);
  if (result != CUDA_SUCCESS) {
    const std::string text = "the NVIDIA driver does not start: cuInit says " + error_name(result);
    give_reason(reason, text.c_str());
    return false;
  }
  initialized = true;
  return true;
}

}  // namespace

const Driver* load_driver(std::string* reason) noexcept {
  return contain(
      [&]() -> const Driver* {
        const Loaded& loaded = loaded_driver();
        if (!loaded.complete) {
          give_reason(reason, loaded.reason.c_str());
          return nullptr;
        }
        return initialize(loaded.functions, reason) ? &loaded.functions : nullptr;
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
    : GpuError(describe(result, doing)), result_(result) {}

}  // namespace rdp::cuda
