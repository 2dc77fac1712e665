// SPDX-License-Identifier: LGPL-2.1-or-later
// From planes of cells to those of pixels: each pixel takes the nearest of the planes nearby
// (rdp_planes_label), then what most of its neighbours have, and the parts of a tile are found
// (rdp_planes_smooth); those of neighbouring tiles are united (rdp_planes_unite), parts that are
// large enough get a slot (rdp_planes_gather) and are summed up (rdp_planes_sum).
#include <cstdint>

#include "common/planes/cell_rules.h"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/planes/moments.cuh"
#include "kernels/primitives/components.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Moments;

// A warp's view of a cell's pixels: each thread has two of them, side by side.
struct CellPixels {
  int cell;
  int column, row;  // of the cell
  int x, y;         // of the thread's first pixel

  __device__ __forceinline__ bool is_inside(const FramePlanesArguments& a, int i) const {
    return x + i < a.rules.width && y < a.rules.height;
  }
};
__device__ __forceinline__ CellPixels pixels_of_warp(const FramePlanesArguments& a) {
  CellPixels p;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  p.cell = static_cast<int>((blockIdx.x * kPlaneThreads + threadIdx.x) / 32);
  p.column = p.cell % a.rules.columns;
  p.row = p.cell / a.rules.columns;
  p.x = p.column * planes::kCell + lane % 4 * 2;
  p.y = p.row * planes::kCell + lane / 4;
  return p;
}

// The best that two pixels have found.
struct BestPlane {
  std::int32_t distance[2] = {-1, -1};
  int plane[2] = {-1, -1};
};

// Compares the warp's pixels with the planes in `plane`, one for each thread; -1: none.
__device__ __forceinline__ void look_at_planes(const FramePlanesArguments& a, const CellPixels& at,
                                               const planes::Statistics& statistics, double slope,
                                               const std::int32_t depth[2], int plane,
                                               BestPlane* best) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned same = __match_any_sync(kAll, plane);
  const bool leads = plane >= 0 && __ffs(static_cast<int>(same)) - 1 == lane;
  std::int32_t limit = 0;
  if (leads) limit = planes::pixel_limit(a.rules, slope, statistics, a.merged[plane].fit);
  for (unsigned open = __ballot_sync(kAll, leads); open != 0; open &= open - 1) {
    const int who = __ffs(static_cast<int>(open)) - 1;
    const int its = __shfl_sync(kAll, plane, who);
    const std::int32_t its_limit = __shfl_sync(kAll, limit, who);
    const planes::PixelPlane p = a.pixel_planes[its];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (depth[i] == 0) continue;
      const std::int32_t along = planes::ray_along(p, at.x + i, at.y, at.column * planes::kCell);
      const std::int32_t d = planes::pixel_distance(depth[i], along, p.distance);
      if (d > its_limit) continue;
      if (best->plane[i] >= 0 &&
          (d > best->distance[i] || (d == best->distance[i] && its >= best->plane[i]))) {
        continue;
      }
      best->distance[i] = d;
      best->plane[i] = its;
    }
  }
}

// A warp for each cell.
__device__ void label_pixels(const FramePlanesArguments& a) {
  const CellPixels at = pixels_of_warp(a);
  if (at.cell >= a.cell_count) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  std::int32_t depth[2];
  bool known = false;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    depth[i] = at.is_inside(a, i) ? depth_at(a, at.x + i, at.y) : 0;
    known = known || depth[i] != 0;
  }
  BestPlane best;
  if (__any_sync(kAll, known) != 0) {
    int plane = -1, rest_plane = -1;
    const int column = at.column + lane % 5 - 2, row = at.row + lane / 5 - 2;
    if (lane < 25 && column >= 0 && column < a.rules.columns && row >= 0 && row < a.rules.rows) {
      const int cell = row * a.rules.columns + column;
      plane = settled_owner(a, a.main_cells, cell);
      if (plane >= 0) plane = a.roots[plane];
      if (a.has_rest != 0) {
        rest_plane = settled_owner(a, a.rest_cells, cell);
        if (rest_plane >= 0) rest_plane = a.roots[kMaxParts + rest_plane];
      }
    }
    const planes::Statistics& statistics = cell_statistics(a, a.main_cells, at.cell);
    const double slope = slope_of(a);
    look_at_planes(a, at, statistics, slope, depth, plane, &best);
    if (a.has_rest != 0) {
      look_at_planes(a, at, statistics, slope, depth, rest_plane, &best);
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    if (!at.is_inside(a, i)) continue;
    a.labels[number_of(a, at.x + i, at.y)] =
        depth[i] == 0 ? kUnknownPixel : static_cast<std::uint16_t>(best.plane[i] + 1);
  }
}

