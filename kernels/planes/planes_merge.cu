// SPDX-License-Identifier: LGPL-2.1-or-later
// The union of planes of cells: where they touch (rdp_planes_borders), and the merge of those that
// meet without a step (rdp_planes_merge).
#include <cstddef>
#include <cstdint>

#include "common/planes/cell_rules.h"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/planes/moments.cuh"
#include "kernels/planes/speculative_merge.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

// A cell's plane of one of the pyramids, among those of both; -1: none.
struct CellShare {
  int plane = -1;
  double mean[3];
};

__device__ __forceinline__ CellShare share_of(const FramePlanesArguments& a,
                                              const PlaneCells& cells, int base, int cell) {
  CellShare share;
  const int owner = settled_owner(a, cells, cell);
  if (owner < 0 || cell_moments(a, cells, cell).n == 0) return share;
  share.plane = base + owner;
  const planes::Statistics& s = cell_statistics(a, cells, cell);
  for (int i = 0; i < 3; ++i) share.mean[i] = s.mean[i];
  return share;
}

// Adds a pair of cells to the border of their planes, in a hash table.
__device__ void add_pair(const FramePlanesArguments& a, double slope, const CellShare& one,
                         const CellShare& two) {
  if (one.plane < 0 || two.plane < 0 || one.plane == two.plane) return;
  const bool ordered = one.plane < two.plane;
  CellShare p, q;
  p.plane = ordered ? one.plane : two.plane;
  q.plane = ordered ? two.plane : one.plane;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    p.mean[i] = ordered ? one.mean[i] : two.mean[i];
    q.mean[i] = ordered ? two.mean[i] : one.mean[i];
  }
  const std::int64_t step =
      planes::border_step(a.merged[p.plane].fit, p.mean, a.merged[q.plane].fit, q.mean);
  const std::int64_t tolerance = planes::border_tolerance(a.rules, slope, p.mean, q.mean);
  const std::uint32_t key =
      static_cast<std::uint32_t>(p.plane) * (2 * kMaxParts) + static_cast<std::uint32_t>(q.plane);
  std::uint32_t place = key * 2654435761U & a.border_mask;
  while (true) {
    const std::uint32_t there = atomicCAS(&a.border_keys[place], 0U, key);
    if (there == 0) {
      const std::uint32_t border = atomicAdd(&a.counters->borders, 1U);
      a.borders[border].place = place;
    }
    if (there == 0 || there == key) break;
    place = (place + 1) & a.border_mask;
  }
  atomicAdd(&a.border_sums[2 * place], static_cast<unsigned long long>(step));
  atomicAdd(&a.border_sums[2 * place + 1], static_cast<unsigned long long>(tolerance));
}

__device__ void find_borders(const FramePlanesArguments& a) {
  const int cell = static_cast<int>(blockIdx.x) * kNodeThreads + static_cast<int>(threadIdx.x);
  if (cell >= a.cell_count) return;
  const int column = cell % a.rules.columns, row = cell / a.rules.columns;
  const double slope = slope_of(a);
  const CellShare own = share_of(a, a.main_cells, 0, cell);
  const auto look = [&](const PlaneCells& cells, int base, const CellShare& share) {
    if (share.plane < 0) return;
    if (column + 1 < a.rules.columns) add_pair(a, slope, share, share_of(a, cells, base, cell + 1));
    if (row + 1 < a.rules.rows) {
      add_pair(a, slope, share, share_of(a, cells, base, cell + a.rules.columns));
    }
  };
  look(a.main_cells, 0, own);
  if (a.has_rest == 0) return;
  const CellShare rest = share_of(a, a.rest_cells, kMaxParts, cell);
  add_pair(a, slope, own, rest);
  look(a.rest_cells, kMaxParts, rest);
}

__device__ __forceinline__ PlaneNumbers numbers_of_planes(const FramePlanesArguments& a) {
  const int of_frame = static_cast<int>(*a.main_cells.part_count);
  const int of_rest = a.has_rest != 0 ? static_cast<int>(*a.rest_cells.part_count) : 0;
  return {of_frame, of_frame + of_rest};
}

// Calls visit(plane) for all planes of both pyramids, some for each thread.
template <typename Visit>
__device__ __forceinline__ void for_each_plane(const FramePlanesArguments& a, const Visit& visit) {
  const PlaneNumbers numbers = numbers_of_planes(a);
  for (int i = static_cast<int>(threadIdx.x); i < numbers.all; i += kMergeThreads) {
    visit(numbers.global(i));
  }
}

