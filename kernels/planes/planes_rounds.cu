// SPDX-License-Identifier: LGPL-2.1-or-later
// A round from its peaks to planes: planes of the peaks' nodes (rdp_planes_fit), nodes go to the
// nearest of them (rdp_planes_take), their parts (planes_split.cu) get planes of their own
// (rdp_planes_parts) and take cells from each other (rdp_planes_grow). After the last round
// rdp_planes_settle fits planes to what they own.
#include <cstdint>

#include "common/planes/cell_rules.h"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/planes/moments.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Fit;
using planes::Moments;

// Fits planes, a block for each peak, from its largest node: the mean of all its nodes may lie
// between two planes.
__device__ void fit_peaks(const FramePlanesArguments& a) {
  constexpr std::uint32_t kMaxListed = 512;
  __shared__ BlockMoments sums;
  __shared__ Fit fit;
  __shared__ std::uint32_t listed[kMaxListed];  // nodes of the peak
  __shared__ std::uint32_t count;
  RoundCounters& counted = a.round_counters[a.round];
  const std::uint32_t peaks = counted.peaks, voters = counted.voters;
  for (std::uint32_t p = blockIdx.x; p < peaks; p += gridDim.x) {
    const VotePeak peak = a.peaks[p];
    if (peak.largest == 0 || peak.pixels < static_cast<std::uint64_t>(a.rules.min_inliers / 2)) {
      continue;
    }
    const std::uint32_t largest = 0xFFFFFFFFU - static_cast<std::uint32_t>(peak.largest);
    __syncthreads();
    if (threadIdx.x == 0) {
      fit = a.cells.nodes[largest].fit;
      count = 0;
    }
    __syncthreads();
    for (std::uint32_t v = threadIdx.x; v < voters; v += kFitThreads) {
      const Voter voter = a.voters[v];
      if (voter.peak != p) continue;
      const std::uint32_t place = atomicAdd(&count, 1U);
      if (place < kMaxListed) listed[place] = voter.node;
    }
    __syncthreads();
    const bool has_list = count <= kMaxListed;  // else all voters are looked at each time
    const std::uint32_t many = has_list ? count : voters;
    static_assert(sizeof planes::kNarrowing == 3 * sizeof(double));
    constexpr double kFirst = planes::kNarrowing[0];
    constexpr double kSecond = planes::kNarrowing[1];
    constexpr double kThird = planes::kNarrowing[2];
    // In the first warp: the sums of `fit`. Mostly the same nodes count again.
    unsigned long long fitted = 0;
    if (threadIdx.x < kMoments) fitted = numbers_of(&a.cells.moments[largest])[threadIdx.x];
    for (int i = 0; i < 3; ++i) {
      const double k = i == 0 ? kFirst : i == 1 ? kSecond : kThird;
      const Fit before = fit;
      Moments mine;
      for (std::uint32_t v = threadIdx.x; v < many; v += kFitThreads) {
        if (!has_list && a.voters[v].peak != p) continue;
        const std::uint32_t number = has_list ? listed[v] : a.voters[v].node;
        const PlanarNode& node = a.cells.nodes[number];
        // Read before it is known whether it counts: both reads are on their way together.
        const Moments moments = a.cells.moments[number];
        if (number == largest ||
            planes::squared_distance(node.statistics, before) <= k * k * node.tolerance2) {
          mine.add(moments);
        }
      }
      block_total(mine, &sums);
      if (threadIdx.x < 32) {
        unsigned long long number = 0;
        if (threadIdx.x < kMoments) number = numbers_of(&sums.total)[threadIdx.x];
        if (__any_sync(kAll, number != fitted) != 0) {
          fitted = number;
          const Fit after = planes::fit_of(warp_statistics(number));
          if (threadIdx.x == 0) fit = after;
        }
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      VotePlane plane;
      plane.fit = fit;
      plane.cell = peak.cell;
      plane.votes = peak.votes;
      plane.pixels = 0;
      plane.unused = 0;
      a.planes[atomicAdd(&counted.planes, 1U)] = plane;
    }
  }
}

// Gives a voter's free cells to the nearest plane, a warp for each voter. If several are equally
// near, the plane of the first peak wins.
__device__ void take_nodes(const FramePlanesArguments& a) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  RoundCounters& counted = a.round_counters[a.round];
  const std::uint32_t voters = counted.voters, planes_made = counted.planes;
  const std::uint32_t least = least_pixels(a);
  for (std::uint32_t v = (blockIdx.x * kPlaneThreads + threadIdx.x) / 32; v < voters;
       v += gridDim.x * (kPlaneThreads / 32)) {
    const std::uint32_t number = a.voters[v].node;
    const PlanarNode node = a.cells.nodes[number];
    double best = 0.0;
    std::uint32_t best_cell = kNoSlot, best_plane = kNoSlot;
    for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < planes_made; p += 32) {
      const VotePlane& plane = a.planes[p];
      const double d = planes::squared_distance(node.statistics, plane.fit);
      if (!(d <= node.tolerance2)) continue;
      const bool nearer =
          best_plane == kNoSlot || d < best || (d == best && plane.cell < best_cell);
      if (!nearer || !planes::same_direction(node.fit, node.tolerance2, plane.fit)) continue;
      best = d;
      best_cell = plane.cell;
      best_plane = p;
    }
#pragma unroll
    for (int i = 16; i > 0; i /= 2) {
      const double d = __shfl_xor_sync(kAll, best, i);
      const std::uint32_t cell = __shfl_xor_sync(kAll, best_cell, i);
      const std::uint32_t plane = __shfl_xor_sync(kAll, best_plane, i);
      if (plane == kNoSlot) continue;
      if (best_plane == kNoSlot || d < best || (d == best && cell < best_cell)) {
        best = d;
        best_cell = cell;
        best_plane = plane;
      }
    }
    if (best_plane == kNoSlot) continue;
    if (lane == 0) {
      const std::uint32_t pixels = a.voters[v].pixels;
      const std::uint32_t before = atomicAdd(&a.planes[best_plane].pixels, pixels);
      if (before < least && before + pixels >= least) atomicAdd(&counted.kept, 1U);
    }
    const NodePlace place = place_of(a, static_cast<int>(number));
    const int side = 1 << place.level;
    const int left = place.column * side, top = place.row * side;
    const int columns = min(side, a.rules.columns - left), rows = min(side, a.rules.rows - top);
    constexpr int kAtOnce = 8;
    for (int first_place = lane; first_place < columns * rows; first_place += 32 * kAtOnce) {
      int cells[kAtOnce], owner[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int at = first_place + 32 * i;
        const bool is_inside = at < columns * rows;
        cells[i] = is_inside ? (top + at / columns) * a.rules.columns + left + at % columns : -1;
        owner[i] = is_inside ? a.cells.grown[cells[i]] : -1;
      }
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        if (cells[i] < 0 || is_settled(a, a.cells, owner[i])) continue;
        a.cells.grown[cells[i]] = kNewPlanes + static_cast<int>(best_plane);
      }
    }
  }
}

