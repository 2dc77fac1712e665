// SPDX-License-Identifier: LGPL-2.1-or-later
// Flying pixels: a warp has a row of a tile at a time, a thread two neighbouring columns. Most
// pixels are like at least three of their four neighbours, and need no further test.
#include <cstdint>

#include "kernels/depthfilter/depth_rows.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

constexpr int kReach = 3;
using Tile = DepthTile<kFlyingRows, kReach>;

// Test for like samples: known, and at most the tolerance away.
struct Like {
  unsigned first, span;
  __device__ unsigned operator()(unsigned q) const { return q - first <= span ? 1U : 0U; }
};

// True where v, which lies at `at`, is between two flat sides.
__device__ __forceinline__ bool is_between_sides(const std::uint16_t* at, int v, int tolerance) {
#pragma unroll 1
  for (int r = 1; r <= 2; ++r) {
#pragma unroll 1
    for (int direction = 0; direction < 4; ++direction) {
      const int step = direction == 0 ? 1 : kTileStride + direction - 2;
      const int a = at[-r * step], b = at[r * step];
      if (a == 0 || b == 0) continue;
      if (min(a, b) + tolerance >= v || v >= max(a, b) - tolerance) continue;
      const int before_a = at[-(r + 1) * step], behind_b = at[(r + 1) * step];
      const int difference = abs(a - b);
      if (before_a != 0 && 4 * r * abs(before_a - a) > difference) continue;
      if (behind_b != 0 && 4 * r * abs(behind_b - b) > difference) continue;
      return true;
    }
  }
  return false;
}

// A pixel, its tolerance, and the number of its four neighbours that are like it.
struct Center {
  unsigned v, tau, alike;

  __device__ Like like() const {
    const unsigned first = max(static_cast<int>(v - tau), 1);
    return {first, v + tau - first};
  }
  __device__ bool is_suspect() const { return v != 0 && alike < 3; }
};

__device__ __forceinline__ Center center_of(unsigned v, unsigned before, unsigned behind,
                                            unsigned above, unsigned below,
                                            const filter::Tolerance& tolerance) {
  Center center{v, tolerance_at(v, tolerance), 0};
  const Like like = center.like();
  center.alike = like(before) + like(behind) + like(above) + like(below);
  return center;
}

__device__ __forceinline__ bool is_flying(const std::uint16_t* at, const Center& center) {
  if (!center.is_suspect()) return false;
  const Like like = center.like();
  const unsigned alike = center.alike + like(at[-kTileStride - 1]) + like(at[-kTileStride + 1]) +
                         like(at[kTileStride - 1]) + like(at[kTileStride + 1]);
  return alike < 3 &&
         is_between_sides(at, static_cast<int>(center.v), static_cast<int>(center.tau));
}

__device__ void flying(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  __shared__ __align__(16) Tile tile;
  const int x0 = static_cast<int>(blockIdx.x) * kDepthColumns;
  const int y0 = static_cast<int>(blockIdx.y) * kFlyingRows;
  const unsigned range_removed = load_tile(a, x0, y0, &tile);
  constexpr int kRowsOfThread = kFlyingRows * 32 / kDepthThreads;
  const int column = static_cast<int>(threadIdx.x) % 32 * 2;
  const int row = static_cast<int>(threadIdx.x) / 32 * kRowsOfThread;
  const bool pairs = has_pairs(a.out);
  int at = Tile::place(column, row);
  unsigned above = tile.pair(at - kTileStride), pair = tile.pair(at), removed = 0;
#pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i) {
    const unsigned below = tile.pair(at + kTileStride);
    const unsigned v0 = pair & 0xFFFF, v1 = pair >> 16;
    const Center center0 =
        center_of(v0, tile.pair(at - 2) >> 16, v1, above & 0xFFFF, below & 0xFFFF, a.tolerance);
    const Center center1 =
        center_of(v1, v0, tile.pair(at + 2) & 0xFFFF, above >> 16, below >> 16, a.tolerance);
    unsigned result = pair;
    if (center0.is_suspect() || center1.is_suspect()) {
      const bool flies0 = is_flying(tile.samples + at, center0);
      const bool flies1 = is_flying(tile.samples + at + 1, center1);
      result &= (flies0 ? 0 : 0xFFFFU) | (flies1 ? 0 : 0xFFFF0000U);
      removed += (flies0 ? 1U : 0U) + (flies1 ? 1U : 0U);
    }
    const int x = x0 + column, y = y0 + row + i;
    if (x < a.width && y < a.height) write_pair(a.out, pairs, x, y, a.width, result);
    above = pair;
    pair = below;
    at += kTileStride;
  }
  add_counts(a, {kRangeRemoved, kFlyingRemoved}, {range_removed, removed});
}

}  // namespace
}  // namespace rdp::cuda

RDP_DEPTH_KERNEL(flying, flying)
