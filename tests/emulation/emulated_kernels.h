// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_EMULATED_KERNELS_H_
#define RDP_TESTS_EMULATION_EMULATED_KERNELS_H_

#include "tests/emulation/cuda_emulation.h"
#include "tests/standin/host_kernels.h"

// Registers kernels by name with the stand-in driver. A file of tests/emulation/kernels includes
// this, then a .cu file, and then names its kernels.
namespace emulation {

struct EmulatedKernel {
  EmulatedKernel(const char* its_name, HostKernel its_kernel);
  const char* name;
  HostKernel kernel;
  EmulatedKernel* next;
};

// Runs the driver's current launch of a kernel, which takes one structure by value.
template <typename Arguments>
Arguments argument_of(void (*)(Arguments));
template <auto kKernel>
void launch_emulated(const void* arguments) {
  using Arguments = decltype(argument_of(kKernel));
  const KernelLaunch& launch = current_launch();
  run(
      {{launch.grid[0], launch.grid[1], launch.grid[2]},
       {launch.block[0], launch.block[1], launch.block[2]},
       launch.shared_bytes},
      [](const void* a) { kKernel(*static_cast<const Arguments*>(a)); }, arguments,
      rdp::cuda::memory, kDynamicCapacity);
}

}  // namespace emulation

#define RDP_EMULATED_KERNEL(name)                      \
  static ::emulation::EmulatedKernel emulated_##name { \
#name, ::emulation::launch_emulated < &name>       \
  }

#endif  // RDP_TESTS_EMULATION_EMULATED_KERNELS_H_
