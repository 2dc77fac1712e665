// SPDX-License-Identifier: LGPL-2.1-or-later
// From planes of nodes to what points ask for: cells belong to their node's plane (rdp_cloud_own),
// planes meet (rdp_cloud_borders), those that are one merge (rdp_cloud_merge), and
// each cell gets the planes around (rdp_cloud_near).
#include <cstdint>

#include "common/planes/cell_rules.h"
#include "common/planes/clouds/rules.h"
#include "kernels/planes/cloud_cells.cuh"
#include "kernels/planes/cloud_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Moments;

// Gives cells to their node's plane, a warp for each planar node, and clears all borders.
__device__ void own_cells(const CloudPlanesArguments& a) {
  const std::uint32_t thread = blockIdx.x * kCloudThreads + threadIdx.x;
  const std::uint32_t threads = gridDim.x * kCloudThreads;
  const std::uint32_t planes = a.state->planes;
  for (std::uint32_t i = thread; i < planes * planes; i += threads) {
    a.border_steps[i] = 0;
    a.border_pairs[i] = 0;
  }
  for (std::uint32_t n = thread / 32; n < a.state->planar; n += threads / 32) {
    const CloudNode& node = a.planar[n];
    const std::int32_t plane = node.owner < 0 ? -1 : a.numbers[node.owner];
    if (plane < 0) continue;
    for (std::uint32_t c = node.first + threadIdx.x % 32; c < node.end; c += 32) {
      a.owners[c] = plane;
    }
  }
}

// Visits each pair of neighbouring cells once: a thread for each of the first half of a cell's
// neighbours.
__device__ void find_borders(const CloudPlanesArguments& a) {
  constexpr int kHalf = kNearCells / 2;
  const std::uint32_t planes = a.state->planes;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for_each_cell(a, [&](std::uint32_t c) {
    const std::int32_t own = a.owners[c];
    if (own < 0 || lane >= kHalf) return;
    const int near = near_cell(a, a.cell_keys[c], lane);
    const std::int32_t theirs = near < 0 ? -1 : a.owners[near];
    if (theirs < 0 || theirs == own) return;
    const bool ordered = own < theirs;
    const planes::Statistics p =
        planes::statistics_of(a.cells[ordered ? static_cast<int>(c) : near]);
    const planes::Statistics q =
        planes::statistics_of(a.cells[ordered ? near : static_cast<int>(c)]);
    const std::int32_t first = ordered ? own : theirs, second = ordered ? theirs : own;
    const std::int64_t step =
        planes::border_step(a.planes[first].fit, p.mean, a.planes[second].fit, q.mean);
    const std::uint32_t border =
        static_cast<std::uint32_t>(first) * planes + static_cast<std::uint32_t>(second);
    atomicAdd(&a.border_steps[border], static_cast<unsigned long long>(step));
    atomicAdd(&a.border_pairs[border], 1U);
  });
}

// The rank of a border, greater if better: points on both sides, then the first border. 0: its
// planes have merged already, or must not.
__device__ unsigned long long rank_of(const CloudPlanesArguments& a, std::uint32_t border,
                                      std::uint32_t planes) {
  const std::int32_t root_p = a.roots[border / planes], root_q = a.roots[border % planes];
  if (root_p == root_q) return 0;
  const CloudPlane& p = a.planes[root_p];
  const CloudPlane& q = a.planes[root_q];
  if (!planes::are_one_plane(a.state->rules, static_cast<std::int64_t>(a.border_steps[border]),
                             a.border_pairs[border], p, q)) {
    return 0;
  }
  return (p.moments.n + q.moments.n) << 32 | (0xFFFFFFFFU - border);
}

