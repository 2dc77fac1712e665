// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes of a round become parts that are planes of their own (rdp_planes_split), numbered by their
// first cells: cells belong to one part where they are within two rows and columns of each other.
#include <cstdint>

#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/primitives/components.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

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

// Which of the cells before it that lie within two rows and columns a cell may have to be united
// with, a bit for each: the five from the second row above, the five from the row above, and the
// two to the left. What the cell to its left or the one above is united with is left out: both are
// within two rows and columns of all that is.
__device__ __forceinline__ unsigned places_to_unite(int columns, const std::int32_t* keys,
                                                    int cell) {
  const int key = keys[cell];
  if (key < 0) return 0;
  const int x = cell % columns;
  const bool is_above = cell >= columns && keys[cell - columns] == key;
  const bool is_left = x > 0 && keys[cell - 1] == key;
  if (!is_left) return 1U << 10 | (is_above ? 1U << 7 : 0x3FFU);
  return (x % 32 == 0 ? 1U << 11 : 0U) | (is_above ? 0U : 1U << 4 | 1U << 9);
}

constexpr unsigned kPlacesInRow = 1U << 10 | 1U << 11;

// Unites a cell with those of these that belong to the same plane.
__device__ __forceinline__ void unite_cell(int columns, const std::int32_t* keys,
                                           std::uint32_t* parents, int cell, unsigned open) {
  const int key = keys[cell];
  const int x = cell % columns, y = cell / columns;
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

// Calls work(cell) for those of n cells for which is_wanted(cell) holds. Few of a warp's cells need
// work that takes long: they are listed until there is one for each thread. `listed`: the warp's,
// twice as many as it has threads.
template <typename IsWanted, typename Work>
__device__ __forceinline__ void for_wanted_cells(int n, std::uint16_t* listed,
                                                 const IsWanted& is_wanted, const Work& work) {
  constexpr int kPlaces = 1 << 16;  // of a warp, in 16 bits
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  for (int start = thread - lane; start < n; start += kPlaces / 32 * kSplitThreads) {
    const auto cell_at = [&](int place) { return start + place / 32 * kSplitThreads + place % 32; };
    int waiting = 0;
#pragma unroll 1
    for (int first = 0;; first += 32) {
      const bool ends = first == kPlaces || cell_at(first) >= n;
      const int cell = cell_at(first + lane);
      const bool wanted = !ends && cell < n && is_wanted(cell);
      const unsigned who = __ballot_sync(kAll, wanted);
      if (wanted) {
        listed[waiting + __popc(who & ((1U << lane) - 1U))] =
            static_cast<std::uint16_t>(first + lane);
      }
      waiting += __popc(who);
      if (waiting < 32 && !ends) continue;
      __syncwarp();
      if (lane < waiting) work(cell_at(listed[lane]));
      if (ends) break;
      const std::uint16_t left = listed[32 + lane];
      __syncwarp();
      listed[lane] = left;
      waiting -= 32;
      __syncwarp();
    }
    __syncwarp();
  }
}

// The split with its arrays in shared or in global memory.
__device__ __forceinline__ void split_in(const FramePlanesArguments& a, std::uint32_t* parents,
                                         std::int32_t* keys, std::int32_t* counts) {
  __shared__ int sums[32];
  __shared__ std::uint16_t listed[kSplitThreads / 32][64];
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
  const auto unite_places = [&](unsigned places) {
    for_wanted_cells(
        n, listed[thread / 32],
        [&](int cell) { return (places_to_unite(columns, keys, cell) & places) != 0; },
        [&](int cell) {
          unite_cell(columns, keys, parents, cell, places_to_unite(columns, keys, cell) & places);
        });
    __syncthreads();
  };
  // The root of each run becomes its parent. All runs at once follow their parents' parents, so
  // that paths halve in each step.
  const volatile std::uint32_t* const latest = parents;
  const auto find_roots = [&](const auto& visit) {
    for_wanted_cells(
        n, listed[thread / 32],
        [&](int cell) {
          return keys[cell] >= 0 && latest[cell] != static_cast<std::uint32_t>(cell) &&
                 begins_run(keys, cell % columns, cell);
        },
        [&](int cell) {
          std::uint32_t root = latest[cell];
          while (true) {
            const std::uint32_t above = latest[root];
            if (above == root) break;
            root = above;
            atomicMin(&parents[cell], root);
          }
          visit(cell, root);
        });
    __syncthreads();
  };
  // First within rows, whose paths are short: where rows are united, each then has one path up.
  unite_places(kPlacesInRow);
  find_roots([](int, std::uint32_t) {});
  unite_places(~kPlacesInRow);
  find_roots([&](int cell, std::uint32_t root) { atomicAdd(&counts[root], counts[cell]); });
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

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kSplitThreads, 1)
    rdp_planes_split(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::wait_for_grid_before();
  rdp::cuda::split(a);
}
