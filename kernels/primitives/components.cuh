// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_COMPONENTS_CUH_
#define RDP_KERNELS_PRIMITIVES_COMPONENTS_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"

// Components as trees: every pixel has a parent with a smaller number, or itself. Parents only ever
// become smaller, so that threads may look for roots while others unite trees.
namespace rdp::cuda {

__device__ __forceinline__ std::uint32_t root_of(const volatile std::uint32_t* parents,
                                                 std::uint32_t i) {
  std::uint32_t parent = parents[i];
  while (parent != i) {
    i = parent;
    parent = parents[i];
  }
  return i;
}

// Unites the trees of two pixels: the root with the larger number gets the other one as its parent.
// If another thread was faster, that parent's tree is united next. Both roots are searched at the
// same time, because each step waits for memory.
__device__ __forceinline__ void unite(std::uint32_t* parents, std::uint32_t i, std::uint32_t j) {
  const volatile std::uint32_t* const latest = parents;
  while (true) {
    while (true) {
      const std::uint32_t parent_i = latest[i], parent_j = latest[j];
      if (parent_i == parent_j) return;
      if (parent_i == i && parent_j == j) break;
      i = parent_i;
      j = parent_j;
    }
    if (i < j) {
      const std::uint32_t smaller = i;
      i = j;
      j = smaller;
    }
    const std::uint32_t before = atomicMin(&parents[i], j);
    if (before == i) return;
    i = before;
  }
}

// Shared memory of a block that finds the components of a tile, 32 columns wide, a thread a pixel.
template <int kRows>
struct TileComponents {
  std::uint32_t parents[32 * kRows];
  std::uint32_t sizes[32 * kRows];
  int values[32 * kRows];
  unsigned joined[kRows];  // to the pixel before it, a bit for each
};

// Returns the first pixel, as a place in the tile, of the component of the thread's pixel;
// shared->sizes has its size there. Pixels of value 0 belong to none. Votes of the warp join
// neighbours in a row. A pixel is united with the one above only if the joins of both rows do not
// imply it.
template <int kRows, typename AreAlike>
__device__ __forceinline__ std::uint32_t find_in_tile(int value, const AreAlike& are_alike,
                                                      TileComponents<kRows>* shared) {
  const auto thread = threadIdx.x;
  const int lane = static_cast<int>(thread) % 32, row = static_cast<int>(thread) / 32;
  const int value_before = __shfl_up_sync(kAll, value, 1);
  const bool is_joined = lane > 0 && are_alike(value, value_before);
  const unsigned row_joined = __ballot_sync(kAll, is_joined);
  const unsigned heads = ~row_joined;  // bit 0 always
  const unsigned up_to_here = 0xFFFFFFFFU >> (31 - lane);
  const int head = 31 - __clz(static_cast<int>(heads & up_to_here));
  shared->values[thread] = value;
  shared->parents[thread] = static_cast<std::uint32_t>(32 * row + head);
  shared->sizes[thread] = 0;
  if (lane == 0) shared->joined[row] = row_joined;
  __syncthreads();

  const bool goes_up = row > 0 && are_alike(value, shared->values[row > 0 ? thread - 32 : thread]);
  const unsigned row_goes_up = __ballot_sync(kAll, goes_up);
  if (goes_up) {
    const unsigned said = row_joined & shared->joined[row - 1] & row_goes_up << 1;
    if ((said >> lane & 1) == 0) unite(shared->parents, thread, thread - 32);
  }
  __syncthreads();

  std::uint32_t root = 0;
  if (value != 0) {
    root = root_of(shared->parents, thread);
    if (head == lane) {  // of a run, which ends where the next one begins
      const unsigned heads_after = heads & ~up_to_here;
      const int end = heads_after == 0 ? 32 : __ffs(static_cast<int>(heads_after)) - 1;
      atomicAdd(&shared->sizes[root], static_cast<std::uint32_t>(end - lane));
    }
  }
  __syncthreads();
  return root;
}

// Unites pair number i of neighbours in different tiles; pairs in a row come first. Skips pairs
// that the pixels before them imply.
template <int kColumns, int kRows, typename ValueAt, typename AreAlike>
__device__ __forceinline__ void unite_tile_pair(std::int64_t i, int width, int height,
                                                std::uint32_t* parents, const ValueAt& value_at,
                                                const AreAlike& are_alike) {
  const auto number_of = [&](int x, int y) {
    return static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(width) +
           static_cast<std::uint32_t>(x);
  };
  const int columns = (width - 1) / kColumns, rows = (height - 1) / kRows;
  const std::int64_t beside = static_cast<std::int64_t>(columns) * height;
  if (i < beside) {
    const int x = (static_cast<int>(i / height) + 1) * kColumns;
    const auto y = static_cast<int>(i % height);
    const int here = value_at(x, y), before = value_at(x - 1, y);
    if (!are_alike(here, before)) return;
    if (y % kRows != 0) {  // implied by the pixels above, in the same tiles
      const int above = value_at(x, y - 1), before_above = value_at(x - 1, y - 1);
      if (are_alike(here, above) && are_alike(before, before_above) &&
          are_alike(above, before_above)) {
        return;
      }
    }
    unite(parents, number_of(x, y), number_of(x - 1, y));
    return;
  }
  i -= beside;
  if (i >= static_cast<std::int64_t>(rows) * width) return;
  const int y = (static_cast<int>(i / width) + 1) * kRows;
  const auto x = static_cast<int>(i % width);
  const int here = value_at(x, y), above = value_at(x, y - 1);
  if (!are_alike(here, above)) return;
  if (x > 0) {  // implied by the pixels to the left
    const int before = value_at(x - 1, y), before_above = value_at(x - 1, y - 1);
    if (are_alike(here, before) && are_alike(above, before_above) &&
        are_alike(before, before_above)) {
      return;
    }
  }
  unite(parents, number_of(x, y), number_of(x, y - 1));
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_COMPONENTS_CUH_
