// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_PAIRS_CUH_
#define RDP_KERNELS_PRIMITIVES_PAIRS_CUH_

#include <cstdint>

// Pairs of numbers below 0x7C00, in the halves of a word. Words add and subtract both halves at
// once, as long as no result is negative.
namespace rdp::cuda {

// The smaller number of each half: one instruction from compute capability 9.0 on, except 11.0, for
// which ptxas makes many. 8.x and 11.0 take the half-precision minimum, as non-negative floats sort
// like their bits. Older devices select by a difference.
__device__ __forceinline__ std::uint32_t smaller_pair(std::uint32_t a, std::uint32_t b) {
#if __CUDA_ARCH__ >= 800 && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ == 1100)
  std::uint32_t result;
  asm("min.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
#elif __CUDA_ARCH__ >= 800
  return __vminu2(a, b);
#else
  const std::uint32_t is_b = ((a | 0x80008000U) - b) & 0x80008000U;  // of each half
  const std::uint32_t mask = is_b - (is_b >> 15);
  return (b & mask) | (a & ~mask);
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

// The smallest of three, for each half.
__device__ __forceinline__ std::uint32_t smallest_pair(std::uint32_t a, std::uint32_t b,
                                                       std::uint32_t c) {
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ != 1100
  return __vimin3_u16x2(a, b, c);
#else
  return smaller_pair(smaller_pair(a, b), c);
#endif
}

// The number in both halves.
__device__ __forceinline__ std::uint32_t both_halves(std::uint32_t v) { return v * 0x10001U; }

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_PAIRS_CUH_