// Shared state of the planes of both pyramids while they merge.
struct Merging {
  static constexpr std::uint16_t kNone = 0xFFFF;
  unsigned long long best[2 * kMaxParts];  // rank among the borders of a plane; 0: none
  std::uint16_t roots[2 * kMaxParts];      // the plane that this one is part of
  std::uint16_t into[2 * kMaxParts];       // plane that it merges into in this pass
  unsigned char changed[2 * kMaxParts];    // by the pass before
  bool grown[2 * kMaxParts];               // by any
  int listed[kMergeThreads];               // borders that need a fit
  int listed_count;
};

// The planes of a border.
struct Sides {
  int p, q;
};
__device__ __forceinline__ Sides sides_of(const Merging& all, std::uint32_t key) {
  return {all.roots[key / (2 * kMaxParts)], all.roots[key % (2 * kMaxParts)]};
}

__device__ __forceinline__ void offer(Merging* all, const Sides& sides, unsigned long long rank) {
  atomicMax(&all->best[sides.p], rank);
  atomicMax(&all->best[sides.q], rank);
}

// Returns the key of a border whose planes may ever merge, which no merge changes; else 0. Removes
// the border from the table, which ends up empty.
__device__ __forceinline__ std::uint32_t begin_border(const FramePlanesArguments& a,
                                                      PlaneBorder* border) {
  const std::uint32_t place = border->place;
  const auto steps = static_cast<std::int64_t>(a.border_sums[2 * place]);
  const auto tolerances = static_cast<std::int64_t>(a.border_sums[2 * place + 1]);
  const std::uint32_t key = (steps < 0 ? -steps : steps) > tolerances ? 0U : a.border_keys[place];
  border->key = key;
  border->fits = 0;
  a.border_keys[place] = 0;
  a.border_sums[2 * place] = 0;
  a.border_sums[2 * place + 1] = 0;
  return key;
}

// True if only a fit of both planes can tell whether they merge. If neither has changed, the
// earlier result still holds.
__device__ __forceinline__ bool may_fit(const FramePlanesArguments& a, PlaneBorder* border,
                                        int pass, Merging* all) {
  if (border->key == 0) return false;
  const Sides sides = sides_of(*all, border->key);
  if (sides.p == sides.q) {
    border->key = 0;
    return false;
  }
  if (pass > 0 && all->changed[sides.p] == 0 && all->changed[sides.q] == 0) {
    if (border->fits != 0) offer(all, sides, border->rank);
    return false;
  }
  border->fits = 0;
  // A cheap part of may_merge(), tested before its other arguments are computed.
  return planes::similar_direction(a.merged[sides.p].fit, a.merged[sides.q].fit);
}

// Decides by the fit of both planes, of `pixels` with these statistics, whether they merge. Only
// threads with `records` write the result.
__device__ __forceinline__ void judge_border(const FramePlanesArguments& a, double slope,
                                             PlaneBorder* border, unsigned long long pixels,
                                             const planes::Statistics& statistics, bool records,
                                             Merging* all) {
  const Sides sides = sides_of(*all, border->key);
  const MergedPlane& one = a.merged[sides.p];
  const MergedPlane& two = a.merged[sides.q];
  const planes::Statistics& of_smaller = statistics_of_smaller(one, two, sides.p > sides.q);
  const planes::Fit joint = planes::fit_of(statistics);
  if (!planes::may_merge(a.rules, slope, one.fit, two.fit, of_smaller, joint) || !records) return;
  border->joint = joint;
  border->joint_statistics = statistics;
  border->rank = pixels << 32 | (0xFFFFFFFFU - border->key);
  border->fits = 1;
  offer(all, sides, border->rank);
}

// Fits a plane to both sides of each listed border. Few borders have a warp each, which is fastest
// for a single one; many have a thread each.
__device__ __forceinline__ void fit_borders(const FramePlanesArguments& a, double slope,
                                            Merging* all) {
  constexpr int kWarps = kMergeThreads / 32;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  if (all->listed_count > kWarps) {
    for (int e = lane * kWarps + thread / 32; e < all->listed_count; e += kMergeThreads) {
      PlaneBorder* const border = &a.borders[all->listed[e]];
      const Sides sides = sides_of(*all, border->key);
      planes::Moments both = a.merged[sides.p].moments;
      both.add(a.merged[sides.q].moments);
      judge_border(a, slope, border, both.n, planes::statistics_of(both), true, all);
    }
    return;
  }
  const int e = thread / 32;
  if (e >= all->listed_count) return;
  PlaneBorder* const border = &a.borders[all->listed[e]];
  const Sides sides = sides_of(*all, border->key);
  unsigned long long both = 0;
  if (lane < kMoments) {
    both =
        numbers_of(&a.merged[sides.p].moments)[lane] + numbers_of(&a.merged[sides.q].moments)[lane];
  }
  judge_border(a, slope, border, both, warp_statistics(both), lane == 0, all);
}

