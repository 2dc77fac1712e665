// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_GRID_ORDER_CUH_
#define RDP_KERNELS_PRIMITIVES_GRID_ORDER_CUH_

namespace rdp::cuda {

// Waits until the kernel before this one has ended and what it wrote can be read; then lets the
// next one start, which does the same. So a kernel is on the device already when it is needed. A
// kernel that was started after the one before it had ended waits for nothing.
__device__ __forceinline__ void pdl_wait_and_trigger() {
#if __CUDA_ARCH__ >= 900 && !defined(RDP_EMULATED)
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Lets the next kernel start, if it is one that waits, as soon as all blocks have got here: for
// kernels that do not wait themselves.
__device__ __forceinline__ void pdl_trigger() {
#if __CUDA_ARCH__ >= 900 && !defined(RDP_EMULATED)
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_GRID_ORDER_CUH_
