// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_CLOUD_CELLS_CUH_
#define RDP_KERNELS_PLANES_CLOUD_CELLS_CUH_

#include <cstdint>
#include <cstring>

#include "kernels/planes/cloud_planes_arguments.h"
#include "kernels/planes/moments.cuh"

// Points and cells of a cloud, as all kernels of its planes look at them.
namespace rdp::cuda {

// Points need not be aligned.
__device__ __forceinline__ void load_point(const CloudPlanesArguments& a, int i, float v[3]) {
  const unsigned char* const from = a.points + i * a.step;
  if (a.is_aligned != 0) {
    const auto* const values = reinterpret_cast<const float*>(from);
#pragma unroll
    for (int k = 0; k < 3; ++k) v[k] = values[k];
    return;
  }
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    std::uint32_t bits = 0;
#pragma unroll
    for (int byte = 3; byte >= 0; --byte) bits = bits << 8 | from[4 * k + byte];
    memcpy(&v[k], &bits, sizeof bits);
  }
}

__device__ __forceinline__ bool load_place(const CloudPlanesArguments& a, int i,
                                           planes::CloudPoint* point) {
  float v[3];
  load_point(a, i, v);
  return planes::place_point(a.state->rules, v, point);
}

// Calls visit (point, whether there is one) with whole warps, some points for each thread.
template <typename Visit>
__device__ __forceinline__ void for_each_point(const CloudPlanesArguments& a, const Visit& visit) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i - lane < a.point_count;
       i += stride) {
    visit(i, i < a.point_count);
  }
}

// Calls visit (cell) for all cells, a warp for each.
template <typename Visit>
__device__ __forceinline__ void for_each_cell(const CloudPlanesArguments& a, const Visit& visit) {
  const std::uint32_t cells = a.state->cells, warps = gridDim.x * blockDim.x / 32;
  for (std::uint32_t c = (blockIdx.x * blockDim.x + threadIdx.x) / 32; c < cells; c += warps) {
    visit(c);
  }
}

// Words of keys at the cloud's depth.
__device__ __forceinline__ std::uint32_t words_of_depth(int depth) {
  return depth < 2 ? 1U : 1U << (3 * depth - 5);
}

// The number of cells before that key, which may be the one after the last.
__device__ __forceinline__ std::uint32_t cells_before(const CloudPlanesArguments& a,
                                                      std::uint32_t key) {
  if (key >> (3 * a.state->rules.depth) != 0) return a.state->cells;
  const KeyWord word = a.words[key / 32];
  return word.before + static_cast<std::uint32_t>(__popc(word.bits & ((1U << key % 32) - 1)));
}

// The cell of a key; -1: it has no points.
__device__ __forceinline__ int cell_of_key(const CloudPlanesArguments& a, std::uint32_t key) {
  const KeyWord word = a.words[key / 32];
  const std::uint32_t bit = 1U << key % 32;
  if ((word.bits & bit) == 0) return -1;
  return static_cast<int>(word.before) + __popc(word.bits & (bit - 1));
}

// The cell at a place, counted in cells from the root's corner; -1: none.
__device__ __forceinline__ int cell_at(const CloudPlanesArguments& a, int x, int y, int z) {
  const int side = 1 << a.state->rules.depth;
  if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side) return -1;
  return cell_of_key(
      a, planes::morton_key(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                            static_cast<std::uint32_t>(z)));
}

constexpr int kNearCells = 27;

// One of the 27 cells around a key, of which the 14th is its own; -1: there are no points.
__device__ __forceinline__ int near_cell(const CloudPlanesArguments& a, std::uint32_t key, int i) {
  return cell_at(a, static_cast<int>(planes::gather_bits(key)) + i % 3 - 1,
                 static_cast<int>(planes::gather_bits(key >> 1)) + i / 3 % 3 - 1,
                 static_cast<int>(planes::gather_bits(key >> 2)) + i / 9 - 1);
}

__device__ __forceinline__ void corner_of(const CloudPlanesArguments& a, std::uint32_t key,
                                          std::int32_t corner[3]) {
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    corner[k] = planes::row_start(a.state->rules, planes::gather_bits(key >> k));
  }
}

// The sums of the cells from `first` to before `end`.
__device__ __forceinline__ planes::Moments sum_of_cells(const CloudPlanesArguments& a,
                                                        std::uint32_t first, std::uint32_t end) {
  planes::Moments sum = a.before[end];
  const planes::Moments& less = a.before[first];
  sum.n -= less.n;
#pragma unroll
  for (int i = 0; i < 3; ++i) sum.sum[i] -= less.sum[i];
#pragma unroll
  for (int i = 0; i < 6; ++i) sum.products[i] -= less.products[i];
  return sum;
}

// Adds to sums atomically.
__device__ __forceinline__ void add_atomically(planes::Moments* to, const planes::Moments& m) {
  unsigned long long* const numbers = numbers_of(to);
  atomicAdd(&numbers[0], m.n);
#pragma unroll
  for (int i = 0; i < 3; ++i) atomicAdd(&numbers[1 + i], m.sum[i]);
#pragma unroll
  for (int i = 0; i < 6; ++i) atomicAdd(&numbers[4 + i], m.products[i]);
}

// The sum over those threads of the warp that have a point.
__device__ __forceinline__ planes::Moments warp_total_of_points(bool has_one,
                                                                const planes::CloudPoint& p) {
  PixelSums sums;
  if (has_one) sums.add(p.at[0], p.at[1], p.at[2]);
  return warp_total(sums);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_CLOUD_CELLS_CUH_
