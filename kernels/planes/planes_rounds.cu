// SPDX-License-Identifier: LGPL-2.1-or-later
// A round from its peaks to parts of planes: planes of the peaks' nodes (rdp_planes_fit), nodes go
// to the nearest of them (rdp_planes_take), their cells are split into parts (rdp_planes_split),
// which get planes of their own (rdp_planes_parts) and take cells from each other
// (rdp_planes_grow). After the last round rdp_planes_settle fits planes to what they own.
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

using planes::Fit;
using planes::Moments;

// What a new plane needs.
__device__ __forceinline__ std::uint32_t least_pixels(const FramePlanesArguments& a) {
  return fewest_pixels(a.rules.min_inliers / 2);
}

// A block for each peak. From its largest node: the mean of its nodes may lie between two planes.
__device__ void fit_peaks(const FramePlanesArguments& a) {
  constexpr std::uint32_t kMostListed = 512;
  __shared__ BlockMoments sums;
  __shared__ Fit fit;
  __shared__ std::uint32_t listed[kMostListed];  // nodes of the peak
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
      if (place < kMostListed) listed[place] = voter.node;
    }
    __syncthreads();
    const bool has_list = count <= kMostListed;  // else all voters are looked at each time
    const std::uint32_t many = has_list ? count : voters;
    static_assert(sizeof planes::kNarrowing == 3 * sizeof(double));
    constexpr double kFirst = planes::kNarrowing[0];
    constexpr double kSecond = planes::kNarrowing[1];
    constexpr double kThird = planes::kNarrowing[2];
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
        const Fit after = planes::fit_of(warp_statistics(sums.total));
        if (threadIdx.x == 0) fit = after;
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

// A warp for each voter: it goes to the nearest of the planes, of equally near ones to that of the
// first peak, with the cells that nobody owns.
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

// The plane that owns a cell before the split, as a number; -1: none.
__device__ __forceinline__ int key_of(const FramePlanesArguments& a, int owner) {
  if (owner < 0) return -1;
  const bool is_new = owner >= kNewPlanes;
  const std::uint32_t pixels =
      is_new ? a.planes[owner - kNewPlanes].pixels : a.cells.part_pixels[owner];
  return pixels >= (is_new ? least_pixels(a) : fewest_pixels(a.rules.min_part)) ? owner : -1;
}

// The first cell of a run has no parent but itself before rows are united.
__device__ __forceinline__ bool begins_run(const std::int32_t* keys, int column, int cell) {
  return column % 32 == 0 || keys[cell - 1] != keys[cell];
}

