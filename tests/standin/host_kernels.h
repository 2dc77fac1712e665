// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_HOST_KERNELS_H_
#define RDP_TESTS_STANDIN_HOST_KERNELS_H_

#include <cstddef>

// What the stand-in for the CUDA driver runs in place of a kernel: the same operation by common/ on
// host memory. `arguments` is the structure that the kernel takes.
using HostKernel = void (*)(const void* arguments);

// The launch at hand, for implementations that need its shape.
struct KernelLaunch {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
};
const KernelLaunch& current_launch();

// For kernels that write to the host's memory: counts the bytes as a copy from the device.
void count_copied_to_host(std::size_t bytes);

// The implementation of a kernel of kernels/, null where there is none of this name.
HostKernel find_host_kernel(const char* name);

#endif  // RDP_TESTS_STANDIN_HOST_KERNELS_H_
