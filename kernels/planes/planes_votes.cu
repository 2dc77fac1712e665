// SPDX-License-Identifier: LGPL-2.1-or-later
// A round's votes: nodes vote (rdp_planes_vote), votes are filtered (rdp_planes_filter), peaks are
// found (rdp_planes_peaks), and nodes go to the nearest of them (rdp_planes_nearest). Only cells of
// the ball that have votes are looked at: who votes first for a cell puts it on a list.
#include <cstdint>

#include "common/planes/ball.h"
#include "common/planes/cell_rules.h"
#include "common/planes/node_rules.h"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

__device__ __forceinline__ planes::BallCells ball_of(const FramePlanesArguments& a) {
  return {a.ball, a.rules.distances, a.rules.distance_step};
}

// The cells of the ball that a warp is the first to vote for, until they are written.
struct VotedCells {
  std::uint32_t* cells;  // kVotedOfWarp
  int count = 0;

  __device__ __forceinline__ void flush(const FramePlanesArguments& a) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    std::uint32_t start = 0;
    __syncwarp();
    if (lane == 0 && count > 0) {
      start = atomicAdd(&a.round_counters[a.round].voted, static_cast<std::uint32_t>(count));
    }
    start = __shfl_sync(kAll, start, 0);
    for (int i = lane; i < count; i += 32) a.voted[start + static_cast<unsigned>(i)] = cells[i];
    __syncwarp();
    count = 0;
  }
  __device__ __forceinline__ void add(bool is_new, std::uint32_t cell) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const unsigned who = __ballot_sync(kAll, is_new);
    if (is_new) cells[count + __popc(who & ((1U << lane) - 1))] = cell;
    count += __popc(who);
  }
};

// Some neighbouring directions of a row of the ball.
struct Window {
  int row = 0;
  int first = 0;  // in the row
  int count = 0;
};

// Those of a row that may lie so near to a normal with the angle `theta` about the axis, and a few
// more: which of them do is told exactly later.
__device__ Window window_of(const planes::BallView& ball, int row, const planes::Fit& fit,
                            float theta, float least_cosine) {
  Window w;
  w.row = row;
  const int n = ball.count(row);
  w.count = n;
  if (n == 1) return w;
  const auto z = static_cast<float>(fit.normal[2]);
  const auto row_z = static_cast<float>(ball.centres[3 * ball.starts[row] + 2]);
  const float sines = sqrtf(fmaxf(0.0F, 1.0F - z * z) * fmaxf(0.0F, 1.0F - row_z * row_z));
  if (sines < 1e-3F) return w;
  const float cosine = (least_cosine - 2e-4F - z * row_z) / sines;
  if (!(cosine > -0.999F)) return w;
  const float half_turn = acosf(cosine < 1.0F ? cosine : 1.0F);
  const float steps = static_cast<float>(n) * 0.15915494F;
  const float middle = theta * steps;
  const float half = half_turn * steps + 1.0F;
  const int first = static_cast<int>(floorf(middle - half));
  const int count = 2 * static_cast<int>(ceilf(half)) + 2;
  if (count >= n) return w;
  w.count = count;
  w.first = first % n;
  if (w.first < 0) w.first += n;
  return w;
}

// The warp gives a node's votes to the distances of a direction for each thread; -1: none.
__device__ void vote_along(const FramePlanesArguments& a, const planes::BallCells& cells,
                           const planes::Fit& fit, std::uint64_t pixels,
                           const planes::VoteShape& shape, int direction, VotedCells* voted) {
  constexpr int kAtOnce = 4;
  double angle = 0.0, distance = 0.0;
  int k = 0, last = -1;
  if (direction >= 0) {
    const double* const c = cells.ball.centres + 3 * direction;
    const double cosine = planes::dot(c, fit.normal);
    if (cosine >= shape.least_cosine) {
      angle = (1.0 - cosine) * shape.angle_factor;
      distance = planes::dot(c, fit.mean);
    }
    if (cosine >= shape.least_cosine && angle < planes::kMostDeviation) {
      k = static_cast<int>(floor((distance - shape.reach) / cells.step));
      last = static_cast<int>(floor((distance + shape.reach) / cells.step));
    }
  }
  while (__any_sync(kAll, k <= last) != 0) {
    std::uint32_t places[kAtOnce], votes[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i, ++k) {
      places[i] = 0;
      votes[i] = 0;
      if (k > last) continue;
      const double off = distance - cells.centre_distance(k);
      if (fabs(off) > shape.reach) continue;
      const double off_share = off * shape.distance_factor;
      const double deviation = angle + off_share * off_share;
      if (!(deviation < planes::kMostDeviation)) continue;
      const std::int64_t cell = cells.cell(direction, k);
      if (cell < 0) continue;
      places[i] = static_cast<std::uint32_t>(cell);
      votes[i] = static_cast<std::uint32_t>(planes::vote(pixels, deviation, a.shares));
    }
    bool is_new[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      is_new[i] = votes[i] > 0 && atomicAdd(&a.votes[places[i]], votes[i]) == 0;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) voted->add(is_new[i], places[i]);
    if (voted->count > kVotedOfWarp - 32 * kAtOnce) voted->flush(a);
  }
}

