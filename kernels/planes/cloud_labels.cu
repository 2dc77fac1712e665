// SPDX-License-Identifier: LGPL-2.1-or-later
// Points to planes (rdp_cloud_label), which planes are the result, in which order
// (rdp_cloud_select), labels and the hulls' corners (rdp_cloud_write), how many points lie under
// each plane (rdp_cloud_under), and what the host reads (rdp_cloud_finish).
#include <cstdint>

#include "common/planes/clouds/hull.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/ground_rules.h"
#include "kernels/planes/cloud_cells.cuh"
#include "kernels/planes/cloud_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Moments;

// The nearest plane of a point; of equally near ones the first.
struct Nearest {
  std::int32_t distance = 0;
  std::uint32_t plane = kNoCell;

  __device__ __forceinline__ void look(std::int32_t d, std::int32_t limit, std::uint32_t p) {
    if (d > limit) return;
    if (plane != kNoCell && (d > distance || (d == distance && p >= plane))) return;
    distance = d;
    plane = p;
  }
};

__device__ __forceinline__ std::uint32_t nearest_plane(const CloudPlanesArguments& a,
                                                       std::uint32_t cell,
                                                       const planes::CloudPoint& point) {
  const std::uint32_t key = a.cell_keys[cell];
  std::int32_t corner[3], at[3];
  corner_of(a, key, corner);
#pragma unroll
  for (int k = 0; k < 3; ++k) at[k] = point.at[k] - corner[k];
  const CellNear near = a.near[cell];
  Nearest nearest;
#pragma unroll
  for (int i = 0; i < kNearPlanes; ++i) {
    const std::uint32_t p = near.plane[i];
    if (p >= kMorePlanes) continue;
    const PointPlane plane = a.point_views[p];
    const planes::CellPlaneView view = {
        {plane.normal[0], plane.normal[1], plane.normal[2]}, near.offset[i], plane.limit};
    nearest.look(planes::view_distance(view, at[0], at[1], at[2]), view.limit, p);
  }
  if (near.plane[kNearPlanes - 1] == kMorePlanes) {
#pragma unroll 1
    for (int i = 0; i < kNearCells; ++i) {
      const int other = near_cell(a, key, i);
      const std::int32_t owner = other < 0 ? -1 : a.owners[other];
      if (owner < 0) continue;
      const std::int32_t p = a.roots[owner];
      const planes::CellPlaneView view =
          planes::view_plane(a.state->rules, a.planes[p].fit, corner);
      nearest.look(planes::view_distance(view, at[0], at[1], at[2]), view.limit,
                   static_cast<std::uint32_t>(p));
    }
  }
  return nearest.plane;
}

// A block sums the points of the first planes itself.
__device__ void label_points(const CloudPlanesArguments& a) {
  __shared__ Moments sums[kSharedPlanes];
  __shared__ std::uint32_t first[kSharedPlanes];
  for (int i = static_cast<int>(threadIdx.x); i < kSharedPlanes; i += kCloudThreads) {
    sums[i] = Moments();
    first[i] = 0;
  }
  __syncthreads();
  for_each_point(a, [&](int i, bool is_there) {
    std::uint32_t plane = kNoCell;
    planes::CloudPoint point = {};
    if (is_there) {
      const std::uint32_t cell = a.point_cells[i];
      if (cell != kNoCell) {
        load_place(a, i, &point);
        plane = nearest_plane(a, cell, point);
      }
      a.point_planes[i] = static_cast<std::uint16_t>(plane + 1);
    }
    for (unsigned open = __ballot_sync(kAll, plane != kNoCell); open != 0;) {
      const std::uint32_t its = __shfl_sync(kAll, plane, __ffs(static_cast<int>(open)) - 1);
      const unsigned same = __ballot_sync(kAll, plane == its);
      const Moments total = warp_total_of_points(plane == its, point);
      const std::uint32_t its_first =
          0xFFFFFFFFU -
          static_cast<std::uint32_t>(__shfl_sync(kAll, i, __ffs(static_cast<int>(same)) - 1));
      if (threadIdx.x % 32 == 0) {
        const bool is_shared = its < kSharedPlanes;
        add_atomically(is_shared ? &sums[its] : &a.label_sums[its], total);
        atomicMax(is_shared ? &first[its] : &a.label_first[its], its_first);
      }
      open &= ~same;
    }
  });
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kSharedPlanes; i += kCloudThreads) {
    if (sums[i].n == 0) continue;
    add_atomically(&a.label_sums[i], sums[i]);
    atomicMax(&a.label_first[i], first[i]);
  }
}

