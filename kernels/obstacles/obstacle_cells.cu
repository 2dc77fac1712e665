// SPDX-License-Identifier: LGPL-2.1-or-later
// Cells and bearings: states of cells and ranges of bearings (rdp_obstacles_cells), then the list
// of occupied cells and the free distances (rdp_obstacles_lists). The first blocks have a bearing a
// warp, the others tiles of cells. The last reader of a count sets it to 0.
#include <cstdint>
#include <cstring>

#include "kernels/obstacles/obstacle_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using obstacles::CellSum;
using obstacles::FrameRules;
using obstacles::RingSum;

__device__ __forceinline__ int lane_of_thread() { return static_cast<int>(threadIdx.x) % 32; }
__device__ __forceinline__ int bearing_of_warp(int threads) {
  return (static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x)) / 32;
}

__device__ void find_range(const ObstacleArguments& a) {
  constexpr int kRings = obstacles::kRings;
  __shared__ std::uint32_t of_block[kTileCells / 32][kRings + 3];
  const int bearing = bearing_of_warp(kTileCells), lane = lane_of_thread();
  if (bearing >= a.rules.bins) return;
  RingSum* const rings = a.rings + static_cast<std::ptrdiff_t>(bearing) * kRings;
  std::uint32_t* const counts = of_block[threadIdx.x / 32];
  static_assert(kRings % 32 == 0);
#pragma unroll
  for (int r = lane; r < kRings; r += 32) counts[r] = rings[r].count;
  if (lane < 3) counts[kRings + lane] = 0;
  __syncwarp();
  std::uint32_t range = 0;
  for (int first = 0; first < kRings; first += 32) {
    const bool holds = obstacles::holds_range(first + lane, a.rules.cell_samples,
                                              [&](int ring) { return std::int64_t{counts[ring]}; });
    const unsigned all = __ballot_sync(kAll, holds);
    if (all == 0) continue;
    const int ring = first + __ffs(static_cast<int>(all)) - 1;
    range = obstacles::range_of_rings(rings[ring], ring + 1 < kRings ? rings[ring + 1] : RingSum());
    break;
  }
  __syncwarp();
  for (int r = lane; r < kRings; r += 32) {
    if (counts[r] != 0) rings[r] = RingSum();
  }
  if (lane == 0) a.ranges[bearing] = range;
}

// A cell for each thread.
__device__ void set_states(const ObstacleArguments& a, int tile) {
  const FrameRules rules = a.now->rules;
  const std::uint8_t* const inside = a.now->inside;
  const int index = tile * kTileCells + static_cast<int>(threadIdx.x);
  const auto ground_at = [&](int x, int y) {
    const bool is_ground = a.classes[y * a.classes_pitch + x] == obstacles::kGround;
    return is_ground ? a.depth[sample_at(a, x, y)] : 0;
  };
  unsigned state = obstacles::kUnseen;
  if (index < rules.cells()) {
    const CellSum sum = a.cells[index];
    const bool ground = a.ground[index] != 0;
    if (ground) a.ground[index] = 0;
    state = obstacles::state_of(sum, ground, rules.cell_samples);
    if (sum.count != 0) {
      if (state != obstacles::kOccupied) a.cells[index] = CellSum();
    } else if (state == obstacles::kUnseen && (inside == nullptr || inside[index] != 0) &&
               obstacles::is_seen_free(index, a.now->view, rules, ground_at)) {
      state = obstacles::kFree;
    }
  }
  // States behind the last one are read with it.
  if (index < rules.cells() + kStatesAtOnce) a.states[index] = static_cast<std::uint8_t>(state);
  const int occupied = __syncthreads_count(state == obstacles::kOccupied ? 1 : 0);
  if (threadIdx.x == 0) a.tiles[tile] = static_cast<std::uint32_t>(occupied);
}

// free_of(), for a warp: 32 steps at a time.
__device__ void find_free(const ObstacleArguments& a) {
  constexpr int kAtOnce = 4;
  __shared__ std::uint32_t of_block[kListThreads / 32];
  const int bearing = bearing_of_warp(kListThreads), lane = lane_of_thread();
  const FrameRules rules = a.now->rules;
  const obstacles::Direction middle = a.middles[min(bearing, rules.bins - 1)];
  const int step = obstacles::free_step(rules);
  const int steps = (rules.range - 1) / step;  // before the range
  const int gap = rules.free_gap / step;       // most steps between free ones
  int free = 0;                                // steps
  bool ends = false;
  for (int chunk = 0; chunk < steps && !ends; chunk += 32 * kAtOnce) {
    unsigned state[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int number = chunk + 32 * i + lane + 1;
      state[i] = number <= steps
                     ? a.states[obstacles::cell_on_bearing(number * step, middle, rules)]
                     : static_cast<unsigned>(obstacles::kOccupied);
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const unsigned stops = __ballot_sync(kAll, state[i] >= obstacles::kOccupied);
      // The free ones before the first that stops.
      unsigned open = __ballot_sync(kAll, state[i] == obstacles::kFree) & ((stops & -stops) - 1);
      const int before = chunk + 32 * i;
      while (open != 0 && !ends) {
        const int next = __ffs(static_cast<int>(open));
        if (free > 0 && before + next - free - 1 > gap) {
          ends = true;
        } else {
          // To the end of this run of free ones.
          const unsigned rest = ~(open >> (next - 1));
          const int run = rest == 0 ? 32 : __ffs(static_cast<int>(rest)) - 1;
          free = before + next - 1 + run;
          open &= next - 1 + run < 32 ? kAll << (next - 1 + run) : 0U;
        }
      }
      ends = ends || stops != 0;
    }
  }
  if (lane == 0) of_block[threadIdx.x / 32] = static_cast<std::uint32_t>(free * step);
  __syncthreads();
  // A block writes all of its bearings at once, because each write to the host takes its time.
  const int own = bearing_of_warp(kListThreads) - static_cast<int>(threadIdx.x) / 32 + lane;
  if (threadIdx.x >= kListThreads / 32 || own >= rules.bins) return;
  const std::uint32_t found = of_block[lane];
  const std::uint32_t range = a.ranges[own];
  a.result.ranges[own] = range;
  a.result.free[own] = range > 0 && found > range ? range : found;
}

