// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_RANK_CUH_
#define RDP_KERNELS_PRIMITIVES_RANK_CUH_

#include <cooperative_groups.h>

#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {

// Finds the number at place `rank`, from 0, among sorted numbers below 256 with these `counts`;
// `before`: how many are smaller. For the first warp, in all of its threads.
struct Ranked {
  int number;
  int before;
};
__device__ inline Ranked find_rank(const int* counts, int rank) {
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  constexpr int kOfThread = 256 / 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  int mine = 0;
  for (int i = 0; i < kOfThread; ++i) mine += counts[lane * kOfThread + i];
  const int until = warp_inclusive_sum(mine);
  Ranked found{0, until - mine};
  if (rank >= found.before && rank < until) {
    found.number = lane * kOfThread;
    while (rank >= found.before + counts[found.number]) found.before += counts[found.number++];
  }
  const unsigned has_it = warp.ballot(rank >= until - mine && rank < until);
  const int who = __ffs(static_cast<int>(has_it)) - 1;
  return {warp.shfl(found.number, who), warp.shfl(found.before, who)};
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_RANK_CUH_
