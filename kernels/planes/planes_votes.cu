// SPDX-License-Identifier: LGPL-2.1-or-later
// A round's votes: nodes vote (rdp_planes_vote), votes are filtered (rdp_planes_filter), peaks are
// found (rdp_planes_peaks), and nodes go to the nearest of them (rdp_planes_nearest). Only cells of
// the ball with votes are visited: the first vote for a cell puts it on a list.
#include <cstdint>

#include "common/planes/ball.h"
#include "common/planes/cell_rules.h"
#include "common/planes/frames/node_rules.h"
#include "kernels/planes/ball_votes.cuh"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

__device__ __forceinline__ BallVotes ball_of(const FramePlanesArguments& a) {
  return {{a.ball, a.rules.distances, a.rules.distance_step},
          a.rules.angle_step,
          a.shares,
          a.votes,
          a.filtered,
          a.voted,
          &a.round_counters[a.round].voted,
          a.peak_candidates,
          &a.round_counters[a.round].peak_candidates};
}

// Adds a node's votes, by `warps` warps, of which this one is number `warp`.
__device__ void vote_for_node(const FramePlanesArguments& a, int node, const BallRows& rows,
                              int warp, int warps, VotedCells* voted) {
  const planes::Fit fit = a.cells.nodes[node].fit;
  const std::uint64_t pixels = a.cells.moments[node].n;
  if (warp == 0 && threadIdx.x % 32 == 0) {
    const std::uint32_t v = atomicAdd(&a.round_counters[a.round].voters, 1U);
    a.voters[v] = {static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(pixels), kNoSlot};
  }
  vote_in_ball(ball_of(a), fit, sqrt(a.cells.nodes[node].tolerance2), pixels, rows, warp, warps,
               voted);
}

// True if a planar node has no planar node above it.
__device__ bool is_looked_at(const FramePlanesArguments& a, const NodePlace& place) {
  bool looked_at = true;
#pragma unroll
  for (int level = 1; level < planes::kLevels; ++level) {
    if (level <= place.level) continue;
    const int shift = level - place.level;
    const int above = a.level_start[level] + (place.row >> shift) * a.level_columns[level] +
                      (place.column >> shift);
    if (a.cells.planar[above] != 0) looked_at = false;
  }
  return looked_at;
}

// True if less than half of a node's cells are owned; by a warp. Reads of several cells overlap.
__device__ bool is_free(const FramePlanesArguments& a, const NodePlace& place) {
  constexpr int kAtOnce = 8;
  const int side = 1 << place.level;
  const int left = place.column * side, top = place.row * side;
  const int columns = min(side, a.rules.columns - left), rows = min(side, a.rules.rows - top);
  unsigned owned = 0;
  for (int base = static_cast<int>(threadIdx.x) % 32; base < columns * rows; base += 32 * kAtOnce) {
    int owner[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int at = base + 32 * i;
      const int cell = (top + at / columns) * a.rules.columns + left + at % columns;
      owner[i] = at < columns * rows ? a.cells.grown[cell] : -1;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) owned += is_settled(a, a.cells, owner[i]) ? 1 : 0;
  }
  return 2 * static_cast<int>(warp_sum(owned)) < columns * rows;
}

// A block's nodes are far apart, because planar ones lie together; so only a few of them vote. Its
// warps share the directions of these, which take most of the time.
__device__ void vote(const FramePlanesArguments& a) {
  constexpr int kWarps = kVoteThreads / 32;
  __shared__ std::uint32_t voted_cells[kWarps][kVotedOfWarp];
  __shared__ int candidates[32], voting[32];
  __shared__ int candidate_count, voting_count;
  __shared__ BallRows rows;
  if (!round_is_on(a)) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  // By all but the first warp, which looks for nodes meanwhile.
  if (warp > 0) rows.load(ball_of(a), static_cast<int>(threadIdx.x) - 32, kVoteThreads - 32);
  const int blocks = static_cast<int>(gridDim.x);
  const int of_block = (a.node_count + blocks - 1) / blocks;
  const int round = a.round - a.first_round;
  VotedCells voted{voted_cells[warp]};
  for (int base = 0; base < of_block; base += 32) {
    if (warp == 0) {
      const int node = (base + lane) * blocks + static_cast<int>(blockIdx.x);
      const bool is_there = base + lane < of_block && node < a.node_count;
      bool looked_at = false, planar = false, candidate = false;
      if (is_there) {
        const NodePlace place = place_of(a, node);
        looked_at = is_looked_at(a, place);
        planar = looked_at && a.cells.planar[node] != 0;
        candidate =
            planar && planes::level_votes(place.level, round, a.cells.nodes[node].tolerance2,
                                          a.cells.nodes[node].fit);
      }
      if (round == 0 && a.is_rest == 0) {
        const unsigned nodes = __ballot_sync(kAll, looked_at);
        const unsigned planar_nodes = __ballot_sync(kAll, planar);
        if (lane == 0) {
          atomicAdd(&a.counters->nodes, static_cast<std::uint32_t>(__popc(nodes)));
          atomicAdd(&a.counters->planar_nodes, static_cast<std::uint32_t>(__popc(planar_nodes)));
        }
      }
      const unsigned who = __ballot_sync(kAll, candidate);
      if (candidate) candidates[__popc(who & ((1U << lane) - 1U))] = node;
      if (lane == 0) {
        candidate_count = __popc(who);
        voting_count = 0;
      }
    }
    __syncthreads();
    for (int c = warp; c < candidate_count; c += kWarps) {
      const int node = candidates[c];
      // Nobody owns a cell before the first round.
      const bool votes = round == 0 || is_free(a, place_of(a, node));
      if (votes && lane == 0) voting[atomicAdd(&voting_count, 1)] = node;
    }
    __syncthreads();
    const int many = voting_count;
    const int together = many < 2 ? kWarps : max(1, kWarps / many);
    const int groups = kWarps / together;
    for (int v = warp / together; v < many && warp < groups * together; v += groups) {
      vote_for_node(a, voting[v], rows, warp % together, together, &voted);
    }
    __syncthreads();
  }
  voted.flush(ball_of(a));
}