// One block. Planes are sorted by their points, then by their first one: a plane's place is how
// many come before it.
__device__ void select(const CloudPlanesArguments& a) {
  constexpr int kOfThread = planes::kCloudPlanes / kCloudSelectThreads;
  __shared__ unsigned long long keys[planes::kCloudPlanes];
  const planes::CloudRules& rules = a.state->rules;
  const auto planes_there = static_cast<int>(a.state->planes);
  int small = 0, thick = 0, kept = 0;
  for (int i = 0; i < kOfThread; ++i) {
    const int p = i * kCloudSelectThreads + static_cast<int>(threadIdx.x);
    bool is_small = false, is_thick = false;
    unsigned long long key = 0;
    if (p < planes_there && a.planes[p].moments.n > 0) {
      const Moments& moments = a.label_sums[p];
      is_small = moments.n < static_cast<std::uint64_t>(rules.min_inliers);
      if (!is_small && rules.max_thickness > 0.0) {
        const planes::Fit fit = planes::fit_of(planes::statistics_of(moments));
        is_thick = fit.variance[0] > rules.max_thickness * fit.variance[1];
      }
      if (!is_small && !is_thick) key = moments.n << 32 | a.label_first[p];
    }
    keys[p] = key;
    small += __syncthreads_count(is_small ? 1 : 0);
    thick += __syncthreads_count(is_thick ? 1 : 0);
    kept += __syncthreads_count(key != 0 ? 1 : 0);
  }
  const int count = min(kept, rules.max_planes);
  for (int i = 0; i < kOfThread; ++i) {
    const int p = i * kCloudSelectThreads + static_cast<int>(threadIdx.x);
    if (p >= planes_there) break;
    const unsigned long long own = keys[p];
    int place = 0;
    for (int other = 0; other < planes_there && own != 0; ++other) {
      if (keys[other] > own) ++place;
    }
    const bool is_kept = own != 0 && place < count;
    a.final_labels[p + 1] = is_kept ? static_cast<std::uint32_t>(place) + 1 : 0;
    if (!is_kept) continue;
    const planes::Fit fit = planes::fit_of(planes::statistics_of(a.label_sums[p]));
    FoundCloudPlane& found = a.result->planes[place];
    found.moments = a.label_sums[p];
    found.fit = fit;
    found.votes = a.planes[p].votes;
    a.candidates[place] = planes::cloud_plane(rules, a.settings.unit, fit);
    a.axes[place] = planes::hull_axes(fit.normal, a.cosines);
    a.under[place] = 0;
    for (int k = 0; k < planes::kHullDirections; ++k) {
      a.farthest[place * planes::kHullDirections + k] = 0;
    }
  }
  if (threadIdx.x > 0) return;
  a.final_labels[0] = 0;
  a.state->kept = static_cast<std::uint32_t>(count);
  CloudResult& result = *a.result;
  const CloudState& state = *a.state;
  result.rules = rules;
  result.finite = state.finite;
  result.known = state.known;
  result.nodes = state.nodes;
  result.planar_nodes = state.planar;
  result.voters = 0;
  result.peaks = 0;
  for (int round = 0; round < a.settings.rounds; ++round) {
    result.voters += a.rounds[round].voters;
    result.peaks += a.rounds[round].peaks;
  }
  result.small = small;
  result.thick = thick;
  result.surplus = kept - count;
  result.merged = state.merged;
  result.count = count;
}

// Reads first, as for most points another one lies farther.
__device__ __forceinline__ void raise(unsigned long long* to, unsigned long long value) {
  if (*static_cast<const volatile unsigned long long*>(to) < value) atomicMax(to, value);
}

