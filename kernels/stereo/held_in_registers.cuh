// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_HELD_IN_REGISTERS_CUH_
#define RDP_KERNELS_STEREO_HELD_IN_REGISTERS_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {

// The thread's own number, by way of the warp: so the compiler does not know any more where it
// comes from, and keeps it in a register where it would otherwise make it again in every step of a
// loop. All threads of the warp take part.
__device__ __forceinline__ std::uint32_t opaque(std::uint32_t v) {
  return __shfl_sync(kAll, v, static_cast<int>(threadIdx.x % 32));
}
// An address that is made before a loop, not partly in it.
template <typename T>
__device__ __forceinline__ T* as_one(T* address) {
#ifndef RDP_EMULATED
  asm volatile("" : "+l"(address));
#endif
  return address;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_HELD_IN_REGISTERS_CUH_
