// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_CUDA_EMULATION_H_
#define RDP_TESTS_EMULATION_CUDA_EMULATION_H_

// Definitions for compiling a .cu file of kernels/ with a C++ compiler: include this first. They
// cover only the CUDA functions that the kernels use. The build defines __CUDA_ARCH__, by which
// kernels select their code.
#define RDP_EMULATED 1

#include <math.h>
#include <stdlib.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tests/emulation/block.h"
#include "tests/emulation/cuda_vectors.h"

#define __host__
#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
// All threads of a block are fibers of one OS thread, so they share one object. Unlike `static`,
// thread_local can follow `extern`.
#define __shared__ thread_local

#define threadIdx ::emulation::thread_index
#define blockIdx ::emulation::block_index
#define blockDim ::emulation::block_size
#define gridDim ::emulation::grid_size

inline constexpr int warpSize = 32;

// Kernels name their dynamic shared memory `memory`, in a function of the namespace below.
namespace emulation {
inline constexpr unsigned kDynamicCapacity = 227 * 1024 + 4096;
}
namespace rdp::cuda {
namespace {
[[maybe_unused]] alignas(1024) thread_local unsigned char memory[emulation::kDynamicCapacity];
}
}  // namespace rdp::cuda

// --- threads of a warp and of a block together ---

// Call site, as the last parameters of each function.
#define RDP_EMULATION_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define RDP_EMULATION_SITE \
  ::emulation::Site { file, line }

