// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu/extra_driver.h"

#include <dlfcn.h>

#include <optional>

namespace rdp::test {
namespace {

std::optional<ExtraDriver> load() {
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  ExtraDriver loaded;
#define RDP_EXTRA_DRIVER_LOAD(name, ...)                                                \
  loaded.name = reinterpret_cast<ExtraDriver::name##_function*>(dlsym(library, #name)); \
  if (loaded.name == nullptr) return std::nullopt;
  RDP_EXTRA_DRIVER_FUNCTIONS(RDP_EXTRA_DRIVER_LOAD)
#undef RDP_EXTRA_DRIVER_LOAD
  return loaded;
}

}  // namespace

const ExtraDriver* extra_driver() {
  static const std::optional<ExtraDriver> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace rdp::test
