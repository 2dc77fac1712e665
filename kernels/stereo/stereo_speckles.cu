// SPDX-License-Identifier: LGPL-2.1-or-later
// Components of pixels whose disparities are alike, and what follows from their sizes
// (primitives/component_sizes.cuh): small ones become unknown (rdp_stereo_finish, which also
// counts).
#include <cstdint>

#include "common/stereo/limits.h"
#include "kernels/primitives/component_sizes.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/stereo/seen.cuh"
#include "kernels/stereo/stereo_arguments.h"

namespace rdp::cuda {
namespace {

__device__ __forceinline__ std::uint16_t* row_of(const StereoRows& rows, int y) {
  return reinterpret_cast<std::uint16_t*>(rows.data + y * rows.pitch);
}
__device__ __forceinline__ int disparity_at(const StereoArguments& a, int x, int y) {
  return row_of(a.disparity, y)[x];
}
// The same, but pixels that the median has filled and the left camera has not seen become unknown
// again.
__device__ __forceinline__ int seen_disparity_at(const StereoArguments& a, int x, int y) {
  const int value = disparity_at(a, x, y);
  if (value == 0 || was_seen(a.left_mask, x, y)) return value;
  row_of(a.disparity, y)[x] = 0;
  return 0;
}
__device__ __forceinline__ bool are_alike(const StereoArguments& a, int one, int other) {
  return one != 0 && other != 0 && abs(one - other) <= a.speckle_range;
}

__device__ void label(const StereoArguments& a) {
  static_assert(kLabelColumns == 32);
  label_tile<kLabelRows>(
      a, [&](int x, int y) { return seen_disparity_at(a, x, y); },
      [&](int one, int other) { return are_alike(a, one, other); });
}

// A thread for each pair of neighbours in different tiles.
__device__ void unite_tiles(const StereoArguments& a) {
  unite_tile_pair<kLabelColumns, kLabelRows>(
      static_cast<std::int64_t>(blockIdx.x) * kSpeckleThreads + threadIdx.x, a.width, a.height,
      a.parents, [&](int x, int y) { return disparity_at(a, x, y); },
      [&](int one, int other) { return are_alike(a, one, other); });
}

__device__ void gather(const StereoArguments& a) { gather_sizes<kSpeckleThreads, kStripRows>(a); }

// A block adds its counts with one operation, because those of all blocks wait for each other.
__device__ void finish(const StereoArguments& a) {
  __shared__ unsigned block_count;
  if (threadIdx.x == 0) block_count = 0;
  const Strip strip = strip_of<kSpeckleThreads, kStripRows>(a);
  int values[kStripRows];
#pragma unroll
  for (int i = 0; i < kStripRows; ++i) {
    values[i] = i < strip.rows ? seen_disparity_at(a, strip.x, strip.y + i) : 0;
  }
  if (a.speckle_size > 1) {
    std::uint32_t roots[kStripRows], sizes[kStripRows];
#pragma unroll
    for (int i = 0; i < kStripRows; ++i) {
      roots[i] = values[i] != 0 ? a.parents[pixel_number(a, strip.x, strip.y + i)] : 0U;
    }
#pragma unroll
    for (int i = 0; i < kStripRows; ++i) roots[i] = values[i] != 0 ? a.parents[roots[i]] : 0U;
#pragma unroll
    for (int i = 0; i < kStripRows; ++i) sizes[i] = values[i] != 0 ? a.sizes[roots[i]] : 0U;
#pragma unroll
    for (int i = 0; i < kStripRows; ++i) {
      if (values[i] == 0 || sizes[i] >= static_cast<std::uint32_t>(a.speckle_size)) continue;
      row_of(a.disparity, strip.y + i)[strip.x] = 0;
      values[i] = 0;
    }
  }
  const int largest = 256 * (stereo::first_sample(a.min_disparity) + a.disparities - 1);
  unsigned count = 0;  // known pixels, and saturated ones in the upper half
#pragma unroll
  for (int i = 0; i < kStripRows; ++i) {
    count += (values[i] != 0 ? 1U : 0U) + (values[i] >= largest ? 1U << 16 : 0U);
    if (i < strip.rows && values[i] == 0 && a.confidence.data != nullptr) {
      a.confidence.data[(strip.y + i) * a.confidence.pitch + strip.x] = 0;
    }
  }
  static_assert(kStripRows * kSpeckleThreads < 1 << 16);
  count = warp_sum(count);
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&block_count, count);
  __syncthreads();
  if (threadIdx.x != 0) return;
  const auto both =
      static_cast<unsigned long long>(block_count >> 16) << 32 | (block_count & 0xFFFFU);
  if (both != 0) atomicAdd(&a.counters[0], both);
  __threadfence();
  const unsigned long long blocks = static_cast<unsigned long long>(gridDim.x) * gridDim.y;
  if (atomicAdd(&a.counters[1], 1ULL) + 1 != blocks) return;
  // The last one: the others have been counted.
  __threadfence();
  const unsigned long long of_all = atomicExch(&a.counters[0], 0ULL);
  a.counts[0] = of_all & 0xFFFFFFFFU;
  a.counts[1] = of_all >> 32;
  atomicExch(&a.counters[1], 0ULL);
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_STEREO_SPECKLES(name, function)                                \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kSpeckleThreads) \
      rdp_stereo_##name(const rdp::cuda::StereoArguments a) {              \
    rdp::cuda::function(a);                                                \
  }
RDP_STEREO_SPECKLES(label, label)
RDP_STEREO_SPECKLES(unite, unite_tiles)
RDP_STEREO_SPECKLES(gather, gather)
RDP_STEREO_SPECKLES(finish, finish)
