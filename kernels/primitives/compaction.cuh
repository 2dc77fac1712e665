// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_COMPACTION_CUH_
#define RDP_KERNELS_PRIMITIVES_COMPACTION_CUH_

#include "kernels/primitives/warp.cuh"

// Finds the start of a tile's segments in the frame's list: after those of all tiles with smaller
// numbers. A tile is some neighbouring columns of a frame. Each publishes the number of its
// segments in a word of global memory, and looks back over the published ones.
//
// A tile must be begun only after all tiles with smaller numbers have been begun: those before it
// are then done or worked on (kernels/README.md, "The order of tiles").
namespace rdp::cuda {

// Totals of one or more tiles. Below 65536 each, for one tile.
struct TileTotal {
  unsigned segments = 0;  // of all columns
  unsigned most = 0;      // of the column that took the most work: its segments before any merge

  __device__ __forceinline__ void add(unsigned of_column, unsigned work) {
    segments += of_column;
    most = max(most, work);
  }
  __device__ __forceinline__ TileTotal operator+(const TileTotal& other) const {
    return {segments + other.segments, max(most, other.most)};
  }
};

// Publishes a tile's total to the frame's other tiles, by one thread. `tiles` has a word for each:
// its total and, in the upper half, the number `launch` of its launch.
__device__ __forceinline__ void publish_total(unsigned long long* tiles, unsigned tile,
                                              unsigned launch, const TileTotal& total) {
  *static_cast<volatile unsigned long long*>(&tiles[tile]) =
      static_cast<unsigned long long>(launch) << 32 | total.most << 16 | total.segments;
}

// Shared memory of a block's threads, at most 256, while they look back.
struct LookBack {
  unsigned segments[8];
  unsigned most[8];
};

// The total of all tiles before `tile`, in all kThreads threads of a block; `most` only
// where with_most says so, which is the same for all of them. The block has no other use for
// `shared` meanwhile.
template <int kThreads>
__device__ __forceinline__ TileTotal total_before(const unsigned long long* tiles, unsigned tile,
                                                  unsigned launch, bool with_most,
                                                  LookBack* shared) {
  TileTotal before;
  for (unsigned other = threadIdx.x; other < tile; other += kThreads) {
    unsigned long long word;
    do {
      word = *static_cast<const volatile unsigned long long*>(&tiles[other]);
    } while (word >> 32 != launch);
    const auto published = static_cast<unsigned>(word);
    before.add(published & 0xFFFFU, published >> 16);
  }
  before.segments = warp_sum(before.segments);
  if (with_most) before.most = warp_max_unsigned(before.most);
  if (threadIdx.x % 32 == 0) {
    shared->segments[threadIdx.x / 32] = before.segments;
    if (with_most) shared->most[threadIdx.x / 32] = before.most;
  }
  __syncthreads();
  before = {};
#pragma unroll
  for (int i = 0; i < kThreads / 32; ++i) {
    before.add(shared->segments[i], with_most ? shared->most[i] : 0);
  }
  return before;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_COMPACTION_CUH_
