// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_COMPONENTS_CUH_
#define RDP_KERNELS_STEREO_COMPONENTS_CUH_

#include <cstdint>

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

// Makes one tree of the trees of two pixels: the root with the larger number gets the other one as
// its parent. Where another thread was faster, its parent's tree is still to be united. Both roots
// are looked for at the same time, because a step takes as long as memory does to answer.
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

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_COMPONENTS_CUH_