// One block. In each pass every plane finds its best border. If that is the best one of both sides,
// they merge and keep the lower number.
__device__ void merge(const CloudPlanesArguments& a) {
  __shared__ std::uint32_t merged;
  const planes::CloudRules& rules = a.state->rules;
  const std::uint32_t planes = a.state->planes;
  for (std::uint32_t p = threadIdx.x; p < planes; p += kCloudMergeThreads) {
    a.roots[p] = static_cast<std::int32_t>(p);
    a.best[p] = 0;
    a.into[p] = -1;
  }
  if (threadIdx.x == 0) merged = 0;
  for (std::uint32_t b = threadIdx.x; b < planes * planes; b += kCloudMergeThreads) {
    const std::uint32_t p = b / planes, q = b % planes;
    if (p >= q || !planes::may_be_one_plane(rules, static_cast<std::int64_t>(a.border_steps[b]),
                                            a.border_pairs[b], a.planes[p].fit, a.planes[q].fit)) {
      continue;
    }
    a.borders[atomicAdd(&a.state->borders, 1U)] = b;
  }
  __threadfence();
  __syncthreads();
  const std::uint32_t borders = *static_cast<const volatile std::uint32_t*>(&a.state->borders);
  for (int pass = 0; pass < planes::kCloudMergePasses; ++pass) {
    for (std::uint32_t b = threadIdx.x; b < borders; b += kCloudMergeThreads) {
      const std::uint32_t border = a.borders[b];
      const unsigned long long rank = rank_of(a, border, planes);
      if (rank == 0) continue;
      atomicMax(&a.best[a.roots[border / planes]], rank);
      atomicMax(&a.best[a.roots[border % planes]], rank);
    }
    __syncthreads();
    bool any = false;
    for (std::uint32_t b = threadIdx.x; b < borders; b += kCloudMergeThreads) {
      const std::uint32_t border = a.borders[b];
      const std::int32_t p = a.roots[border / planes], q = a.roots[border % planes];
      const auto number = 0xFFFFFFFFU - border;
      if (p == q || a.best[p] == 0 || a.best[p] != a.best[q] ||
          static_cast<std::uint32_t>(a.best[p]) != number) {
        continue;
      }
      CloudPlane& kept = a.planes[min(p, q)];
      CloudPlane& gone = a.planes[max(p, q)];
      kept.moments.add(gone.moments);
      gone.moments = Moments();
      kept.fit = planes::fit_of(planes::statistics_of(kept.moments));
      kept.votes = max(kept.votes, gone.votes);
      a.into[max(p, q)] = min(p, q);
      atomicAdd(&merged, 1U);
      any = true;
    }
    if (__syncthreads_or(any ? 1 : 0) == 0) break;
    for (std::uint32_t p = threadIdx.x; p < planes; p += kCloudMergeThreads) {
      const std::int32_t into = a.into[a.roots[p]];
      if (into >= 0) a.roots[p] = into;
      a.best[p] = 0;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) a.state->merged = merged;
}

// Lists the planes around each cell, and clears the sums of labels.
__device__ void find_near(const CloudPlanesArguments& a) {
  const planes::CloudRules& rules = a.state->rules;
  const std::uint32_t thread = blockIdx.x * kCloudThreads + threadIdx.x;
  const std::uint32_t threads = gridDim.x * kCloudThreads;
  const std::int32_t origin[3] = {0, 0, 0};
  for (std::uint32_t p = thread; p < a.state->planes; p += threads) {
    a.label_sums[p] = Moments();
    a.label_first[p] = 0;
    const planes::CellPlaneView view = planes::view_plane(rules, a.planes[p].fit, origin);
    PointPlane& point_plane = a.point_views[p];
    for (int i = 0; i < 3; ++i) point_plane.normal[i] = view.normal[i];
    point_plane.limit = view.limit;
  }
  // A thread for each cell around; the first one with a plane keeps it.
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for_each_cell(a, [&](std::uint32_t c) {
    const std::uint32_t key = a.cell_keys[c];
    const int near = lane < kNearCells ? near_cell(a, key, lane) : -1;
    const std::int32_t owner = near < 0 ? -1 : a.owners[near];
    const std::int32_t plane = owner < 0 ? -1 : a.roots[owner];
    const unsigned alike = __match_any_sync(kAll, plane);
    const unsigned firsts =
        __ballot_sync(kAll, plane >= 0 && __ffs(static_cast<int>(alike)) - 1 == lane);
    const int count = __popc(firsts), place = __popc(firsts & ((1U << lane) - 1));
    CellNear& result = a.near[c];
    // Readers of a cell's planes read the offsets of all places, and use those of planes.
    if (lane >= count && lane < kNearPlanes) {
      result.plane[lane] = kNoPlane;
      result.offset[lane] = 0;
    }
    if ((firsts >> lane & 1) == 0 || place >= kNearPlanes) return;
    const bool more = place == kNearPlanes - 1 && count > kNearPlanes;
    result.plane[place] = more ? kMorePlanes : static_cast<std::uint16_t>(plane);
    std::int32_t corner[3];
    corner_of(a, key, corner);
    result.offset[place] = more ? 0 : planes::view_plane(rules, a.planes[plane].fit, corner).offset;
  });
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_CLOUD_MERGE(name, function, threads)                  \
  extern "C" __global__ void __launch_bounds__(threads, 1)        \
      rdp_cloud_##name(const rdp::cuda::CloudPlanesArguments a) { \
    rdp::cuda::pdl_wait_and_trigger();                            \
    rdp::cuda::function(a);                                       \
  }
RDP_CLOUD_MERGE(own, own_cells, rdp::cuda::kCloudThreads)
RDP_CLOUD_MERGE(borders, find_borders, rdp::cuda::kCloudThreads)
RDP_CLOUD_MERGE(merge, merge, rdp::cuda::kCloudMergeThreads)
RDP_CLOUD_MERGE(near, find_near, rdp::cuda::kCloudThreads)