// Unites a cell with those before it that lie within two rows and columns and belong to the same
// plane. What the cell to its left or the one above is united with is left out: both are within two
// rows and columns of all that is.
__device__ __forceinline__ void unite_cell(const FramePlanesArguments& a, const std::int32_t* keys,
                                           std::uint32_t* parents, int cell) {
  const int key = keys[cell];
  if (key < 0) return;
  const int columns = a.rules.columns;
  const int x = cell % columns, y = cell / columns;
  const bool is_above = y > 0 && keys[cell - columns] == key;
  const bool is_left = x > 0 && keys[cell - 1] == key;
  // The others by their places, a bit for each: the five from the second row above, the five from
  // the row above, and the two to the left.
  unsigned open;
  if (is_left) {
    open = x % 32 == 0 ? 1U << 11 : 0U;
    if (!is_above) open |= 1U << 4 | 1U << 9;
  } else {
    open = 1U << 10 | (is_above ? 1U << 7 : 0x3FFU);
  }
#pragma unroll 1
  for (; open != 0; open &= open - 1) {
    const int place = __ffs(static_cast<int>(open)) - 1;
    const int dx = place % 5 - 2, dy = place / 5 - 2;
    if (x + dx < 0 || x + dx >= columns || y + dy < 0) continue;
    const int other = cell + dy * columns + dx;
    if (keys[other] != key) continue;
    unite_near(parents, static_cast<std::uint32_t>(cell), static_cast<std::uint32_t>(other));
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

// The split with its arrays in shared or in global memory.
__device__ __forceinline__ void split_in(const FramePlanesArguments& a, std::uint32_t* parents,
                                         std::int32_t* keys, std::int32_t* counts) {
  __shared__ int sums[32];
  constexpr int kAtOnce = 6;
  const int n = a.cell_count;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int columns = a.rules.columns;
  // A warp for 32 cells of a row: the first cell of a run of one plane is the parent of all of
  // them, so that no chain of parents is as long as a run, and has their pixels. Reads of several
  // of them are on their way together.
  const int of_row = (columns + 31) / 32, sections = of_row * a.rules.rows;
  for (int base = thread / 32; base < sections; base += kAtOnce * (kSplitThreads / 32)) {
    int key[kAtOnce];
    unsigned pixels[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int section = base + i * (kSplitThreads / 32);
      const int column = section % of_row * 32 + lane;
      const bool is_inside = section < sections && column < columns;
      const int cell = section / of_row * columns + column;
      key[i] = is_inside ? a.cells.grown[cell] : -1;
      pixels[i] = is_inside ? static_cast<unsigned>(cell_moments(a, a.cells, cell).n) : 0U;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) key[i] = key_of(a, key[i]);
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int section = base + i * (kSplitThreads / 32);
      if (section >= sections) break;
      const int column = section % of_row * 32 + lane;
      const int row_start = section / of_row * columns;
      const int before = __shfl_up_sync(kAll, key[i], 1);
      const unsigned begins = __ballot_sync(kAll, lane == 0 || before != key[i]);
      const unsigned up_to_here = 0xFFFFFFFFU >> (31 - lane);
      const int first = 31 - __clz(static_cast<int>(begins & up_to_here));
      const unsigned after = begins & ~up_to_here;
      const int last = after == 0 ? 31 : __ffs(static_cast<int>(after)) - 2;
      const int until = warp_inclusive_sum(static_cast<int>(pixels[i]));
      const int of_run = __shfl_sync(kAll, until, last) - until + static_cast<int>(pixels[i]);
      if (column >= columns) continue;
      const int cell = row_start + column;
      keys[cell] = key[i];
      parents[cell] = static_cast<std::uint32_t>(cell - lane + first);
      if (lane == first) counts[cell] = of_run;
    }
  }
  __syncthreads();
#pragma unroll 1
  for (int cell = thread; cell < n; cell += kSplitThreads) unite_cell(a, keys, parents, cell);
  __syncthreads();
  // The root of each run becomes its parent and gets its pixels. All runs at once follow their
  // parents' parents, so that paths halve in each step.
#pragma unroll 1
  for (int cell = thread; cell < n; cell += kSplitThreads) {
    if (keys[cell] < 0 || !begins_run(keys, cell % columns, cell)) continue;
    const volatile std::uint32_t* const latest = parents;
    std::uint32_t root = latest[cell];
    if (root == static_cast<std::uint32_t>(cell)) continue;
    while (true) {
      const std::uint32_t above = latest[root];
      if (above == root) break;
      root = above;
      atomicMin(&parents[cell], root);
    }
    atomicAdd(&counts[root], counts[cell]);
  }
  __syncthreads();
  // Each thread numbers the roots among some neighbouring cells.
  const int each = (n + kSplitThreads - 1) / kSplitThreads;
  const int first = thread * each, end = min(n, first + each);
  const auto least = fewest_pixels(a.rules.min_part);
  const auto is_part = [&](int cell) {
    return keys[cell] >= 0 && parents[cell] == static_cast<std::uint32_t>(cell) &&
           static_cast<std::uint32_t>(counts[cell]) >= least;
  };
  int mine = 0;
#pragma unroll 1
  for (int cell = first; cell < end; ++cell) mine += is_part(cell) ? 1 : 0;
  const int until = warp_inclusive_sum(mine);
  if (lane == 31) sums[thread / 32] = until;
  __syncthreads();
  if (thread < 32) sums[lane] = warp_inclusive_sum(sums[lane]);
  __syncthreads();
  int number = until - mine + (thread >= 32 ? sums[thread / 32 - 1] : 0);
  const int parity = a.round & 1;
#pragma unroll 1
  for (int cell = first; cell < end; ++cell) {
    if (keys[cell] < 0 || parents[cell] != static_cast<std::uint32_t>(cell)) continue;
    if (!is_part(cell)) {
      counts[cell] = -1;
      continue;
    }
    const int key = keys[cell];
    a.cells.part_votes[parity][number] =
        key < kNewPlanes ? a.cells.part_votes[parity ^ 1][key] : a.planes[key - kNewPlanes].votes;
    counts[cell] = number++;
  }
  if (thread == 0) *a.cells.part_count = static_cast<std::uint32_t>(sums[31]);
  __syncthreads();
  for (int cell = thread; cell < n; cell += kSplitThreads) {
    a.cells.owner[cell] = keys[cell] < 0 ? -1 : counts[parents[parents[cell]]];
  }
}

// One block. Parts of planes become planes of their own, numbered by their first cells.
__device__ void split(const FramePlanesArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  if (!round_is_on(a) || a.round_counters[a.round].kept == 0) return;
  if (a.split_in_shared != 0) {
    auto* const parents = reinterpret_cast<std::uint32_t*>(memory);
    auto* const keys = reinterpret_cast<std::int32_t*>(parents + a.cell_count);
    split_in(a, parents, keys, keys + a.cell_count);
  } else {
    split_in(a, a.split_parents, a.split_keys, a.split_counts);
  }
}

// What a block shares that sums up the cells of a part.
struct PartSums {
  BlockMoments sums;
  std::uint16_t own[kPlaneThreads * 20];  // of the cells that are looked at together
  unsigned count;
};

// A block looks for the cells of a part, many at a time, so that reads are on their way together,
// and shares those that it finds among its threads. The sum is in shared->sums.total then.
__device__ void sum_part(const FramePlanesArguments& a, int part, const std::int32_t* owners,
                         PartSums* shared) {
  constexpr int kAtOnce = 20;
  static_assert(sizeof shared->own == kPlaneThreads * kAtOnce * sizeof(std::uint16_t));
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  Moments mine;
  for (int base = 0; base < a.cell_count; base += kPlaneThreads * kAtOnce) {
    if (thread == 0) shared->count = 0;
    __syncthreads();
    int owner[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int cell = base + i * kPlaneThreads + thread;
      owner[i] = cell < a.cell_count ? owners[cell] : -1;
    }
    unsigned found = 0;  // a bit for each
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) found |= owner[i] == part ? 1U << i : 0U;
    const auto many = static_cast<unsigned>(__popc(found));
    const unsigned until = warp_inclusive_sum(many);
    unsigned place = 0;
    if (lane == 31) place = atomicAdd(&shared->count, until);
    place = __shfl_sync(kAll, place, 31) + until - many;
    for (; found != 0; found &= found - 1) {
      const int i = __ffs(static_cast<int>(found)) - 1;
      shared->own[place++] = static_cast<std::uint16_t>(i * kPlaneThreads + thread);
    }
    __syncthreads();
    const auto count = static_cast<int>(shared->count);
#pragma unroll 4
    for (int i = thread; i < count; i += kPlaneThreads) {
      mine.add(cell_moments(a, a.cells, base + shared->own[i]));
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
        a.cells.parts[part].fit = fit;
        a.cells.part_pixels[part] = 0;
      }
    }
    __syncthreads();
  }
}

