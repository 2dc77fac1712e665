// SPDX-License-Identifier: LGPL-2.1-or-later
// Components of pixels whose labels are alike, and their sizes: see
// primitives/component_sizes.cuh. Small ones become unknown in rdp_heads_vote.
#include <cstdint>

#include "kernels/heightmap/ground_arguments.h"
#include "kernels/primitives/component_sizes.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

// The label of a pixel, counted from 1; 0 where it is unknown.
struct ValueAt {
  const GroundArguments& a;
  __device__ __forceinline__ int operator()(int x, int y) const {
    const int label = a.labels[pixel_number(a, x, y)];
    return label == a.unknown ? 0 : label + 1;
  }
};
struct AreAlike {
  __device__ __forceinline__ bool operator()(int one, int other) const {
    return one != 0 && other != 0 && abs(one - other) <= 1;
  }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_speckles_label(const GroundArguments a) {
  static_assert(kGroundColumns == 32);
  pdl_wait_and_trigger();
  label_tile<kGroundRows>(a, ValueAt{a}, AreAlike());
}

// A thread for each pair of neighbours in different tiles.
extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_speckles_unite(const GroundArguments a) {
  pdl_wait_and_trigger();
  unite_tile_pair<kGroundColumns, kGroundRows>(
      static_cast<std::int64_t>(blockIdx.x) * kGroundThreads + threadIdx.x, a.width, a.height,
      a.parents, ValueAt{a}, AreAlike());
}

extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_speckles_gather(const GroundArguments a) {
  pdl_wait_and_trigger();
  gather_sizes<kGroundThreads, kGroundStripRows>(a);
}

}  // namespace rdp::cuda
