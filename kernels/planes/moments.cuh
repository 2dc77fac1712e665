// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_MOMENTS_CUH_
#define RDP_KERNELS_PLANES_MOMENTS_CUH_

#include <cstdint>

#include "common/planes/moments.h"
#include "kernels/primitives/warp.cuh"

// Sums of points by the threads of a warp and of a block.
namespace rdp::cuda {

constexpr int kMoments = 10;
static_assert(sizeof(planes::Moments) == kMoments * sizeof(std::uint64_t));

__device__ __forceinline__ unsigned long long* numbers_of(planes::Moments* moments) {
  return reinterpret_cast<unsigned long long*>(moments);
}
__device__ __forceinline__ const unsigned long long* numbers_of(const planes::Moments* moments) {
  return reinterpret_cast<const unsigned long long*>(moments);
}

// The sum of numbers of 64 bits, in all threads of the warp.
__device__ __forceinline__ std::uint64_t warp_sum_wide(std::uint64_t v) {
#if __CUDA_ARCH__ >= 800
  // Three sums of 32 bits are instructions of their own.
  const std::uint64_t low = warp_sum(static_cast<unsigned>(v) & 0x3FFFFFU);
  const std::uint64_t middle = warp_sum(static_cast<unsigned>(v >> 22) & 0x1FFFFFU);
  const std::uint64_t high = warp_sum(static_cast<unsigned>(v >> 43));
  return low + (middle << 22) + (high << 43);
#else
  for (int i = 16; i > 0; i /= 2) {
    v += __shfl_xor_sync(kAll, static_cast<unsigned long long>(v), i);
  }
  return v;
#endif
}

// The same of signed numbers below 2^44: two sums of 32 bits.
__device__ __forceinline__ std::uint64_t warp_sum_product(std::int64_t v) {
  const auto low = static_cast<std::int64_t>(warp_sum(static_cast<unsigned>(v) & 0x3FFFFFU));
  const auto high = static_cast<int>(warp_sum(static_cast<unsigned>(v >> 22)));
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(high) * (1 << 22) + low);
}

// A thread's sums of at most two pixels.
struct PixelSums {
  int n = 0;
  std::int32_t x = 0, y = 0, z = 0;
  std::int64_t xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  __device__ __forceinline__ void add(std::int32_t px, std::int32_t py, std::int32_t pz) {
    const std::int64_t wx = px, wy = py, wz = pz;
    ++n;
    x += px;
    y += py;
    z += pz;
    xx += wx * wx;
    xy += wx * wy;
    xz += wx * wz;
    yy += wy * wy;
    yz += wy * wz;
    zz += wz * wz;
  }
};

// In all threads of the warp.
__device__ __forceinline__ planes::Moments warp_total(const PixelSums& s) {
  const auto wide = [](std::int32_t v) {
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<int>(warp_sum(static_cast<unsigned>(v)))));
  };
  planes::Moments m;
  m.n = warp_sum(static_cast<unsigned>(s.n));
  m.sum[0] = wide(s.x);
  m.sum[1] = wide(s.y);
  m.sum[2] = wide(s.z);
  m.products[0] = warp_sum_product(s.xx);
  m.products[1] = warp_sum_product(s.xy);
  m.products[2] = warp_sum_product(s.xz);
  m.products[3] = warp_sum_product(s.yy);
  m.products[4] = warp_sum_product(s.yz);
  m.products[5] = warp_sum_product(s.zz);
  return m;
}

__device__ __forceinline__ planes::Moments warp_total(const planes::Moments& m) {
  planes::Moments total;
  total.n = warp_sum_wide(m.n);
#pragma unroll
  for (int i = 0; i < 3; ++i) total.sum[i] = warp_sum_wide(m.sum[i]);
#pragma unroll
  for (int i = 0; i < 6; ++i) total.products[i] = warp_sum_wide(m.products[i]);
  return total;
}

// Shared memory for the sums of a block's threads, at most 1024.
struct BlockMoments {
  planes::Moments of_warp[32];
  planes::Moments total;
};

// The sum over the block is in shared->total after it, for all threads.
__device__ __forceinline__ void block_total(const planes::Moments& mine, BlockMoments* shared) {
  const planes::Moments of_warp = warp_total(mine);
  if (threadIdx.x % 32 == 0) shared->of_warp[threadIdx.x / 32] = of_warp;
  __syncthreads();
  if (threadIdx.x < kMoments) {
    unsigned long long sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) {
      sum += numbers_of(&shared->of_warp[w])[threadIdx.x];
    }
    numbers_of(&shared->total)[threadIdx.x] = sum;
  }
  __syncthreads();
}

// planes::statistics_of() by a warp, with the result in all of its threads. Each thread does one of
// the divisions, which a single thread would do one by one. `number`: the moment whose index is the
// thread's lane.
__device__ __forceinline__ planes::Statistics warp_statistics(unsigned long long number) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto of = [number](int i) -> std::uint64_t { return __shfl_sync(kAll, number, i); };
  const std::uint64_t n = of(0);
  const planes::Centre own = planes::centre_of(of(1 + lane % 3), n);
  const int k = lane % 6;
  const int i = k < 3 ? 0 : k < 5 ? 1 : 2;
  const int j = k < 3 ? k : k < 5 ? k - 2 : 2;
  const double covariance = planes::covariance_of(of(4 + k), n, of(1 + i), warp_shuffle(own, i),
                                                  of(1 + j), warp_shuffle(own, j));
  planes::Statistics s;
  s.n = static_cast<double>(static_cast<std::int64_t>(n));
#pragma unroll
  for (int l = 0; l < 3; ++l) s.mean[l] = __shfl_sync(kAll, own.mean, l);
#pragma unroll
  for (int l = 0; l < 6; ++l) s.covariance[l] = __shfl_sync(kAll, covariance, l);
  return s;
}
__device__ __forceinline__ planes::Statistics warp_statistics(const planes::Moments& moments) {
  const unsigned lane = threadIdx.x % 32;
  return warp_statistics(lane < kMoments ? numbers_of(&moments)[lane] : 0ULL);
}

__device__ __forceinline__ void atomic_add(unsigned long long* to, unsigned long long v) {
  atomicAdd(to, v);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_MOMENTS_CUH_