// A known pixel whose four neighbours do not all have its label takes the commonest label of its
// eight neighbours where at least five have it. Then the parts of the tile are found.
__device__ void smooth(const FramePlanesArguments& a) {
  constexpr int kAround = kPlaneTileColumns + 2;
  constexpr std::uint16_t kOutside = 0xFFFF;
  __shared__ std::uint16_t near[kAround * (kPlaneTileRows + 2)];
  __shared__ TileComponents<kPlaneTileRows> tile;
  const auto thread = threadIdx.x;
  const int x0 = static_cast<int>(blockIdx.x) * kPlaneTileColumns;
  const int y0 = static_cast<int>(blockIdx.y) * kPlaneTileRows;
  for (int i = static_cast<int>(thread); i < kAround * (kPlaneTileRows + 2); i += kPlaneThreads) {
    const int x = x0 + i % kAround - 1, y = y0 + i / kAround - 1;
    const bool is_inside = x >= 0 && y >= 0 && x < a.rules.width && y < a.rules.height;
    near[i] = is_inside ? a.labels[number_of(a, x, y)] : kOutside;
  }
  __syncthreads();
  const int column = static_cast<int>(thread) % kPlaneTileColumns;
  const int row = static_cast<int>(thread) / kPlaneTileColumns;
  const int x = x0 + column, y = y0 + row;
  const bool is_inside = x < a.rules.width && y < a.rules.height;
  const int middle = (row + 1) * kAround + column + 1;
  int label = 0;
  if (is_inside && near[middle] != kUnknownPixel) {
    label = near[middle];
    const auto at = [&](int i) {  // an unknown pixel has the label 0
      return near[i] == kUnknownPixel ? 0 : static_cast<int>(near[i]);
    };
    const auto differs = [&](int i) { return near[i] != kOutside && at(i) != label; };
    if (differs(middle - 1) || differs(middle + 1) || differs(middle - kAround) ||
        differs(middle + kAround)) {
      const int all[8] = {at(middle - kAround - 1), at(middle - kAround),
                          at(middle - kAround + 1), at(middle - 1),
                          at(middle + 1),           at(middle + kAround - 1),
                          at(middle + kAround),     at(middle + kAround + 1)};
      // A label that five of eight have is among any four of them.
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        int count = 0;
#pragma unroll
        for (int j = 0; j < 8; ++j) count += all[j] == all[i] ? 1 : 0;
        if (count >= 5 && all[i] > 0 && all[i] != kOutside) label = all[i];
      }
    }
  }
  const std::uint32_t root = find_in_tile(
      label, [](int one, int other) { return one != 0 && one == other; }, &tile);
  if (!is_inside) return;
  const std::uint32_t number = number_of(a, x, y);
  a.smoothed[number] = static_cast<std::uint16_t>(label);
  const bool is_root = label != 0 && root == thread;
  const std::uint32_t its_root = number_of(a, x0 + static_cast<int>(root % kPlaneTileColumns),
                                           y0 + static_cast<int>(root / kPlaneTileColumns));
  a.parents[number] = label != 0 ? its_root : kNoSlot;
  a.sizes[number] = is_root ? tile.sizes[thread] : 0U;
  if (!is_root) return;
  a.totals[number] = 0;
  a.pixel_slots[number] = kNoSlot;
  if (!a.rules.connected) atomicMin(&a.first_of_label[label], number);
}

__device__ void unite_tiles(const FramePlanesArguments& a) {
  unite_tile_pair<kPlaneTileColumns, kPlaneTileRows>(
      static_cast<std::int64_t>(blockIdx.x) * kPlaneThreads + threadIdx.x, a.rules.width,
      a.rules.height, a.parents,
      [&](int x, int y) { return static_cast<int>(a.smoothed[number_of(a, x, y)]); },
      [](int one, int other) { return one != 0 && one == other; });
}

// Adds the counts at tiles' roots to the roots of parts, which become their parents. The thread
// that makes a part large enough gives it a slot.
__device__ void gather(const FramePlanesArguments& a) {
  const int x = static_cast<int>(blockIdx.x) * kPlaneThreads + static_cast<int>(threadIdx.x);
  const int y0 = static_cast<int>(blockIdx.y) * kGatherRows;
  const int rows = x < a.rules.width ? min(kGatherRows, a.rules.height - y0) : 0;
  const auto least = fewest_pixels(a.rules.min_inliers);
  unsigned parts = 0;
  std::uint32_t sizes[kGatherRows];
#pragma unroll
  for (int i = 0; i < kGatherRows; ++i) {
    sizes[i] = i < rows ? a.sizes[number_of(a, x, y0 + i)] : 0U;
  }
#pragma unroll
  for (int i = 0; i < kGatherRows; ++i) {
    if (sizes[i] == 0) continue;
    const std::uint32_t number = number_of(a, x, y0 + i);
    const int label = a.smoothed[number];
    const std::uint32_t root =
        a.rules.connected ? root_of(a.parents, number) : a.first_of_label[label];
    if (root == number) {
      ++parts;
    } else {
      a.parents[number] = root;
    }
    const std::uint32_t before = atomicAdd(&a.totals[root], sizes[i]);
    if (before >= least || before + sizes[i] < least) continue;
    const std::uint32_t slot = atomicAdd(&a.counters->slots, 1U);
    a.pixel_slots[root] = slot;
    a.slot_first[slot] = root;
    a.slot_votes[slot] = a.merged_votes[label - 1];
    a.slot_moments[slot] = Moments();
  }
  parts = warp_sum(parts);
  if (threadIdx.x % 32 == 0 && parts > 0) atomicAdd(&a.counters->parts, parts);
}

