// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_library.h"

#include <dlfcn.h>

#include "common/boundary.h"

namespace rdp::gst::nvmm {
namespace {

struct Loaded {
  Library functions;
  bool usable = false;
  std::string reason;
};

// The last path is for a DeepStream that was unpacked but not installed: the loader does not search
// there.
constexpr const char* kNames[] = {
    "libnvbufsurface.so.1.0.0",
    "libnvbufsurface.so",
    "/opt/nvidia/deepstream/deepstream/lib/libnvbufsurface.so",
};

// Never unloaded: it starts threads, and its surfaces live until the process ends.
Loaded load() {
  Loaded loaded;
  void* library = nullptr;
  for (const char* name : kNames) {
    library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library != nullptr) break;
    // Keep the first message: it is about the usual name.
    const char* error = dlerror();
    if (loaded.reason.empty()) {
      loaded.reason = "no NVIDIA buffer library (JetPack and DeepStream have it): " +
                      std::string(error == nullptr ? name : error);
    }
  }
  if (library == nullptr) return loaded;
#define RDP_NVMM_LOAD(name, ...)                                                              \
  loaded.functions.name = reinterpret_cast<Library::name##_function*>(dlsym(library, #name)); \
  if (loaded.functions.name == nullptr) {                                                     \
    loaded.reason = "NVIDIA's buffer library (libnvbufsurface) has no " #name;                \
    return loaded;                                                                            \
  }
  RDP_NVMM_FUNCTIONS(RDP_NVMM_LOAD)
#undef RDP_NVMM_LOAD
  // This function was introduced with the larger structures.
  const bool extended = dlsym(library, "NvBufSurfaceMapCudaBuffer") != nullptr;
  loaded.functions.layout = extended ? kExtendedLayout : kClassicLayout;
  loaded.usable = true;
  loaded.reason.clear();
  return loaded;
}

}  // namespace

const Library* library(std::string* reason) noexcept {
  return contain(
      [&]() -> const Library* {
        static const Loaded loaded = load();
        if (loaded.usable) return &loaded.functions;
        give_reason(reason, loaded.reason.c_str());
        return nullptr;
      },
      [&](const char* failure) -> const Library* {  // the next call tries again
        give_reason(reason, failure);
        return nullptr;
      });
}

}  // namespace rdp::gst::nvmm