// Adds numbers to the roots of the warp's threads, once for each root.
__device__ __forceinline__ void add_to_roots(std::int32_t* counts, std::uint32_t root,
                                             unsigned number) {
  unsigned open = __ballot_sync(kAll, root != kNoSlot);
  while (open != 0) {
    const std::uint32_t its = __shfl_sync(kAll, root, __ffs(static_cast<int>(open)) - 1);
    const bool same = root == its;
    const unsigned sum = warp_sum(same ? number : 0U);
    open &= ~__ballot_sync(kAll, same);
    if (threadIdx.x % 32 == 0) atomicAdd(&counts[its], static_cast<int>(sum));
  }
}

// Shared memory of a block that sums up the cells of a part.
struct PartSums {
  BlockMoments sums;
  std::uint16_t ends[kPlaneThreads * 20];  // of runs among the cells that are looked at together
  unsigned count;
};

// Sums the cells of a part by a block, into shared->sums.total. It finds the ends of the part's
// runs in rows of cells, many cells at a time, so that reads overlap. A run's sum is the row's sum
// up to its end minus that up to its beginning.
__device__ void sum_part(const FramePlanesArguments& a, int part, const std::int32_t* owners,
                         PartSums* shared) {
  constexpr int kAtOnce = 20;
  static_assert(sizeof shared->ends == kPlaneThreads * kAtOnce * sizeof(std::uint16_t));
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int columns = a.rules.columns, step = kPlaneThreads % columns;
  int column = thread % columns;
  Moments mine;
  for (int base = 0; base < a.cell_count; base += kPlaneThreads * kAtOnce) {
    if (thread == 0) shared->count = 0;
    __syncthreads();
    int owner[kAtOnce], next[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int cell = base + i * kPlaneThreads + thread;
      owner[i] = cell < a.cell_count ? owners[cell] : -1;
      next[i] = lane == 31 && cell + 1 < a.cell_count ? owners[cell + 1] : -1;
    }
    unsigned found = 0, begins = 0;  // a bit for each
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int beside = __shfl_down_sync(kAll, owner[i], 1);
      const bool is_own = owner[i] == part;
      const bool goes_on = column + 1 < columns && (lane == 31 ? next[i] : beside) == part;
      found |= is_own != goes_on ? 1U << i : 0U;
      begins |= is_own ? 0U : 1U << i;
      column += step;
      if (column >= columns) column -= columns;
    }
    const auto many = static_cast<unsigned>(__popc(found));
    const unsigned until = warp_inclusive_sum(many);
    unsigned place = 0;
    if (lane == 31) place = atomicAdd(&shared->count, until);
    place = __shfl_sync(kAll, place, 31) + until - many;
    for (; found != 0; found &= found - 1) {
      const int i = __ffs(static_cast<int>(found)) - 1;
      shared->ends[place++] =
          static_cast<std::uint16_t>(2 * (i * kPlaneThreads + thread) + (begins >> i & 1));
    }
    __syncthreads();
    const auto count = static_cast<int>(shared->count);
#pragma unroll 2
    for (int i = thread; i < count; i += kPlaneThreads) {
      const int end = shared->ends[i];
      const Moments& of_row = a.cells.row_sums[base + end / 2];
      const std::uint64_t sign = end % 2 != 0 ? ~std::uint64_t{0} : 0;  // v ^ ~0 is -v - 1
      mine.n += (of_row.n ^ sign) - sign;
#pragma unroll
      for (int k = 0; k < 3; ++k) mine.sum[k] += (of_row.sum[k] ^ sign) - sign;
#pragma unroll
      for (int k = 0; k < 6; ++k) mine.products[k] += (of_row.products[k] ^ sign) - sign;
    }
    __syncthreads();
  }
  block_total(mine, &shared->sums);
}

