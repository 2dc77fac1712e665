// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_WARP_CUH_
#define RDP_KERNELS_PRIMITIVES_WARP_CUH_

#include <cstring>
#include <type_traits>

namespace rdp::cuda {

constexpr unsigned kAll = 0xFFFFFFFFU;

// Reductions over a whole warp, in every thread. From compute capability 8.0 they are one
// instruction.
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ int warp_max(int v) { return __reduce_max_sync(kAll, v); }
__device__ __forceinline__ int warp_min(int v) { return __reduce_min_sync(kAll, v); }
__device__ __forceinline__ unsigned warp_sum(unsigned v) { return __reduce_add_sync(kAll, v); }
#else
__device__ __forceinline__ int warp_max(int v) {
  for (int i = 16; i > 0; i /= 2) v = max(v, __shfl_xor_sync(kAll, v, i));
  return v;
}
__device__ __forceinline__ int warp_min(int v) {
  for (int i = 16; i > 0; i /= 2) v = min(v, __shfl_xor_sync(kAll, v, i));
  return v;
}
__device__ __forceinline__ unsigned warp_sum(unsigned v) {
  for (int i = 16; i > 0; i /= 2) v += __shfl_xor_sync(kAll, v, i);
  return v;
}
#endif

// The smallest and the largest of all numbers, which may need all bits.
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ unsigned warp_min_unsigned(unsigned v) {
  return __reduce_min_sync(kAll, v);
}
__device__ __forceinline__ unsigned warp_max_unsigned(unsigned v) {
  return __reduce_max_sync(kAll, v);
}
#else
__device__ __forceinline__ unsigned warp_min_unsigned(unsigned v) {
  for (int i = 16; i > 0; i /= 2) v = min(v, __shfl_xor_sync(kAll, v, i));
  return v;
}
__device__ __forceinline__ unsigned warp_max_unsigned(unsigned v) {
  for (int i = 16; i > 0; i /= 2) v = max(v, __shfl_xor_sync(kAll, v, i));
  return v;
}
#endif

// The value of the thread `source`, of any type that is made of 32-bit words.
template <typename T>
__device__ __forceinline__ T warp_shuffle(const T& v, int source) {
  static_assert(sizeof(T) % 4 == 0 && std::is_trivially_copyable_v<T>);
  unsigned words[sizeof(T) / 4];
  T result;
  memcpy(words, &v, sizeof(T));
#pragma unroll
  for (unsigned& word : words) word = __shfl_sync(kAll, word, source);
  memcpy(&result, words, sizeof(T));
  return result;
}
// The value of the thread `by` lanes before this one; its own if there is none.
template <typename T>
__device__ __forceinline__ T warp_shuffle_up(const T& v, unsigned by) {
  static_assert(sizeof(T) % 4 == 0 && std::is_trivially_copyable_v<T>);
  unsigned words[sizeof(T) / 4];
  T result;
  memcpy(words, &v, sizeof(T));
#pragma unroll
  for (unsigned& word : words) word = __shfl_up_sync(kAll, word, by);
  memcpy(&result, words, sizeof(T));
  return result;
}

// Inclusive prefix sum over the warp.
template <typename T>
__device__ __forceinline__ T warp_inclusive_sum(T v) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 1; i < 32; i *= 2) {
    const T other = warp_shuffle_up(v, static_cast<unsigned>(i));
    if (lane >= i) v = v + other;
  }
  return v;
}

// The value of the nearest of `threads` before this one, or after it; `none` if there is none.
// `threads` is a mask, the same in all of them.
__device__ __forceinline__ int warp_from_before(unsigned threads, int v, int none) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned before = threads & ((1U << lane) - 1);
  const int theirs = __shfl_sync(kAll, v, (31 - __clz(static_cast<int>(before))) & 31);
  return before != 0 ? theirs : none;
}
__device__ __forceinline__ int warp_from_after(unsigned threads, int v, int none) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned after = threads & ~((2U << lane) - 1);
  const int theirs = __shfl_sync(kAll, v, (__ffs(static_cast<int>(after)) - 1) & 31);
  return after != 0 ? theirs : none;
}

// All bits from `n` on; none when n is 32 or more.
__device__ __forceinline__ unsigned bits_from(int n) { return __funnelshift_lc(0U, kAll, n); }

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_WARP_CUH_
