// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_ENERGY_H_
#define RDP_TESTS_BENCH_GPU_ENERGY_H_

#include <cstdio>

#include "kernels/runtime/context.h"
#include "tests/bench/energy.h"

namespace rdp::bench {

// The energy counter of the GPU with the current context.
inline FoundCounter current_gpu_energy() {
  char bus[32] = "";
  std::snprintf(
      bus, sizeof bus, "%08x:%02x:%02x.0",
      static_cast<unsigned>(cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID)),
      static_cast<unsigned>(cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)),
      static_cast<unsigned>(cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID)));
  return gpu_energy(bus);
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_ENERGY_H_