// In each pass every plane finds its best border: the most pixels on both sides, then the first. If
// that is the best one of both sides, they merge.
__device__ __forceinline__ void merge_many(const FramePlanesArguments& a, double slope, int borders,
                                           Merging* shared) {
  Merging& all = *shared;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  if (thread == 0) all.listed_count = 0;
  for_each_plane(a, [&](int p) {
    all.best[p] = 0;
    all.roots[p] = a.roots[p] < 0 ? Merging::kNone : static_cast<std::uint16_t>(p);
    all.into[p] = Merging::kNone;
    all.changed[p] = 1;
    all.grown[p] = false;
  });
  __syncthreads();
  for (int pass = 0; pass < planes::kMergePasses; ++pass) {
    for (int base = 0; base < borders; base += kMergeThreads) {
      const int b = base + thread;
      const bool is_open = b < borders && may_fit(a, &a.borders[b], pass, &all);
      const unsigned who = __ballot_sync(kAll, is_open);
      int place = 0;
      if (lane == 0 && who != 0) place = atomicAdd(&all.listed_count, __popc(who));
      place = __shfl_sync(kAll, place, 0) + __popc(who & ((1U << lane) - 1U));
      if (is_open) all.listed[place] = b;
      __syncthreads();
      fit_borders(a, slope, &all);
      __syncthreads();
      if (thread == 0) all.listed_count = 0;
      __syncthreads();
    }
    bool any = false;
    for_each_plane(a, [&](int p) { all.changed[p] = 0; });
    __syncthreads();
    for (int b = thread; b < borders; b += kMergeThreads) {
      const PlaneBorder& border = a.borders[b];
      if (border.key == 0 || border.fits == 0) continue;
      const Sides sides = sides_of(all, border.key);
      if (all.best[sides.p] != border.rank || all.best[sides.q] != border.rank) continue;
      const int kept = min(sides.p, sides.q), gone = max(sides.p, sides.q);
      a.merged[kept].moments.add(a.merged[gone].moments);
      a.merged[kept].fit = border.joint;
      a.merged[kept].statistics = border.joint_statistics;
      a.merged_votes[kept] = max(a.merged_votes[kept], a.merged_votes[gone]);
      all.into[gone] = static_cast<std::uint16_t>(kept);
      all.changed[kept] = 1;
      all.changed[gone] = 1;
      all.grown[kept] = true;
      atomicAdd(&a.counters->merged, 1U);
      any = true;
    }
    if (__syncthreads_or(any ? 1 : 0) == 0) break;
    for_each_plane(a, [&](int p) {
      const std::uint16_t root = all.roots[p];
      if (root != Merging::kNone && all.into[root] != Merging::kNone) {
        all.roots[p] = all.into[root];
      }
      all.best[p] = 0;
    });
    __syncthreads();
  }
  for_each_plane(a, [&](int p) {
    const std::uint16_t root = all.roots[p];
    a.roots[p] = root == Merging::kNone ? -1 : root;
    if (root != p || !all.grown[p]) return;
    a.pixel_planes[p] = planes::pixel_plane(a.merged[p].fit, a.rules.focal_x, a.rules.focal_y,
                                            a.rules.principal_x, a.rules.principal_y);
  });
}

// One block.
__device__ void merge(const FramePlanesArguments& a) {
  constexpr std::size_t kBytes =
      sizeof(Merging) > sizeof(SpeculativeMerge) ? sizeof(Merging) : sizeof(SpeculativeMerge);
  __shared__ __align__(16) unsigned char shared[kBytes];
  const int borders = static_cast<int>(a.counters->borders);
  const PlaneNumbers numbers = numbers_of_planes(a);
  const double slope = slope_of(a);
  std::uint32_t key = 0;
  for (int b = static_cast<int>(threadIdx.x); b < borders; b += kMergeThreads) {
    key = begin_border(a, &a.borders[b]);
  }
  if (numbers.all <= kForeseenPlanes && borders <= kMergeThreads) {
    auto* const foreseen = reinterpret_cast<SpeculativeMerge*>(shared);
    begin_foreseeing(a, numbers, foreseen);
    __syncthreads();
    speculate(a, slope, numbers, key, foreseen);
    if (is_confirmed(a, slope, numbers, foreseen)) {
      write_foreseen(a, numbers, *foreseen);
      return;
    }
  }
  __syncthreads();
  merge_many(a, slope, borders, reinterpret_cast<Merging*>(shared));
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kNodeThreads)
    rdp_planes_borders(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::find_borders(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kMergeThreads)
    rdp_planes_merge(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::merge(a);
}