// By a warp.
__device__ void vote_for_node(const FramePlanesArguments& a, int node, VotedCells* voted) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const planes::BallCells cells = ball_of(a);
  const planes::Fit fit = a.cells.nodes[node].fit;
  const double tolerance = sqrt(a.cells.nodes[node].tolerance2);
  const std::uint64_t pixels = a.cells.moments[node].n;
  const planes::VoteShape shape = planes::vote_shape(tolerance / sqrt(fit.variance[1]), tolerance,
                                                     a.rules.angle_step, cells.step);
  if (lane == 0) {
    const std::uint32_t v = atomicAdd(&a.round_counters[a.round].voters, 1U);
    a.voters[v] = {static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(pixels), kNoSlot};
  }
  // A little wider than what is looked for: this only has to find all of them.
  const double least_cosine =
      fmax(shape.least_cosine, 1.0 - planes::kMostDeviation / shape.angle_factor);
  const float reach = acosf(static_cast<float>(least_cosine)) + 0.005F;
  if (!(reach < 4.0F)) return;
  const auto z = static_cast<float>(fit.normal[2]);
  const float phi = acosf(z < -1.0F ? -1.0F : z > 1.0F ? 1.0F : z);
  const float theta = atan2f(static_cast<float>(fit.normal[1]), static_cast<float>(fit.normal[0]));
  const auto angle_step = static_cast<float>(a.rules.angle_step);
  const int first_row = max(0, static_cast<int>(floorf((phi - reach) / angle_step)));
  const int last_row = min(a.ball.rows - 1, static_cast<int>(ceilf((phi + reach) / angle_step)));
  for (int row = first_row; row <= last_row; row += 32) {
    Window mine;
    if (row + lane <= last_row) {
      mine = window_of(a.ball, row + lane, fit, theta, static_cast<float>(least_cosine));
    }
    const int until = warp_inclusive_sum(mine.count);
    const int before = until - mine.count;
    const int all = __shfl_sync(kAll, until, 31);
    for (int i = lane; i - lane < all; i += 32) {
      // The last window that begins at or before number i.
      int who = 0;
#pragma unroll
      for (int step = 16; step > 0; step /= 2) {
        const int begin = __shfl_sync(kAll, before, who + step);
        if (begin <= i) who += step;
      }
      const int its_row = __shfl_sync(kAll, mine.row, who);
      const int its_first = __shfl_sync(kAll, mine.first, who);
      const int its_before = __shfl_sync(kAll, before, who);
      int direction = -1;
      if (i < all) {
        const int n = a.ball.count(its_row);
        direction = a.ball.starts[its_row] + (its_first + i - its_before) % n;
      }
      vote_along(a, cells, fit, pixels, shape, direction, voted);
    }
  }
}

// Whether a planar node has no planar node above it.
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

// By a warp: whether less than half of a node's cells are owned. Reads of several cells are on
// their way together.
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