// A block finds the corners of the first planes among its points before it tells the others.
__device__ void write_labels(const CloudPlanesArguments& a) {
  constexpr int kShared = kSharedHulls * planes::kHullDirections;
  __shared__ unsigned long long farthest[kShared];
  __shared__ planes::HullAxes axes[kSharedHulls];
  const bool hull = a.state->rules.hull;
  const int known = hull ? min(static_cast<int>(a.state->kept), kSharedHulls) : 0;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < known * planes::kHullDirections; i += kCloudThreads) farthest[i] = 0;
  for (int i = thread; i < known * planes::kHullAxes; i += kCloudThreads) {
    for (int k = 0; k < 3; ++k) {
      axes[i / planes::kHullAxes].axis[i % planes::kHullAxes][k] =
          a.axes[i / planes::kHullAxes].axis[i % planes::kHullAxes][k];
    }
  }
  __syncthreads();
  const auto look = [&](const planes::HullAxes& along_axes, unsigned long long* to, int i) {
    planes::CloudPoint point;
    load_place(a, i, &point);
#pragma unroll 4
    for (int k = 0; k < planes::kHullAxes; ++k) {
      const std::int64_t along = planes::along_axis(along_axes.axis[k], point);
      raise(&to[k], planes::hull_entry(along, static_cast<std::uint32_t>(i)));
      raise(&to[k + planes::kHullAxes], planes::hull_entry(-along, static_cast<std::uint32_t>(i)));
    }
  };
  for_each_point(a, [&](int i, bool is_there) {
    if (!is_there) return;
    const std::uint32_t label = a.final_labels[a.point_planes[i]];
    a.labels[i] = static_cast<unsigned char>(label);
    if (label == 0 || !hull) return;
    const std::uint32_t plane = label - 1;
    if (plane < kSharedHulls) {
      look(axes[plane], farthest + plane * planes::kHullDirections, i);
    } else {
      look(a.axes[plane], a.farthest + plane * planes::kHullDirections, i);
    }
  });
  __syncthreads();
  for (int i = thread; i < known * planes::kHullDirections; i += kCloudThreads) {
    if (farthest[i] > 0) raise(&a.farthest[i], farthest[i]);
  }
}

__device__ void count_under(const CloudPlanesArguments& a) {
  const planes::CloudRules& rules = a.state->rules;
  const std::uint32_t cells = a.state->cells;
  const auto count = static_cast<int>(a.state->kept);
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t c = blockIdx.x * kCloudThreads + threadIdx.x; c - lane < cells;
       c += gridDim.x * kCloudThreads) {
    unsigned n = 0;
    double mean[3] = {};
    if (c < cells) {
      const Moments& moments = a.cells[c];
      n = static_cast<unsigned>(moments.n);
      const planes::Statistics s = planes::statistics_of(moments);
      for (int i = 0; i < 3; ++i) {
        mean[i] = planes::cloud_metres(rules, a.settings.unit, s.mean[i], i);
      }
    }
    for (int p = 0; p < count; ++p) {
      const bool is_under = n > 0 && planes::lies_under(mean, a.candidates[p], a.ground);
      const unsigned under = warp_sum(is_under ? n : 0U);
      if (lane == 0 && under > 0) atomicAdd(&a.under[p], under);
    }
  }
}

// One block.
__device__ void finish(const CloudPlanesArguments& a) {
  const auto count = static_cast<int>(a.state->kept);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kCloudThreads) {
    a.result->planes[i].under = a.under[i];
  }
  if (!a.state->rules.hull) return;
  for (int i = static_cast<int>(threadIdx.x); i < count * planes::kHullDirections;
       i += kCloudThreads) {
    planes::CloudPoint corner;
    load_place(a, static_cast<int>(planes::hull_point(a.farthest[i])), &corner);
    a.result->planes[i / planes::kHullDirections].corners[i % planes::kHullDirections] = corner;
  }
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_CLOUD_LABELS(name, function, threads)                 \
  extern "C" __global__ void __launch_bounds__(threads, 1)        \
      rdp_cloud_##name(const rdp::cuda::CloudPlanesArguments a) { \
    rdp::cuda::pdl_wait_and_trigger();                            \
    rdp::cuda::function(a);                                       \
  }
RDP_CLOUD_LABELS(label, label_points, rdp::cuda::kCloudThreads)
RDP_CLOUD_LABELS(select, select, rdp::cuda::kCloudSelectThreads)
RDP_CLOUD_LABELS(write, write_labels, rdp::cuda::kCloudThreads)
RDP_CLOUD_LABELS(under, count_under, rdp::cuda::kCloudThreads)
RDP_CLOUD_LABELS(finish, finish, rdp::cuda::kCloudThreads)