// A block for each part: fits its plane.
__device__ void fit_parts(const FramePlanesArguments& a) {
  __shared__ PartSums shared;
  if (!round_is_on(a) || a.round_counters[a.round].kept == 0) return;
  const int parts = static_cast<int>(*a.cells.part_count);
  for (int part = static_cast<int>(blockIdx.x); part < parts; part += static_cast<int>(gridDim.x)) {
    sum_part(a, part, a.cells.owner, &shared);
    if (threadIdx.x < 32) {
      const Fit fit = planes::fit_of(warp_statistics(shared.sums.total));
      if (threadIdx.x == 0) {
        a.cells.part_fits[part] = fit;
        a.cells.part_pixels[part] = 0;
      }
    }
    __syncthreads();
  }
}

// Moves each cell to the nearest of its own and its neighbours' planes, if near enough; all cells
// at once, in a few passes. A cell depends on cells at most as many cells away as there are passes.
// So a block does all passes for a tile and its surroundings.
__device__ void grow(const FramePlanesArguments& a) {
  constexpr int kReach = planes::kGrowthPasses;
  constexpr int kSide = kGrowTile + 2 * kReach;
  constexpr int kAround = kSide + 2;  // with a border that nobody owns
  constexpr int kOfThread = (kAround * kAround + kGrowThreads - 1) / kGrowThreads;
  __shared__ std::int16_t owners[2][kAround * kAround];
  __shared__ unsigned char changes[2][kAround * kAround];  // whether in the pass before
  __shared__ unsigned char pixels[kAround * kAround];
  __shared__ std::uint16_t listed[kSide * kSide];  // cells that a pass looks at
  __shared__ int listed_counts[kReach];
  if (!round_is_on(a) || a.round_counters[a.round].kept == 0) return;
  const int left = static_cast<int>(blockIdx.x) * kGrowTile - kReach - 1;
  const int top = static_cast<int>(blockIdx.y) * kGrowTile - kReach - 1;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const auto cell_at = [&](int i) {
    const int x = left + i % kAround, y = top + i / kAround;
    const bool is_inside = i < kAround * kAround && i % kAround > 0 && i % kAround <= kSide &&
                           i / kAround > 0 && i / kAround <= kSide && x >= 0 &&
                           x < a.rules.columns && y >= 0 && y < a.rules.rows;
    return is_inside ? y * a.rules.columns + x : -1;
  };
  // The number of passes that may matter to the tile: a pass goes one cell to each side.
  const auto passes_of = [](int i) {
    const int x = i % kAround - kReach - 1, y = i / kAround - kReach - 1;
    const int away = max(0, max(-x, x - kGrowTile + 1)) + max(0, max(-y, y - kGrowTile + 1));
    return max(0, kReach - away);
  };
  int owner_of[kOfThread], passes[kOfThread];
  unsigned pixels_of_cell[kOfThread];
#pragma unroll
  for (int k = 0; k < kOfThread; ++k) {
    const int cell = cell_at(thread + k * kGrowThreads);
    owner_of[k] = cell < 0 ? -1 : a.cells.owner[cell];
    pixels_of_cell[k] = cell < 0 ? 0U : static_cast<unsigned>(cell_moments(a, a.cells, cell).n);
  }
#pragma unroll
  for (int k = 0; k < kOfThread; ++k) {
    const int i = thread + k * kGrowThreads;
    passes[k] = pixels_of_cell[k] >= planes::kGrowthPixels ? passes_of(i) : 0;
    if (i >= kAround * kAround) continue;
    owners[0][i] = static_cast<std::int16_t>(owner_of[k]);
    owners[1][i] = static_cast<std::int16_t>(owner_of[k]);
    changes[0][i] = passes[k] > 0 ? 1 : 0;
    changes[1][i] = 0;
    pixels[i] = static_cast<unsigned char>(pixels_of_cell[k]);
  }
  if (thread < kReach) listed_counts[thread] = 0;
  __syncthreads();
  const double slope = slope_of(a);
  int now = 0;
#pragma unroll 1
  for (int pass = 0; pass < planes::kGrowthPasses; ++pass) {
    // Few cells lie beside another plane's: they are shared among the threads.
    unsigned who[kOfThread];
    int of_warp = 0;
#pragma unroll
    for (int k = 0; k < kOfThread; ++k) {
      const int i = thread + k * kGrowThreads;
      bool is_border = false;
      if (passes[k] > 0) {
        const int own = owners[now][i];
        owners[now ^ 1][i] = static_cast<std::int16_t>(own);
        const unsigned char* const changed = changes[now] + i;
        changes[now ^ 1][i] = 0;
        // Unchanged surroundings change nothing.
        if (passes[k] > pass &&
            (changed[0] | changed[-1] | changed[1] | changed[-kAround] | changed[kAround]) != 0) {
          const std::int16_t* const near = owners[now] + i;
          const auto differs = [&](int other) { return other >= 0 && other != own; };
          is_border = differs(near[-kAround]) || differs(near[-1]) || differs(near[1]) ||
                      differs(near[kAround]);
        }
      }
      who[k] = __ballot_sync(kAll, is_border);
      of_warp += __popc(who[k]);
    }
    int place = 0;
    if (lane == 0 && of_warp > 0) place = atomicAdd(&listed_counts[pass], of_warp);
    place = __shfl_sync(kAll, place, 0);
#pragma unroll
    for (int k = 0; k < kOfThread; ++k) {
      if ((who[k] >> lane & 1) != 0) {
        listed[place + __popc(who[k] & ((1U << lane) - 1U))] =
            static_cast<std::uint16_t>(thread + k * kGrowThreads);
      }
      place += __popc(who[k]);
    }
    __syncthreads();
    const int count = listed_counts[pass];
    bool any = false;
#pragma unroll 1
    for (int e = thread; e < count; e += kGrowThreads) {
      const int i = listed[e];
      const int own = owners[now][i];
      const int near[5] = {own, owners[now][i - kAround], owners[now][i - 1], owners[now][i + 1],
                           owners[now][i + kAround]};
      const planes::Statistics s = cell_statistics(a, a.cells, cell_at(i));
      int best_plane = own;
      double best = 0.0;
      bool found = false;
      // The planes that differ, a bit for each place.
      unsigned open = 0;
#pragma unroll
      for (int j = 0; j < 5; ++j) {
        bool is_first = near[j] >= 0;
#pragma unroll
        for (int l = 0; l < j; ++l) is_first = is_first && near[l] != near[j];
        if (is_first) open |= 1U << j;
      }
#pragma unroll 1
      for (; open != 0; open &= open - 1) {
        const int j = __ffs(static_cast<int>(open)) - 1;
        int plane = own;
#pragma unroll
        for (int l = 1; l < 5; ++l) plane = j == l ? near[l] : plane;
        const Fit& fit = a.cells.part_fits[plane];
        const double d = planes::squared_distance(s, fit);
        const double extent = planes::squared_extent(s, fit);
        if (!(d <= planes::squared_tolerance(a.rules, slope, s.mean[2], extent))) continue;
        if (found && !(d < best || (d == best && plane < best_plane))) continue;
        found = true;
        best = d;
        best_plane = plane;
      }
      if (best_plane == own) continue;
      owners[now ^ 1][i] = static_cast<std::int16_t>(best_plane);
      changes[now ^ 1][i] = 1;
      any = true;
    }
    now ^= 1;
    if (__syncthreads_or(any ? 1 : 0) == 0) break;
  }
  static_assert(kGrowTile * kGrowTile % 32 == 0 && kGrowTile * kGrowTile <= kGrowThreads);
  static_assert(planes::kCell * planes::kCell < 256);
  if (thread >= kGrowTile * kGrowTile) return;
  const int i = (thread / kGrowTile + kReach + 1) * kAround + thread % kGrowTile + kReach + 1;
  const int cell = cell_at(i);
  const int owner = cell < 0 ? -1 : owners[now][i];
  if (cell >= 0) a.cells.grown[cell] = owner;
  add_to_roots(reinterpret_cast<std::int32_t*>(a.cells.part_pixels),
               owner >= 0 ? static_cast<std::uint32_t>(owner) : kNoSlot, pixels[i]);
}