// A warp looks at nodes that are far from each other: planar ones lie together.
__device__ void vote(const FramePlanesArguments& a) {
  __shared__ std::uint32_t voted_cells[kVoteThreads / 32][kVotedOfWarp];
  if (!round_is_on(a)) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warps = static_cast<int>(gridDim.x) * (kVoteThreads / 32);
  const int first = static_cast<int>(blockIdx.x) * (kVoteThreads / 32) + warp;
  const int node = lane * warps + first;
  const bool is_there = lane < kNodesOfWarp && node < a.node_count;
  const int round = a.round - a.first_round;
  bool looked_at = false, planar = false, candidate = false;
  if (is_there) {
    const NodePlace place = place_of(a, node);
    looked_at = is_looked_at(a, place);
    planar = looked_at && a.cells.planar[node] != 0;
    candidate = planar && planes::level_votes(place.level, round, a.cells.nodes[node].tolerance2,
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
  VotedCells voted{voted_cells[warp]};
  for (unsigned open = __ballot_sync(kAll, candidate); open != 0; open &= open - 1) {
    const int its_node = (__ffs(static_cast<int>(open)) - 1) * warps + first;
    if (is_free(a, place_of(a, its_node))) vote_for_node(a, its_node, &voted);
  }
  voted.flush(a);
}

// Of voted cells: 3 of the cell and 2 of each of its six neighbours, over 15. What has votes enough
// for a peak is written down.
__device__ void filter(const FramePlanesArguments& a) {
  const planes::BallCells cells = ball_of(a);
  RoundCounters& counted = a.round_counters[a.round];
  const std::uint32_t count = counted.voted;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto votes_at = [&](int direction, int distance) -> std::uint64_t {
    const std::int64_t cell = cells.cell(direction, distance);
    return cell < 0 ? 0 : a.votes[cell];
  };
  for (std::uint32_t i = blockIdx.x * kPlaneThreads + threadIdx.x;
       i - static_cast<unsigned>(lane) < count; i += gridDim.x * kPlaneThreads) {
    std::uint32_t cell = 0;
    bool candidate = false;
    if (i < count) {
      cell = a.voted[i];
      const int direction = static_cast<int>(cell / static_cast<unsigned>(cells.distances));
      const int k = static_cast<int>(cell % static_cast<unsigned>(cells.distances));
      const std::uint64_t around = votes_at(direction, k - 1) + votes_at(direction, k + 1) +
                                   votes_at(cells.ball.turned(direction, -1), k) +
                                   votes_at(cells.ball.turned(direction, 1), k) +
                                   votes_at(cells.ball.moved(direction, -1), k) +
                                   votes_at(cells.ball.moved(direction, 1), k);
      const std::uint64_t value = (3 * std::uint64_t{a.votes[cell]} + 2 * around) / 15;
      a.filtered[cell] = static_cast<std::uint32_t>(value);
      candidate = value >= static_cast<std::uint64_t>(a.rules.min_votes);
    }
    const unsigned found = __ballot_sync(kAll, candidate);
    std::uint32_t place = 0;
    if (lane == 0 && found != 0) {
      place = atomicAdd(&counted.peak_candidates, static_cast<std::uint32_t>(__popc(found)));
    }
    place = __shfl_sync(kAll, place, 0);
    if (candidate) a.peak_candidates[place + __popc(found & ((1U << lane) - 1U))] = cell;
  }
}

// A warp for each candidate, a direction for each of its threads.
__device__ void find_peaks(const FramePlanesArguments& a) {
  const planes::BallCells cells = ball_of(a);
  const std::uint32_t count = a.round_counters[a.round].peak_candidates;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (std::uint32_t i = (blockIdx.x * kPlaneThreads + threadIdx.x) / 32; i < count;
       i += gridDim.x * (kPlaneThreads / 32)) {
    const std::uint32_t cell = a.peak_candidates[i];
    const std::uint32_t value = a.filtered[cell];
    bool beaten = false;
    if (lane < 25) {
      const int direction = static_cast<int>(cell / static_cast<unsigned>(cells.distances));
      const int k = static_cast<int>(cell % static_cast<unsigned>(cells.distances));
      const int near = cells.ball.turned(cells.ball.moved(direction, lane / 5 - 2), lane % 5 - 2);
      std::int64_t others[5];
      std::uint32_t votes[5], values[5];
      // What is not voted for has an old value: both are read before it is known, all at once.
#pragma unroll
      for (int j = 0; j < 5; ++j) {
        others[j] = cells.cell(near, k + j - 2);
        votes[j] = others[j] < 0 ? 0U : a.votes[others[j]];
        values[j] = others[j] < 0 ? 0U : a.filtered[others[j]];
      }
#pragma unroll
      for (int j = 0; j < 5; ++j) {
        if (votes[j] == 0 || others[j] == cell) continue;
        if (values[j] > value || (values[j] == value && others[j] < cell)) beaten = true;
      }
    }
    if (__any_sync(kAll, beaten) == 0 && lane == 0) {
      const std::uint32_t peak = atomicAdd(&a.round_counters[a.round].peaks, 1U);
      a.peaks[peak] = {cell, value, 0, 0, 0};
    }
  }
}

// A warp for each voter. The votes are not needed any more: the ball is empty again.
__device__ void find_nearest(const FramePlanesArguments& a) {
  const planes::BallCells cells = ball_of(a);
  const RoundCounters& counted = a.round_counters[a.round];
  const std::uint32_t thread = blockIdx.x * kPlaneThreads + threadIdx.x;
  for (std::uint32_t i = thread; i < counted.voted; i += gridDim.x * kPlaneThreads) {
    a.votes[a.voted[i]] = 0;
  }
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
    rdp::cuda::wait_for_grid_before();                             \
    rdp::cuda::function(a);                                        \
  }
RDP_PLANES_VOTES(vote, vote, rdp::cuda::kVoteThreads)
RDP_PLANES_VOTES(filter, filter, rdp::cuda::kPlaneThreads)
RDP_PLANES_VOTES(peaks, find_peaks, rdp::cuda::kPlaneThreads)
RDP_PLANES_VOTES(nearest, find_nearest, rdp::cuda::kPlaneThreads)
