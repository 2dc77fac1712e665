// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_GRID_ORDER_CUH_
#define RDP_KERNELS_PRIMITIVES_GRID_ORDER_CUH_

namespace rdp::cuda {

// Waits until the previous kernel has ended and its writes can be read. Then lets the next kernel
// start, which does the same. So a kernel is already on the device when it is needed. If the
// previous kernel had ended before the start, there is no wait.
__device__ __forceinline__ void pdl_wait_and_trigger() {
#if __CUDA_ARCH__ >= 900 && !defined(RDP_EMULATED)
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Lets the next kernel start, if it waits itself, as soon as all blocks have called this. For
// kernels that do not wait.
__device__ __forceinline__ void pdl_trigger() {
#if __CUDA_ARCH__ >= 900 && !defined(RDP_EMULATED)
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_GRID_ORDER_CUH_