__device__ void filter(const FramePlanesArguments& a) {
  filter_votes(ball_of(a), static_cast<std::uint64_t>(a.rules.min_votes));
}

__device__ void find_peaks(const FramePlanesArguments& a) {
  find_peaks_of(ball_of(a), [&](std::uint32_t cell, std::uint32_t votes) {
    const std::uint32_t peak = atomicAdd(&a.round_counters[a.round].peaks, 1U);
    a.peaks[peak] = {cell, votes, 0, 0, 0};
  });
}

// Finds the nearest peak of each voter, a warp each. Empties the ball, as votes are used up.
__device__ void find_nearest(const FramePlanesArguments& a) {
  const BallVotes ball = ball_of(a);
  const planes::BallCells& cells = ball.cells;
  const RoundCounters& counted = a.round_counters[a.round];
  const std::uint32_t thread = blockIdx.x * kPlaneThreads + threadIdx.x;
  clear_votes(ball);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (std::uint32_t v = thread / 32; v < counted.voters; v += gridDim.x * (kPlaneThreads / 32)) {
    const std::uint32_t node = a.voters[v].node;
    const planes::Fit fit = a.cells.nodes[node].fit;
    const double tolerance2 = a.cells.nodes[node].tolerance2;
    double best = 0.0;
    std::uint32_t best_cell = kNoSlot, best_peak = kNoSlot;
    for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < counted.peaks; p += 32) {
      const std::uint32_t cell = a.peaks[p].cell;
      const auto direction = cell / static_cast<unsigned>(cells.distances);
      const int k = static_cast<int>(cell % static_cast<unsigned>(cells.distances));
      const double near =
          planes::nearness(fit, tolerance2, cells.ball.centres + 3 * direction,
                           cells.centre_distance(k), a.rules.angle_step, cells.step);
      if (!(near <= 1.0)) continue;
      if (best_peak == kNoSlot || near < best || (near == best && cell < best_cell)) {
        best = near;
        best_cell = cell;
        best_peak = p;
      }
    }
#pragma unroll
    for (int i = 16; i > 0; i /= 2) {
      const double near = __shfl_xor_sync(kAll, best, i);
      const std::uint32_t cell = __shfl_xor_sync(kAll, best_cell, i);
      const std::uint32_t peak = __shfl_xor_sync(kAll, best_peak, i);
      if (peak == kNoSlot) continue;
      if (best_peak == kNoSlot || near < best || (near == best && cell < best_cell)) {
        best = near;
        best_cell = cell;
        best_peak = peak;
      }
    }
    if (lane != 0 || best_peak == kNoSlot) continue;
    const std::uint32_t pixels = a.voters[v].pixels;
    a.voters[v].peak = best_peak;
    atomicAdd(&a.peaks[best_peak].pixels, pixels);
    atomicMax(&a.peaks[best_peak].largest,
              static_cast<unsigned long long>(pixels) << 32 | (0xFFFFFFFFU - node));
  }
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_PLANES_VOTES(name, function, threads)                  \
  extern "C" __global__ void __launch_bounds__(threads, 1)         \
      rdp_planes_##name(const rdp::cuda::FramePlanesArguments a) { \
    rdp::cuda::pdl_wait_and_trigger();                             \
    rdp::cuda::function(a);                                        \
  }
RDP_PLANES_VOTES(vote, vote, rdp::cuda::kVoteThreads)
RDP_PLANES_VOTES(filter, filter, rdp::cuda::kPlaneThreads)
RDP_PLANES_VOTES(peaks, find_peaks, rdp::cuda::kPlaneThreads)
RDP_PLANES_VOTES(nearest, find_nearest, rdp::cuda::kPlaneThreads)
