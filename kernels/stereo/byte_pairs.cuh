// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_BYTE_PAIRS_CUH_
#define RDP_KERNELS_STEREO_BYTE_PAIRS_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"

// Two numbers below 0x7C00 in the halves of a word: sums and differences of them are those of whole
// words, as long as none is negative.
namespace rdp::cuda {

// The smaller ones. From compute capability 9.0 on this is one instruction, but for 11.0, for which
// ptxas makes many. From 8.0 on the minimum of two half-precision numbers is one, and the bits of
// numbers that are not negative have their order.
__device__ __forceinline__ std::uint32_t smaller_pair(std::uint32_t a, std::uint32_t b) {
#if __CUDA_ARCH__ >= 800 && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ == 1100)
  std::uint32_t result;
  asm("min.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
#else
  return __vminu2(a, b);
#endif
}

// smaller_pair(a + b, c).
__device__ __forceinline__ std::uint32_t smaller_of_sum(std::uint32_t a, std::uint32_t b,
                                                        std::uint32_t c) {
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ != 1100
  return __viaddmin_u16x2(a, b, c);
#else
  return smaller_pair(a + b, c);
#endif
}

// The thread's own number, by way of the warp: so the compiler does not know any more where it
// comes from, and keeps it in a register where it would otherwise make it again in every step of a
// loop. All threads of the warp take part.
__device__ __forceinline__ std::uint32_t in_register(std::uint32_t v) {
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

// The number in both halves.
__device__ __forceinline__ std::uint32_t both_halves(std::uint32_t v) { return v * 0x10001U; }

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_BYTE_PAIRS_CUH_
