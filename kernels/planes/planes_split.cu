// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes of a round become parts that are planes of their own: cells belong to one part where they
// are within two rows and columns of each other. First pieces of rows and which of them are joined
// (rdp_planes_pieces), then parts of these, numbered by their first cells (rdp_planes_split).
#include <cstdint>

#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
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

// A warp for 32 cells of a row: cells of a plane within two columns of each other are a piece. Its
// first cell becomes the parent of all, and has their pixels. Then the warp lists joints of pieces:
// pairs of a cell and one before it within two rows and columns, unless other cells imply them.
//
//   lane     0 1 2 3 4 5 6 7 8      a row, as its planes
//   key      7 7 . 7 . . 7 9 7
//   same     1 1 . 1 . . 1 . 1      as the leader, lane 0
//   joined   1 1 1 1 . . 1 1 1      and a gap of one
//   piece    1 1 . 1 . . . . .      of lane 0, up to the first place that is not joined
//
// Places around a cell, as bits of `alike`; the cell itself is the last one.
//
//   column  -2  -1   0  +1  +2
//   row -2   0   1   2   3   4      second
//   row -1   5   6   7   8   9      above
//   row  0  10  11  12              left
__device__ void label_row_runs(const FramePlanesArguments& a) {
  if (!round_is_on(a) || a.round_counters[a.round].kept == 0) return;
  const int columns = a.rules.columns, rows = a.rules.rows;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int section = static_cast<int>(blockIdx.x * kPlaneThreads + threadIdx.x) / 32;
  const int row = section / split_sections(columns);
  if (row >= rows) return;
  const int column = section % split_sections(columns) * 32 + lane;
  const int cell = row * columns + column;
  // Five places from two columns to the left on: of the second row above, of the row above, and the
  // first three of the row itself.
  constexpr int kPlaces = 13;
  int keys[kPlaces];
#pragma unroll
  for (int i = 0; i < kPlaces; ++i) {
    const int x = column + i % 5 - 2, y = row + i / 5 - 2;
    keys[i] = x >= 0 && x < columns && y >= 0 ? a.cells.grown[y * columns + x] : -1;
  }
  const bool is_inside = column < columns;
  const unsigned pixels = is_inside ? static_cast<unsigned>(cell_moments(a, a.cells, cell).n) : 0U;
#pragma unroll
  for (int i = 0; i < kPlaces; ++i) keys[i] = key_of(a, keys[i]);
  const int key = keys[kPlaces - 1];

  int first = lane;
  unsigned of_piece = 0;
  for (unsigned open = __ballot_sync(kAll, key >= 0); open != 0;) {
    const int leader = __ffs(static_cast<int>(open)) - 1;
    const int its_key = __shfl_sync(kAll, key, leader);
    const unsigned same = __ballot_sync(kAll, key == its_key);
    const unsigned joined = same | (same << 1 & same >> 1);
    const unsigned ends = ~joined & 0xFFFFFFFFU << leader;
    const unsigned piece = same & open & (ends == 0 ? 0xFFFFFFFFU : (ends & -ends) - 1);
    const bool is_in = (piece >> lane & 1) != 0;
    const unsigned sum = warp_sum(is_in ? pixels : 0U);
    if (is_in) first = leader;
    if (lane == leader) of_piece = sum;
    open &= ~piece;
  }
  if (is_inside) {
    a.split_keys[cell] = key;
    a.split_parents[cell] = static_cast<std::uint32_t>(cell - lane + first);
    a.split_counts[cell] = static_cast<std::int32_t>(of_piece);
  }

  unsigned alike = 0;
#pragma unroll
  for (int i = 0; i < kPlaces; ++i) alike |= keys[i] == key ? 1U << i : 0U;
  const unsigned second = alike & 0x1F, above = alike >> 5 & 0x1F, left = alike >> 10;
  // The first places of pieces: those without another one up to two before them. Places within two
  // columns of the previous cell are left to that cell.
  const auto firsts = [](unsigned places) { return places & ~(places << 1) & ~(places << 2); };
  const unsigned places = (left & 2) != 0 ? 0x10U : (left & 1) != 0 ? 0x18U : 0x1FU;
  const unsigned near_above = above | above << 1 | above << 2 | above >> 1 | above >> 2;
  unsigned open = (firsts(second) & ~near_above & places) | (firsts(above) & places) << 5;
  // In the row itself: those in the section before.
  if ((left & 2) != 0) {
    open |= lane == 0 ? 1U << 11 : 0U;
  } else if ((left & 1) != 0) {
    open |= lane < 2 ? 1U << 10 : 0U;
  }
  if (!is_inside || key < 0) open = 0;
  const int many = __popc(open);
  const int until = warp_inclusive_sum(many);
  std::uint32_t place = 0;
  if (lane == 31 && until > 0) {
    place = atomicAdd(&a.round_counters[a.round].joints, static_cast<std::uint32_t>(until));
  }
  place = __shfl_sync(kAll, place, 31) + static_cast<std::uint32_t>(until - many);
  for (; open != 0; open &= open - 1) {
    const int i = __ffs(static_cast<int>(open)) - 1;
    const int other = cell + (i / 5 - 2) * columns + i % 5 - 2;
    a.split_joints[place++] = {static_cast<std::uint32_t>(cell), static_cast<std::uint32_t>(other)};
  }
}

// Pieces of cells while parts are made of them.
struct SplitCells {
  int n;
  std::uint32_t* parents;
  std::int32_t* counts;  // pixels of a piece at its first cell, else 0; then numbers of parts
};

