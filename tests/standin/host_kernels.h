// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_HOST_KERNELS_H_
#define RDP_TESTS_STANDIN_HOST_KERNELS_H_

#include <cstddef>

// Host replacement of a kernel in the stand-in driver: the same operation by common/ on host
// memory. `arguments` is the kernel's argument structure.
using HostKernel = void (*)(const void* arguments);

// The current launch, for implementations that need its shape.
struct KernelLaunch {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
};
const KernelLaunch& current_launch();

// For kernels that write to the host's memory: counts the bytes as a copy from the device.
void count_copied_to_host(std::size_t bytes);

// The host implementation of a kernel of kernels/ (nullable: no such name).
HostKernel find_host_kernel(const char* name);

#endif  // RDP_TESTS_STANDIN_HOST_KERNELS_H_
