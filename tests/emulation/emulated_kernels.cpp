// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include <cstring>

namespace emulation {
namespace {
EmulatedKernel* first_kernel = nullptr;
}

EmulatedKernel::EmulatedKernel(const char* its_name, HostKernel its_kernel)
    : name(its_name), kernel(its_kernel), next(first_kernel) {
  first_kernel = this;
}

}  // namespace emulation

HostKernel find_host_kernel(const char* name) {
  for (const auto* k = emulation::first_kernel; k != nullptr; k = k->next) {
    if (std::strcmp(k->name, name) == 0) return k->kernel;
  }
  return nullptr;
}