namespace emulation {

template <typename T>
std::uint64_t bits_of(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T>
T value_of(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

template <typename T>
T shuffle(Together what, unsigned mask, T value, unsigned source, Site site) {
  return value_of<T>(meet_warp(what, mask, bits_of(value), source, site));
}

template <typename T>
T reduce(Together what, unsigned mask, T value, Site site) {
  static_assert(sizeof(T) == 4 && std::is_integral_v<T>);
  return value_of<T>(meet_warp(what, mask, bits_of(value), 0, site));
}

}  // namespace emulation

template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, RDP_EMULATION_HERE) {
  const unsigned lane = emulation::lane();
  const unsigned w = static_cast<unsigned>(width);
  return emulation::shuffle(emulation::Together::kShuffle, mask, value,
                            (lane & ~(w - 1)) | (static_cast<unsigned>(source) & (w - 1)),
                            RDP_EMULATION_SITE);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, RDP_EMULATION_HERE) {
  const unsigned lane = emulation::lane();
  const unsigned place = lane & (static_cast<unsigned>(width) - 1);
  return emulation::shuffle(emulation::Together::kShuffleUp, mask, value,
                            by <= place ? lane - by : lane, RDP_EMULATION_SITE);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, RDP_EMULATION_HERE) {
  const unsigned lane = emulation::lane();
  const unsigned w = static_cast<unsigned>(width);
  return emulation::shuffle(emulation::Together::kShuffleDown, mask, value,
                            by < w && (lane & (w - 1)) + by < w ? lane + by : lane,
                            RDP_EMULATION_SITE);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32, RDP_EMULATION_HERE) {
  const unsigned lane = emulation::lane();
  const unsigned other = lane ^ static_cast<unsigned>(with);
  const unsigned end = (lane & ~(static_cast<unsigned>(width) - 1)) + static_cast<unsigned>(width);
  return emulation::shuffle(emulation::Together::kShuffleXor, mask, value,
                            other < end ? other : lane, RDP_EMULATION_SITE);
}
inline unsigned __ballot_sync(unsigned mask, bool is, RDP_EMULATION_HERE) {
  return static_cast<unsigned>(
      emulation::meet_warp(emulation::Together::kBallot, mask, is, 0, RDP_EMULATION_SITE));
}
inline int __any_sync(unsigned mask, bool is, RDP_EMULATION_HERE) {
  return static_cast<int>(
      emulation::meet_warp(emulation::Together::kAny, mask, is, 0, RDP_EMULATION_SITE));
}
inline int __all_sync(unsigned mask, bool is, RDP_EMULATION_HERE) {
  return static_cast<int>(
      emulation::meet_warp(emulation::Together::kAll, mask, is, 0, RDP_EMULATION_SITE));
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFFU, RDP_EMULATION_HERE) {
  emulation::meet_warp(emulation::Together::kSyncWarp, mask, 0, 0, RDP_EMULATION_SITE);
}
template <typename T>
unsigned __match_any_sync(unsigned mask, T value, RDP_EMULATION_HERE) {
  return static_cast<unsigned>(emulation::meet_warp(
      emulation::Together::kMatchAny, mask, emulation::bits_of(value), 0, RDP_EMULATION_SITE));
}
inline void __syncthreads(RDP_EMULATION_HERE) {
  emulation::meet_block(emulation::Together::kSyncThreads, 0, RDP_EMULATION_SITE);
}
inline int __syncthreads_or(int is, RDP_EMULATION_HERE) {
  return emulation::meet_block(emulation::Together::kSyncThreadsOr, is, RDP_EMULATION_SITE);
}
inline int __syncthreads_and(int is, RDP_EMULATION_HERE) {
  return emulation::meet_block(emulation::Together::kSyncThreadsAnd, is, RDP_EMULATION_SITE);
}
inline int __syncthreads_count(int is, RDP_EMULATION_HERE) {
  return emulation::meet_block(emulation::Together::kSyncThreadsCount, is, RDP_EMULATION_SITE);
}
inline void __nanosleep(unsigned, RDP_EMULATION_HERE) { emulation::pause(RDP_EMULATION_SITE); }

// Requires compute capability 8.0.
#if __CUDA_ARCH__ >= 800
#define RDP_EMULATION_REDUCE(name, type, what)                                            \
  inline type name(unsigned mask, type value, RDP_EMULATION_HERE) {                       \
    return emulation::reduce(emulation::Together::what, mask, value, RDP_EMULATION_SITE); \
  }
RDP_EMULATION_REDUCE(__reduce_add_sync, int, kAdd)
RDP_EMULATION_REDUCE(__reduce_add_sync, unsigned, kAdd)
RDP_EMULATION_REDUCE(__reduce_min_sync, int, kMinSigned)
RDP_EMULATION_REDUCE(__reduce_min_sync, unsigned, kMinUnsigned)
RDP_EMULATION_REDUCE(__reduce_max_sync, int, kMaxSigned)
RDP_EMULATION_REDUCE(__reduce_max_sync, unsigned, kMaxUnsigned)
RDP_EMULATION_REDUCE(__reduce_and_sync, unsigned, kAnd)
RDP_EMULATION_REDUCE(__reduce_or_sync, unsigned, kOr)
RDP_EMULATION_REDUCE(__reduce_xor_sync, unsigned, kXor)
#undef RDP_EMULATION_REDUCE
#endif

inline void __threadfence() {}
inline void __threadfence_block() {}

// --- memory ---

template <typename T>
T __ldg(const T* from, RDP_EMULATION_HERE) {
  if (reinterpret_cast<std::uintptr_t>(from) % alignof(T) != 0) {
    emulation::defect(RDP_EMULATION_SITE, "__ldg of %zu bytes at %p, which is not aligned to %zu",
                      sizeof(T), static_cast<const void*>(from), alignof(T));
  }
  return *from;
}

// Addresses within the dynamic shared memory.
inline std::size_t __cvta_generic_to_shared(const void* p) {
  return static_cast<std::size_t>(static_cast<const unsigned char*>(p) -
                                  emulation::dynamic_memory());
}
inline void* __cvta_shared_to_generic(std::size_t at) { return emulation::dynamic_memory() + at; }

#define RDP_EMULATION_ATOMIC(name, expression)              \
  template <typename T>                                     \
  T name(T* place, std::type_identity_t<T> value) {         \
    emulation::before_atomic();                             \
    const T old = *place;                                   \
    *place = (expression);                                  \
    if (*place != old) emulation::after_change();           \
    return old;                                             \
  }                                                         \
  template <typename T>                                     \
  T name##_block(T* place, std::type_identity_t<T> value) { \
    return name(place, value);                              \
  }
RDP_EMULATION_ATOMIC(atomicAdd, old + value)
RDP_EMULATION_ATOMIC(atomicSub, old - value)
RDP_EMULATION_ATOMIC(atomicOr, old | value)
RDP_EMULATION_ATOMIC(atomicAnd, old& value)
RDP_EMULATION_ATOMIC(atomicXor, old ^ value)
RDP_EMULATION_ATOMIC(atomicMax, old < value ? value : old)
RDP_EMULATION_ATOMIC(atomicMin, value < old ? value : old)
RDP_EMULATION_ATOMIC(atomicExch, value)
#undef RDP_EMULATION_ATOMIC
template <typename T>
T atomicCAS(T* place, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  emulation::before_atomic();
  const T old = *place;
  if (old == expected) *place = value;
  if (*place != old) emulation::after_change();
  return old;
}

// --- arithmetic ---

#define RDP_EMULATION_MIN_MAX(A, B, R)                                                    \
  constexpr R min(A a, B b) {                                                             \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }                                                                                       \
  constexpr R max(A a, B b) {                                                             \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); \
  }
