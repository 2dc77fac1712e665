// SPDX-License-Identifier: LGPL-2.1-or-later
// Components of pixels whose samples are alike (primitives/component_sizes.cuh); small ones become
// unknown.
#include <cstdint>

#include "kernels/depthfilter/depth_rows.cuh"
#include "kernels/primitives/component_sizes.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

struct Alike {
  const filter::Tolerance& tolerance;
  __device__ bool operator()(int one, int other) const {
    return one != 0 && other != 0 && filter::are_alike(one, other, tolerance);
  }
};

__device__ void label(const DepthFilterArguments& a) {
  static_assert(kDepthThreads == 32 * kDepthLabelRows);
  wait_for_grid_before();
  label_tile<kDepthLabelRows>(
      a, [&](int x, int y) { return sample_at(a, x, y); }, Alike{a.tolerance});
}

// A thread for each pair of neighbours in different tiles.
__device__ void unite_tiles(const DepthFilterArguments& a) {
  wait_for_grid_before();
  unite_tile_pair<32, kDepthLabelRows>(
      static_cast<std::int64_t>(blockIdx.x) * kDepthThreads + threadIdx.x, a.width, a.height,
      a.parents, [&](int x, int y) { return sample_at(a, x, y); }, Alike{a.tolerance});
}

__device__ void gather(const DepthFilterArguments& a) {
  wait_for_grid_before();
  gather_sizes<kDepthThreads, kDepthStripRows>(a);
}

__device__ void speckles(const DepthFilterArguments& a) {
  wait_for_grid_before();
  const Strip strip = strip_of<kDepthThreads, kDepthStripRows>(a);
  unsigned values[kDepthStripRows], range_removed = 0, removed = 0;
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) {
    const unsigned raw = i < strip.rows ? raw_sample(a.in, strip.x, strip.y + i) : 0U;
    values[i] = ranged(a, raw, &range_removed);
  }
  std::uint32_t roots[kDepthStripRows];
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) {
    roots[i] = values[i] != 0 ? a.parents[pixel_number(a, strip.x, strip.y + i)] : 0U;
  }
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) roots[i] = values[i] != 0 ? a.parents[roots[i]] : 0U;
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) {
    const bool small =
        values[i] != 0 && a.sizes[roots[i]] < static_cast<std::uint32_t>(a.speckle_size);
    removed += small ? 1U : 0U;
    if (i < strip.rows) write_sample(a.out, strip.x, strip.y + i, small ? 0 : values[i]);
  }
  add_counts(a, {kRangeRemoved, kSpeckleRemoved}, {range_removed, removed});
}

}  // namespace
}  // namespace rdp::cuda

RDP_DEPTH_KERNEL(label, label)
RDP_DEPTH_KERNEL(unite, unite_tiles)
RDP_DEPTH_KERNEL(gather, gather)
RDP_DEPTH_KERNEL(speckles, speckles)
