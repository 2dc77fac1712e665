// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_COMPACTION_CUH_
#define RDP_KERNELS_PRIMITIVES_COMPACTION_CUH_

#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {

// How many segments all tiles before `tile` have, in all kThreads threads of a block. A tile is
// some neighbouring columns. Tells the others this tile's number, `total`. A tile must be begun
// only after all tiles with smaller numbers have been begun: those before this one are then done or
// worked on (kernels/README.md, "The order of tiles"). `tiles` has a
// word for each: the number of its segments, and in the upper half `launch`, the number of the
// launch that they belong to. `sums` is shared memory for a word for each warp, which the block
// does not use in between.
template <int kThreads>
__device__ __forceinline__ unsigned segments_before(unsigned long long* tiles, unsigned tile,
                                                    unsigned launch, unsigned total,
                                                    unsigned* sums) {
  if (threadIdx.x == 0) {
    *static_cast<volatile unsigned long long*>(&tiles[tile]) =
        static_cast<unsigned long long>(launch) << 32 | total;
  }
  unsigned before = 0;
  for (unsigned other = threadIdx.x; other < tile; other += kThreads) {
    unsigned long long word;
    do {
      word = *static_cast<const volatile unsigned long long*>(&tiles[other]);
    } while (word >> 32 != launch);
    before += static_cast<unsigned>(word);
  }
  before = warp_sum(before);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = before;
  __syncthreads();
  before = 0;
#pragma unroll
  for (int i = 0; i < kThreads / 32; ++i) before += sums[i];
  return before;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_COMPACTION_CUH_