RDP_EMULATION_MIN_MAX(int, int, int)
RDP_EMULATION_MIN_MAX(unsigned, unsigned, unsigned)
RDP_EMULATION_MIN_MAX(int, unsigned, unsigned)
RDP_EMULATION_MIN_MAX(unsigned, int, unsigned)
RDP_EMULATION_MIN_MAX(long, long, long)
RDP_EMULATION_MIN_MAX(unsigned long, unsigned long, unsigned long)
RDP_EMULATION_MIN_MAX(long, unsigned long, unsigned long)
RDP_EMULATION_MIN_MAX(unsigned long, long, unsigned long)
RDP_EMULATION_MIN_MAX(long long, long long, long long)
RDP_EMULATION_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
RDP_EMULATION_MIN_MAX(long long, unsigned long long, unsigned long long)
RDP_EMULATION_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef RDP_EMULATION_MIN_MAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }

inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline int __clz(int v) { return std::countl_zero(static_cast<unsigned>(v)); }
inline int __clzll(long long v) { return std::countl_zero(static_cast<unsigned long long>(v)); }
inline int __popc(unsigned v) { return std::popcount(v); }
inline int __popcll(unsigned long long v) { return std::popcount(v); }
inline unsigned __brev(unsigned v) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i) result |= (v >> i & 1) << (31 - i);
  return result;
}
inline int __float_as_int(float v) { return std::bit_cast<int>(v); }
inline unsigned __float_as_uint(float v) { return std::bit_cast<unsigned>(v); }
inline float __int_as_float(int v) { return std::bit_cast<float>(v); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __uint_as_float(unsigned v) { return std::bit_cast<float>(v); }

inline unsigned long long emulation_both(unsigned low, unsigned high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(emulation_both(low, high) << (by & 31) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(emulation_both(low, high) << (by < 32 ? by : 32) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(emulation_both(low, high) >> (by & 31));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(emulation_both(low, high) >> (by < 32 ? by : 32));
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const unsigned long long both = emulation_both(low, high);
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> 4 * i & 15;
    unsigned byte = static_cast<unsigned>(both >> 8 * (nibble & 7)) & 0xFF;
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
    result |= byte << 8 * i;
  }
  return result;
}

// Dot product of a word's two 16-bit halves and the two lower bytes of another, plus `sum`.
inline unsigned __dp2a_lo(unsigned halves, unsigned bytes, unsigned sum) {
  return sum + (halves & 0xFFFFU) * (bytes & 0xFFU) + (halves >> 16) * (bytes >> 8 & 0xFFU);
}

// SIMD operations on both 16-bit halves of a word.
#define RDP_EMULATION_HALVES(name, type, expression)                            \
  inline unsigned name(unsigned a2, unsigned b2) {                              \
    unsigned result = 0;                                                        \
    for (int i = 0; i < 32; i += 16) {                                          \
      const int a = static_cast<type>(a2 >> i), b = static_cast<type>(b2 >> i); \
      result |= (static_cast<unsigned>(expression) & 0xFFFFU) << i;             \
    }                                                                           \
    return result;                                                              \
  }
RDP_EMULATION_HALVES(__vminu2, std::uint16_t, a < b ? a : b)
RDP_EMULATION_HALVES(__vmaxu2, std::uint16_t, a < b ? b : a)
RDP_EMULATION_HALVES(__vmins2, std::int16_t, a < b ? a : b)
RDP_EMULATION_HALVES(__vmaxs2, std::int16_t, a < b ? b : a)
RDP_EMULATION_HALVES(__vadd2, std::uint16_t, a + b)
RDP_EMULATION_HALVES(__vsub2, std::uint16_t, a - b)
RDP_EMULATION_HALVES(__vabsdiffu2, std::uint16_t, a < b ? b - a : a - b)
RDP_EMULATION_HALVES(__vcmpeq2, std::uint16_t, a == b ? 0xFFFF : 0)
RDP_EMULATION_HALVES(__vcmpne2, std::uint16_t, a != b ? 0xFFFF : 0)
RDP_EMULATION_HALVES(__vcmpgtu2, std::uint16_t, a > b ? 0xFFFF : 0)
RDP_EMULATION_HALVES(__vcmpgeu2, std::uint16_t, a >= b ? 0xFFFF : 0)
RDP_EMULATION_HALVES(__vcmpltu2, std::uint16_t, a < b ? 0xFFFF : 0)
RDP_EMULATION_HALVES(__vcmpleu2, std::uint16_t, a <= b ? 0xFFFF : 0)
#undef RDP_EMULATION_HALVES
inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
  return __vminu2(__vadd2(a, b), c);
}
inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) {
  return __vminu2(__vminu2(a, b), c);
}

#endif  // RDP_TESTS_EMULATION_CUDA_EMULATION_H_