// Makes the first piece of a part the parent of all its pieces. In each step a joint gives the
// smaller of its two grandparents to both pieces, and to all ancestors that it saw, until nothing
// changes. Paths halve in each step, and the next step finds what one leaves out.
__device__ __forceinline__ void join_pieces(const SplitCells& c, SplitJoint* joints, int count) {
  const volatile std::uint32_t* const latest = c.parents;
  for (int j = static_cast<int>(threadIdx.x); j < count; j += kSplitThreads) {
    joints[j] = {latest[joints[j].one], latest[joints[j].two]};
  }
  __syncthreads();
  while (true) {
    bool any = false;
    for (int j = static_cast<int>(threadIdx.x); j < count; j += kSplitThreads) {
      const SplitJoint joint = joints[j];
      const std::uint32_t one = latest[joint.one], two = latest[joint.two];
      const std::uint32_t above_one = latest[one], above_two = latest[two];
      const std::uint32_t least = min(above_one, above_two);
      const auto take = [&](std::uint32_t piece, std::uint32_t parent, std::uint32_t above) {
        if (parent == least) return;
        any = true;
        atomicMin(&c.parents[piece], least);
        if (parent != piece) atomicMin(&c.parents[parent], least);
        if (above != parent && above != least) atomicMin(&c.parents[above], least);
      };
      take(joint.one, one, above_one);
      take(joint.two, two, above_two);
    }
    if (__syncthreads_or(any ? 1 : 0) == 0) break;
  }
}

// Numbers the parts by their first cells. At a part's first cell, counts[] has its number, or -1 if
// the part is too small.
__device__ __forceinline__ void number_parts(const FramePlanesArguments& a, const SplitCells& c) {
  constexpr int kWarps = kSplitThreads / 32;
  __shared__ int sums[kWarps];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int n = c.n;
  // Each warp has some neighbouring cells.
  const int each = (n + kSplitThreads - 1) / kSplitThreads * 32;
  const int begin = warp * each, end = min(n, begin + each);
  const auto least = fewest_pixels(a.rules.min_part);
  const auto is_first = [&](int cell) {
    return cell < end && c.parents[cell] == static_cast<std::uint32_t>(cell);
  };
  const auto is_large = [&](int cell) {
    return static_cast<std::uint32_t>(c.counts[cell]) >= least;
  };
  int mine = 0;
  for (int base = begin; base < end; base += 32) {
    const int cell = base + lane;
    mine += __popc(__ballot_sync(kAll, is_first(cell) && is_large(cell)));
  }
  if (lane == 0) sums[warp] = mine;
  __syncthreads();
  if (warp == 0) sums[lane] = warp_inclusive_sum(sums[lane]);
  __syncthreads();
  int number = sums[warp] - mine;
  const int parity = a.round & 1;
  for (int base = begin; base < end; base += 32) {
    const int cell = base + lane;
    const bool first = is_first(cell);
    const bool is_part = first && is_large(cell);
    const unsigned parts = __ballot_sync(kAll, is_part);
    if (is_part) {
      const int own = number + __popc(parts & ((1U << lane) - 1U));
      const int key = a.split_keys[cell];
      a.cells.part_votes[parity][own] =
          key < kNewPlanes ? a.cells.part_votes[parity ^ 1][key] : a.planes[key - kNewPlanes].votes;
      c.counts[cell] = own;
    } else if (first) {
      c.counts[cell] = -1;
    }
    number += __popc(parts);
  }
  if (thread == 0) *a.cells.part_count = static_cast<std::uint32_t>(sums[kWarps - 1]);
}

// One block. Parts of planes become planes of their own, numbered by their first cells.
__device__ __forceinline__ void split_in(const FramePlanesArguments& a, const SplitCells& c) {
  const int thread = static_cast<int>(threadIdx.x);
  join_pieces(c, a.split_joints, static_cast<int>(a.round_counters[a.round].joints));
  for (int cell = thread; cell < c.n; cell += kSplitThreads) {
    const std::uint32_t parent = c.parents[cell];
    const std::int32_t pixels = parent == static_cast<std::uint32_t>(cell) ? 0 : c.counts[cell];
    if (pixels > 0) atomicAdd(&c.counts[parent], pixels);
  }
  __syncthreads();
  number_parts(a, c);
  __syncthreads();
  for (int cell = thread; cell < c.n; cell += kSplitThreads) {
    a.cells.owner[cell] = c.counts[c.parents[c.parents[cell]]];
  }
}

__device__ void split(const FramePlanesArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  if (!round_is_on(a) || a.round_counters[a.round].kept == 0) return;
  const int n = a.cell_count;
  if (a.split_in_shared == 0) {
    split_in(a, {n, a.split_parents, a.split_counts});
    return;
  }
  auto* const parents = reinterpret_cast<std::uint32_t*>(memory);
  auto* const counts = reinterpret_cast<std::int32_t*>(parents + n);
#pragma unroll 8
  for (int cell = static_cast<int>(threadIdx.x); cell < n; cell += kSplitThreads) {
    parents[cell] = a.split_parents[cell];
    counts[cell] = a.split_counts[cell];
  }
  __syncthreads();
  split_in(a, {n, parents, counts});
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneThreads)
    rdp_planes_pieces(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::label_row_runs(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kSplitThreads, 1)
    rdp_planes_split(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::split(a);
}
