// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_INCLUDE_COOPERATIVE_GROUPS_H_
#define RDP_TESTS_EMULATION_INCLUDE_COOPERATIVE_GROUPS_H_

// The part of CUDA's header of this name that the kernels use: tiles of a warp.
#include "tests/emulation/cuda_emulation.h"

namespace cooperative_groups {

struct thread_block {
  void sync(RDP_EMULATION_HERE) const { __syncthreads(file, line); }
};
inline thread_block this_thread_block() { return {}; }

template <unsigned kSize>
class thread_block_tile {
 public:
  unsigned thread_rank() const { return emulation::lane() % kSize; }
  static constexpr unsigned size() { return kSize; }
  void sync(RDP_EMULATION_HERE) const { __syncwarp(mask(), file, line); }
  template <typename T>
  T shfl(T value, int source, RDP_EMULATION_HERE) const {
    return __shfl_sync(mask(), value, source, kSize, file, line);
  }
  template <typename T>
  T shfl_up(T value, unsigned by, RDP_EMULATION_HERE) const {
    return __shfl_up_sync(mask(), value, by, kSize, file, line);
  }
  template <typename T>
  T shfl_down(T value, unsigned by, RDP_EMULATION_HERE) const {
    return __shfl_down_sync(mask(), value, by, kSize, file, line);
  }
  template <typename T>
  T shfl_xor(T value, int with, RDP_EMULATION_HERE) const {
    return __shfl_xor_sync(mask(), value, with, kSize, file, line);
  }
  // One bit per thread of the tile, bit 0 for rank 0.
  unsigned ballot(bool is, RDP_EMULATION_HERE) const {
    return __ballot_sync(mask(), is, file, line) >> first();
  }
  bool any(bool is, RDP_EMULATION_HERE) const { return __any_sync(mask(), is, file, line) != 0; }
  bool all(bool is, RDP_EMULATION_HERE) const { return __all_sync(mask(), is, file, line) != 0; }

 private:
  static unsigned first() { return emulation::lane() & ~(kSize - 1); }
  static unsigned mask() { return (~0U >> (32 - kSize)) << first(); }
};
template <unsigned kSize>
thread_block_tile<kSize> tiled_partition(const thread_block&) {
  static_assert(kSize >= 1 && kSize <= 32 && (kSize & (kSize - 1)) == 0);
  return {};
}

}  // namespace cooperative_groups

#endif  // RDP_TESTS_EMULATION_INCLUDE_COOPERATIVE_GROUPS_H_