// Sums over the threads of a block, and over those before this one.
struct BlockSums {
  std::uint32_t all, before;
};
__device__ __forceinline__ BlockSums sum_over_block(std::uint32_t own) {
  __shared__ std::uint32_t of_warp[kListThreads / 32];
  const std::uint32_t until = warp_inclusive_sum(own);
  __syncthreads();
  if (lane_of_thread() == 31) of_warp[threadIdx.x / 32] = until;
  __syncthreads();
  BlockSums sums{0, until - own};
#pragma unroll
  for (unsigned w = 0; w < kListThreads / 32; ++w) {
    if (w < threadIdx.x / 32) sums.before += of_warp[w];
    sums.all += of_warp[w];
  }
  return sums;
}

__device__ void list_cells(const ObstacleArguments& a, int tile) {
  // Words of occupied cells, which are written to the host side by side.
  constexpr int kWords = sizeof(obstacles::OccupiedCell) / sizeof(std::uint64_t);
  __shared__ std::uint64_t words[kTileCells * kWords];
  const int cells = a.now->rules.cells();
  const int first = tile * kTileCells + static_cast<int>(threadIdx.x) * kCellsOfThread;
  const auto is_occupied = [](unsigned states, int i) {
    return (states >> 8 * i & 255U) == obstacles::kOccupied;
  };
  if (tile * kTileCells >= cells) return;
  std::uint32_t own = 0;
  for (int other = static_cast<int>(threadIdx.x); other < tile; other += kListThreads) {
    own += a.tiles[other];
  }
  const std::uint32_t before = sum_over_block(own).all;
  std::uint32_t states = 0;
  if (first < cells) {
    memcpy(&states, a.states + first, sizeof states);
  }
  const int shown = tile * kTileCells + static_cast<int>(threadIdx.x) * kStatesAtOnce;
  if (threadIdx.x < kTileCells / kStatesAtOnce && shown < cells) {
    static_assert(sizeof(uint4) == kStatesAtOnce);
    *reinterpret_cast<uint4*>(a.result.states + shown) =
        *reinterpret_cast<const uint4*>(a.states + shown);
  }
  own = 0;
#pragma unroll
  for (int i = 0; i < kCellsOfThread; ++i) {
    own += is_occupied(states, i) ? 1U : 0U;
  }
  const BlockSums in_tile = sum_over_block(own);
  std::uint32_t place = before + in_tile.before;
#pragma unroll
  for (int i = 0; i < kCellsOfThread; ++i) {
    const int index = first + i;
    if (index >= cells) break;
    const bool occupied = is_occupied(states, i);
    if (occupied) {
      const obstacles::OccupiedCell cell{index, a.cells[index]};
      memcpy(words + (place - before) * kWords, &cell, sizeof cell);
      a.cells[index] = CellSum();
      ++place;
    }
    a.places[index] = occupied ? place : 0;
  }
  __syncthreads();
  auto* const listed = reinterpret_cast<std::uint64_t*>(a.result.occupied + before);
  for (auto i = threadIdx.x; i < in_tile.all * kWords; i += kListThreads) listed[i] = words[i];
  if (threadIdx.x == 0 && (tile + 1) * kTileCells >= cells) {
    FoundGround found = a.now->found;
    found.occupied = static_cast<std::int32_t>(before + in_tile.all);
    *a.result.found = found;
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kTileCells)
    rdp_obstacles_cells(const rdp::cuda::ObstacleArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  const int tile =
      static_cast<int>(blockIdx.x) - rdp::cuda::bearing_blocks(a.rules.bins, rdp::cuda::kTileCells);
  if (tile < 0) {
    rdp::cuda::find_range(a);
  } else {
    rdp::cuda::set_states(a, tile);
  }
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kListThreads)
    rdp_obstacles_lists(const rdp::cuda::ObstacleArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  const int tile = static_cast<int>(blockIdx.x) -
                   rdp::cuda::bearing_blocks(a.rules.bins, rdp::cuda::kListThreads);
  if (tile < 0) {
    rdp::cuda::find_free(a);
  } else {
    rdp::cuda::list_cells(a, tile);
  }
}