// Every cell to the nearest of its own plane and its neighbours' that it is near enough to; all
// cells at once, a few times. What becomes of a cell depends on those that are at most as many
// cells away as there are passes: a block does all passes for a tile and what is around it.
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
  // How many passes may matter to the tile: a pass goes one cell to each side.
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
#pragma unroll
    for (int k = 0; k < kOfThread; ++k) {
      const int i = thread + k * kGrowThreads;
      bool is_border = false;
      if (passes[k] > 0) {
        const int own = owners[now][i];
        owners[now ^ 1][i] = static_cast<std::int16_t>(own);
        const unsigned char* const changed = changes[now] + i;
        changes[now ^ 1][i] = 0;
        // Where nothing has changed, nothing does.
        if (passes[k] > pass &&
            (changed[0] | changed[-1] | changed[1] | changed[-kAround] | changed[kAround]) != 0) {
          const std::int16_t* const near = owners[now] + i;
          const auto differs = [&](int other) { return other >= 0 && other != own; };
          is_border = differs(near[-kAround]) || differs(near[-1]) || differs(near[1]) ||
                      differs(near[kAround]);
        }
      }
      const unsigned who = __ballot_sync(kAll, is_border);
      int place = 0;
      if (lane == 0 && who != 0) place = atomicAdd(&listed_counts[pass], __popc(who));
      place = __shfl_sync(kAll, place, 0) + __popc(who & ((1U << lane) - 1U));
      if (is_border) listed[place] = static_cast<std::uint16_t>(i);
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
        const Fit& fit = a.cells.parts[plane].fit;
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

// What the pixels take of a plane.
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
  const int base = a.is_rest != 0 ? kMostParts : 0;
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
      const Fit fit = planes::fit_of(warp_statistics(shared.sums.total));
      if (threadIdx.x == 0) {
        a.roots[base + part] = base + part;
        a.merged[base + part].moments = shared.sums.total;
        a.merged[base + part].fit = fit;
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
    rdp::cuda::wait_for_grid_before();                             \
    rdp::cuda::function(a);                                        \
  }
RDP_PLANES_ROUNDS(fit, fit_peaks, rdp::cuda::kFitThreads)
RDP_PLANES_ROUNDS(take, take_nodes, rdp::cuda::kPlaneThreads)
RDP_PLANES_ROUNDS(split, split, rdp::cuda::kSplitThreads)
RDP_PLANES_ROUNDS(parts, fit_parts, rdp::cuda::kPlaneThreads)
RDP_PLANES_ROUNDS(grow, grow, rdp::cuda::kGrowThreads)
RDP_PLANES_ROUNDS(settle, settle, rdp::cuda::kPlaneThreads)