// A warp for each cell. A cell that belongs to one part has been summed up already: such cells of a
// block go to their part together, as most of them are of the same few parts.
__device__ void sum_parts(const FramePlanesArguments& a) {
  constexpr int kWarps = kPlaneThreads / 32;
  __shared__ std::uint32_t whole[kWarps];  // the slot of a warp's cell
  const CellPixels at = pixels_of_warp(a);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (lane == 0) whole[warp] = kNoSlot;
  std::uint32_t slots[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    slots[i] = kNoSlot;
    if (at.cell >= a.cell_count || !at.is_inside(a, i)) continue;
    const std::uint32_t number = number_of(a, at.x + i, at.y);
    const std::uint32_t parent = a.parents[number];
    if (parent == kNoSlot) continue;
    slots[i] = a.pixel_slots[a.parents[parent]];
  }
  while (true) {
    const unsigned first = __ballot_sync(kAll, slots[0] != kNoSlot);
    const unsigned second = __ballot_sync(kAll, slots[1] != kNoSlot);
    if ((first | second) == 0) break;
    const std::uint32_t slot =
        first != 0 ? __shfl_sync(kAll, slots[0], __ffs(static_cast<int>(first)) - 1)
                   : __shfl_sync(kAll, slots[1], __ffs(static_cast<int>(second)) - 1);
    const bool mine[2] = {slots[0] == slot, slots[1] == slot};
    const int pixels = __popc(__ballot_sync(kAll, mine[0])) + __popc(__ballot_sync(kAll, mine[1]));
    const Moments& cell = cell_moments(a, a.main_cells, at.cell);
    unsigned long long* const sums = numbers_of(&a.slot_moments[slot]);
    if (static_cast<std::uint64_t>(pixels) == cell.n) {
      if (lane == 0) whole[warp] = slot;
    } else {
      PixelSums some;
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (!mine[i]) continue;
        const std::int32_t z = depth_at(a, at.x + i, at.y);
        some.add(planes::back_project(z, a.ray_x[at.x + i]), planes::back_project(z, a.ray_y[at.y]),
                 z);
      }
      const Moments total = warp_total(some);
      unsigned long long number = total.n;
#pragma unroll
      for (int i = 1; i < 4; ++i) number = lane == i ? total.sum[i - 1] : number;
#pragma unroll
      for (int i = 4; i < kMoments; ++i) number = lane == i ? total.products[i - 4] : number;
      if (lane < kMoments) atomicAdd(&sums[lane], number);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (mine[i]) slots[i] = kNoSlot;
    }
  }
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.x);
  const int first = thread / kMoments, number = thread % kMoments;
  if (first >= kWarps || whole[first] == kNoSlot) return;
  const std::uint32_t slot = whole[first];
  for (int other = 0; other < first; ++other) {
    if (whole[other] == slot) return;
  }
  const int first_cell = static_cast<int>(blockIdx.x) * kWarps;
  unsigned long long sum = 0;
#pragma unroll
  for (int other = 0; other < kWarps; ++other) {
    if (whole[other] != slot) continue;
    sum += numbers_of(&cell_moments(a, a.main_cells, first_cell + other))[number];
  }
  atomicAdd(&numbers_of(&a.slot_moments[slot])[number], sum);
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_PLANES_PIXELS(name, function, threads)                 \
  extern "C" __global__ void __launch_bounds__(threads)            \
      rdp_planes_##name(const rdp::cuda::FramePlanesArguments a) { \
    rdp::cuda::pdl_wait_and_trigger();                             \
    rdp::cuda::function(a);                                        \
  }
RDP_PLANES_PIXELS(label, label_pixels, rdp::cuda::kPlaneThreads)
RDP_PLANES_PIXELS(smooth, smooth, rdp::cuda::kPlaneThreads)
RDP_PLANES_PIXELS(unite, unite_tiles, rdp::cuda::kPlaneThreads)
RDP_PLANES_PIXELS(gather, gather, rdp::cuda::kPlaneThreads)
RDP_PLANES_PIXELS(sum, sum_parts, rdp::cuda::kPlaneThreads)
