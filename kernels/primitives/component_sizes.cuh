// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_COMPONENT_SIZES_CUH_
#define RDP_KERNELS_PRIMITIVES_COMPONENT_SIZES_CUH_

#include <cstdint>

#include "kernels/primitives/components.cuh"

// Components of an image and their sizes in pixels, in three launches. Components of tiles are
// found in shared memory (label_tile), united across tiles (unite_tile_pair of components.cuh), and
// their sizes are added up (gather_sizes). The result does not depend on the order of threads.
//
// Arguments of kernels need the members `width`, `height`, `parents` and `sizes`. The arrays have
// an element for each pixel, row by row. `parents`: another pixel of its component, or itself;
// `sizes` count at the components' roots.
//
// V. M. A. Oliveira and R. A. Lotufo, "A Study on Connected Components Labeling algorithms using
// GPUs", SIBGRAPI 2010; the union by atomicMin() is that of D. P. Playne and K. Hawick, "A New
// Algorithm for Parallel Connected-Component Labelling on GPUs", IEEE TPDS 2018.
namespace rdp::cuda {

// The parent of pixels that belong to none.
constexpr std::uint32_t kNoComponent = 0xFFFFFFFFU;

template <typename Arguments>
__device__ __forceinline__ std::uint32_t pixel_number(const Arguments& a, int x, int y) {
  return static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(a.width) +
         static_cast<std::uint32_t>(x);
}

// Labels a tile of 32 columns, by a block with a pixel per thread. value_at() gives a pixel's
// value; 0: it belongs to no component.
template <int kRows, typename Arguments, typename ValueAt, typename AreAlike>
__device__ __forceinline__ void label_tile(const Arguments& a, const ValueAt& value_at,
                                           const AreAlike& are_alike) {
  __shared__ TileComponents<kRows> tile;
  const auto thread = threadIdx.x;
  const int x0 = static_cast<int>(blockIdx.x) * 32;
  const int y0 = static_cast<int>(blockIdx.y) * kRows;
  const int x = x0 + static_cast<int>(thread) % 32, y = y0 + static_cast<int>(thread) / 32;
  const bool is_inside = x < a.width && y < a.height;
  const int value = is_inside ? value_at(x, y) : 0;
  const std::uint32_t root = find_in_tile(value, are_alike, &tile);
  if (!is_inside) return;
  const std::uint32_t number = pixel_number(a, x, y);
  const int root_x = x0 + static_cast<int>(root % 32), root_y = y0 + static_cast<int>(root / 32);
  a.parents[number] = value != 0 ? pixel_number(a, root_x, root_y) : kNoComponent;
  a.sizes[number] = value != 0 && root == thread ? tile.sizes[thread] : 0U;
}

// Some rows of a column for one thread, so that its reads overlap.
struct Strip {
  int x, y;
  int rows;  // 0 outside of the picture
};
template <int kThreads, int kRows, typename Arguments>
__device__ __forceinline__ Strip strip_of(const Arguments& a) {
  const int x = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kRows;
  return {x, y, x < a.width ? min(kRows, a.height - y) : 0};
}

// Adds the counts at tiles' roots to the roots of components, which become their parents. From then
// on a pixel's parent's parent is its component's root. The roots of components count on while
// others add to them.
template <int kThreads, int kRows, typename Arguments>
__device__ __forceinline__ void gather_sizes(const Arguments& a) {
  const Strip strip = strip_of<kThreads, kRows>(a);
  std::uint32_t sizes[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    sizes[i] = i < strip.rows ? a.sizes[pixel_number(a, strip.x, strip.y + i)] : 0U;
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (sizes[i] == 0) continue;
    const std::uint32_t number = pixel_number(a, strip.x, strip.y + i);
    const std::uint32_t root = root_of(a.parents, number);
    if (root == number) continue;
    a.parents[number] = root;
    atomicAdd(&a.sizes[root], sizes[i]);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_COMPONENT_SIZES_CUH_