// The parts of a plane that pixels need.
__device__ __forceinline__ planes::PixelPlane pixels_of(const FramePlanesArguments& a,
                                                        const Fit& fit) {
  return planes::pixel_plane(fit, a.rules.focal_x, a.rules.focal_y, a.rules.principal_x,
                             a.rules.principal_y);
}

// The planes of all rounds of a pyramid, as merging takes them: those of the rest after those of
// the frame.
__device__ void settle(const FramePlanesArguments& a) {
  __shared__ PartSums shared;
  const int parts = static_cast<int>(*a.cells.part_count);
  const int base = a.is_rest != 0 ? kMaxParts : 0;
  // The votes are where the last round that split has put them.
  int parity = 0;
  for (int round = a.first_round; round < a.round + 1; ++round) {
    if (a.round_counters[round].kept == 0) break;
    parity = round & 1;
  }
  for (int part = static_cast<int>(blockIdx.x); part < parts; part += static_cast<int>(gridDim.x)) {
    if (a.cells.part_pixels[part] < fewest_pixels(a.rules.min_part)) {
      if (threadIdx.x == 0) a.roots[base + part] = -1;
      continue;
    }
    sum_part(a, part, a.cells.grown, &shared);
    if (threadIdx.x < 32) {
      const planes::Statistics statistics = warp_statistics(shared.sums.total);
      const Fit fit = planes::fit_of(statistics);
      if (threadIdx.x == 0) {
        a.roots[base + part] = base + part;
        a.merged[base + part] = {shared.sums.total, statistics, fit};
        a.merged_votes[base + part] = a.cells.part_votes[parity][part];
        a.pixel_planes[base + part] = pixels_of(a, fit);
      }
    }
    __syncthreads();
  }
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_PLANES_ROUNDS(name, function, threads)                 \
  extern "C" __global__ void __launch_bounds__(threads, 1)         \
      rdp_planes_##name(const rdp::cuda::FramePlanesArguments a) { \
    rdp::cuda::pdl_wait_and_trigger();                             \
    rdp::cuda::function(a);                                        \
  }
RDP_PLANES_ROUNDS(fit, fit_peaks, rdp::cuda::kFitThreads)
RDP_PLANES_ROUNDS(take, take_nodes, rdp::cuda::kPlaneThreads)
RDP_PLANES_ROUNDS(parts, fit_parts, rdp::cuda::kPlaneThreads)
RDP_PLANES_ROUNDS(grow, grow, rdp::cuda::kGrowThreads)
RDP_PLANES_ROUNDS(settle, settle, rdp::cuda::kPlaneThreads)
