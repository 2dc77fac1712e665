// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_HOST_KERNELS_H_
#define RDP_TESTS_STANDIN_HOST_KERNELS_H_

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

// The implementation of a kernel of kernels/, null where there is none of this name.
HostKernel find_host_kernel(const char* name);

#endif  // RDP_TESTS_STANDIN_HOST_KERNELS_H_
