// SPDX-License-Identifier: LGPL-2.1-or-later
// Rounds from planar nodes to planes of nodes. In each, nodes that are far from every plane vote
// (rdp_cloud_vote), votes are filtered (rdp_cloud_filter), peaks are found (rdp_cloud_peaks) and
// put in order (rdp_cloud_order), voters go to the nearest (rdp_cloud_nearest), planes of these are
// fitted (rdp_cloud_fit); then all nodes go to the nearest plane (rdp_cloud_assign), and planes
// with too few points go (rdp_cloud_drop). At the end rdp_cloud_keep drops more.
#include <cstdint>

#include "common/planes/ball.h"
#include "common/planes/cell_rules.h"
#include "common/planes/clouds/rules.h"
#include "kernels/planes/ball_votes.cuh"
#include "kernels/planes/cloud_cells.cuh"
#include "kernels/planes/cloud_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

static_assert(kBallThreads == kCloudThreads);

using planes::Fit;
using planes::Moments;

__device__ __forceinline__ BallVotes ball_of(const CloudPlanesArguments& a) {
  const planes::CloudRules& rules = a.state->rules;
  return {{a.ball, rules.distances, rules.distance_step},
          rules.angle_step,
          a.shares,
          a.votes,
          a.filtered,
          a.voted,
          &a.rounds[a.round].voted,
          a.peak_candidates,
          &a.rounds[a.round].candidates};
}

// Peaks of which planes are made.
__device__ __forceinline__ std::uint32_t used_peaks(const CloudPlanesArguments& a) {
  const std::uint32_t room = planes::kCloudPlanes - a.state->planes;
  return min(room, a.rounds[a.round].peaks);
}

// A warp for each node.
template <typename Visit>
__device__ __forceinline__ void for_each_of(std::uint32_t count, const Visit& visit) {
  const std::uint32_t warps = gridDim.x * blockDim.x / 32;
  for (std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < count; i += warps) {
    visit(i);
  }
}

__device__ void vote(const CloudPlanesArguments& a) {
  __shared__ std::uint32_t voted_cells[kCloudVoteThreads / 32][kVotedOfWarp];
  const planes::CloudRules& rules = a.state->rules;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto planes_there = static_cast<int>(a.state->planes);
  const double reach = planes::squared_reach(rules, planes::kVoteAgainDistance);
  const double tolerance = sqrt(planes::squared_reach(rules, 1.0));
  const BallVotes ball = ball_of(a);
  constexpr int kWarps = kCloudVoteThreads / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  VotedCells voted{voted_cells[warp]};
  __shared__ BallRows rows;
  rows.load(ball, static_cast<int>(threadIdx.x), kCloudVoteThreads);
  __syncthreads();
  // A block for each node: its warps share the directions, which is what takes time.
  for (std::uint32_t number = blockIdx.x; number < a.state->planar; number += gridDim.x) {
    const CloudNode& node = a.planar[number];
    bool near = false;
    for (int p = lane; p < planes_there; p += 32) {
      near = near || planes::squared_distance(node.statistics, a.planes[p].fit) <= reach;
    }
    if (__any_sync(kAll, near) != 0) continue;
    if (threadIdx.x == 0) a.voters[atomicAdd(&a.rounds[a.round].voters, 1U)] = {number, kNoCell};
    vote_in_ball(ball, node.fit, tolerance, node.moments.n, rows, warp, kWarps, &voted);
  }
  voted.flush(ball);
}

__device__ void filter(const CloudPlanesArguments& a) {
  filter_votes(ball_of(a), static_cast<std::uint64_t>(a.state->rules.min_votes));
}

__device__ void find_peaks(const CloudPlanesArguments& a) {
  find_peaks_of(ball_of(a), [&](std::uint32_t cell, std::uint32_t votes) {
    const std::uint32_t peak = atomicAdd(&a.rounds[a.round].peaks, 1U);
    a.found_peaks[peak] = {cell, votes};
  });
}

// Sorts peaks: a peak's place is the number of better ones. Clears the votes, which are used up.
__device__ void order_peaks(const CloudPlanesArguments& a) {
  clear_votes(ball_of(a));
  const std::uint32_t peaks = a.rounds[a.round].peaks, used = used_peaks(a);
  for (std::uint32_t i = blockIdx.x * kCloudThreads + threadIdx.x; i < peaks;
       i += gridDim.x * kCloudThreads) {
    const BallPeak own = a.found_peaks[i];
    std::uint32_t place = 0;
    for (std::uint32_t j = 0; j < peaks && place < used; ++j) {
      if (a.found_peaks[j].cell < own.cell) ++place;
    }
    if (place < used) a.peaks[place] = {own, 0, 0};
  }
}

// The least of the threads' values, and the lowest number with it; kNoCell: none.
__device__ __forceinline__ void warp_nearest(double* best, std::uint32_t* number) {
#pragma unroll
  for (int i = 16; i > 0; i /= 2) {
    const double theirs = __shfl_xor_sync(kAll, *best, i);
    const std::uint32_t its = __shfl_xor_sync(kAll, *number, i);
    if (its == kNoCell) continue;
    if (*number == kNoCell || theirs < *best || (theirs == *best && its < *number)) {
      *best = theirs;
      *number = its;
    }
  }
}

// Each voter to its peak.
__device__ void find_nearest(const CloudPlanesArguments& a) {
  const planes::CloudRules& rules = a.state->rules;
  const planes::BallCells cells{a.ball, rules.distances, rules.distance_step};
  const std::uint32_t used = used_peaks(a);
  const double tolerance2 = planes::squared_reach(rules, 1.0);
  const std::uint32_t lane = threadIdx.x % 32;
  for_each_of(a.rounds[a.round].voters, [&](std::uint32_t v) {
    const std::uint32_t number = a.voters[v].node;
    const CloudNode& node = a.planar[number];
    double best = 0.0;
    std::uint32_t best_peak = kNoCell;
    for (std::uint32_t p = lane; p < used; p += 32) {
      const std::uint32_t cell = a.peaks[p].peak.cell;
      const auto direction = cell / static_cast<unsigned>(cells.distances);
      const int k = static_cast<int>(cell % static_cast<unsigned>(cells.distances));
      const double near = planes::nearness(node.fit, tolerance2, cells.ball.centres + 3 * direction,
                                           cells.centre_distance(k), rules.angle_step, cells.step);
      if (!(near <= 1.0) || (best_peak != kNoCell && !(near < best))) continue;
      best = near;
      best_peak = p;
    }
    warp_nearest(&best, &best_peak);
    if (lane != 0 || best_peak == kNoCell) return;
    a.voters[v].peak = best_peak;
    atomicAdd(&a.peaks[best_peak].points, node.moments.n);
    atomicMax(&a.peaks[best_peak].largest, node.moments.n << 32 | (0xFFFFFFFFU - node.order));
  });
}

// Fits planes, a block for each peak, from its largest node: the mean of all its nodes may lie
// between two planes.
__device__ void fit_peaks(const CloudPlanesArguments& a) {
  __shared__ BlockMoments sums;
  __shared__ Fit fit;
  const planes::CloudRules& rules = a.state->rules;
  const std::uint32_t voters = a.rounds[a.round].voters, used = used_peaks(a);
  for (std::uint32_t p = blockIdx.x; p < used; p += gridDim.x) {
    const CloudPeak peak = a.peaks[p];
    CloudPlane& plane = a.planes[a.state->planes + p];
    if (peak.largest == 0 || peak.points < static_cast<std::uint64_t>(rules.min_inliers / 2)) {
      if (threadIdx.x == 0) plane.moments = Moments();
      continue;
    }
    const std::uint32_t largest = 0xFFFFFFFFU - static_cast<std::uint32_t>(peak.largest);
    __syncthreads();
    // Sums behind `fit`, a number for each thread of the first warp. Mostly the same nodes count
    // again.
    for (std::uint32_t v = threadIdx.x; v < voters; v += kCloudThreads) {
      const CloudNode& node = a.planar[a.voters[v].node];
      if (node.order != largest) continue;
      fit = node.fit;
      sums.total = node.moments;
    }
    __syncthreads();
    unsigned long long fitted = 0;
    if (threadIdx.x < kMoments) fitted = numbers_of(&sums.total)[threadIdx.x];
    static_assert(sizeof planes::kCloudNarrowing == 3 * sizeof(double));
    constexpr double kFirst = planes::kCloudNarrowing[0];
    constexpr double kSecond = planes::kCloudNarrowing[1];
    constexpr double kThird = planes::kCloudNarrowing[2];
    for (int i = 0; i < 3; ++i) {
      const double reach = planes::squared_reach(rules, i == 0   ? kFirst
                                                        : i == 1 ? kSecond
                                                                 : kThird);
      const Fit before = fit;
      Moments mine;
      for (std::uint32_t v = threadIdx.x; v < voters; v += kCloudThreads) {
        const CloudVoter voter = a.voters[v];
        if (voter.peak != p) continue;
        const CloudNode& node = a.planar[voter.node];
        if (node.order == largest || planes::squared_distance(node.statistics, before) <= reach) {
          mine.add(node.moments);
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
      plane.moments = sums.total;
      plane.fit = fit;
      plane.votes = peak.peak.votes;
    }
  }
}

// Every planar node to the nearest of all planes.
__device__ void assign(const CloudPlanesArguments& a) {
  if (a.rounds[a.round].voters == 0) return;
  const planes::CloudRules& rules = a.state->rules;
  const std::uint32_t open = a.state->planes + used_peaks(a);
  const double most = planes::squared_reach(rules, planes::kCloudAssignDistance);
  const double tolerance2 = planes::squared_reach(rules, 1.0);
  const std::uint32_t lane = threadIdx.x % 32;
  for_each_of(a.state->planar, [&](std::uint32_t number) {
    CloudNode& node = a.planar[number];
    double best = 0.0;
    std::uint32_t best_plane = kNoCell;
    for (std::uint32_t p = lane; p < open; p += 32) {
      const CloudPlane& plane = a.planes[p];
      if (plane.moments.n == 0) continue;
      const double d = planes::squared_distance(node.statistics, plane.fit);
      if (!(d <= most) || (best_plane != kNoCell && !(d < best))) continue;
      if (!planes::same_direction(node.fit, tolerance2, plane.fit)) continue;
      best = d;
      best_plane = p;
    }
    warp_nearest(&best, &best_plane);
    if (lane == 0) node.owner = static_cast<std::int32_t>(best_plane);
    if (best_plane != kNoCell && lane < kMoments) {
      atomicAdd(&numbers_of(&a.plane_sums[best_plane])[lane],
                numbers_of(static_cast<const Moments*>(&node.moments))[lane]);
    }
  });
}
static_assert(static_cast<std::int32_t>(kNoCell) == -1);

// One block. Keeps the planes for which keep() is true, in their order. store (from, to) moves a
// plane to its new place, which is not beyond the old one. Returns how many are left.
template <typename Keep, typename Take, typename Store>
__device__ __forceinline__ std::uint32_t compact(std::uint32_t planes, const Keep& keep,
                                                 const Take& take, const Store& store) {
  __shared__ std::uint32_t of_warps[kDropThreads / 32];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  std::uint32_t base = 0;
  for (std::uint32_t first = 0; first < planes; first += kDropThreads) {
    const std::uint32_t p = first + threadIdx.x;
    const bool is_kept = p < planes && keep(p);
    const unsigned kept = __ballot_sync(kAll, is_kept);
    if (threadIdx.x % 32 == 0) of_warps[warp] = static_cast<std::uint32_t>(__popc(kept));
    const auto taken = take(p, is_kept);
    __syncthreads();
    std::uint32_t place =
        base + static_cast<std::uint32_t>(__popc(kept & ((1U << threadIdx.x % 32) - 1)));
    for (int w = 0; w < kDropThreads / 32; ++w) {
      if (w < warp) place += of_warps[w];
      base += of_warps[w];
    }
    if (p < planes) store(p, is_kept, place, taken);
    __syncthreads();
  }
  return base;
}

// One block.
__device__ void drop(const CloudPlanesArguments& a) {
  if (a.rounds[a.round].voters == 0) return;
  const auto least = static_cast<std::uint64_t>(a.state->rules.min_inliers / 2);
  const std::uint32_t kept = compact(
      a.state->planes + used_peaks(a),
      [&](std::uint32_t p) { return a.plane_sums[p].n > 0 && a.plane_sums[p].n >= least; },
      [&](std::uint32_t p, bool is_kept) { return is_kept ? a.planes[p].votes : 0ULL; },
      [&](std::uint32_t p, bool is_kept, std::uint32_t place, unsigned long long votes) {
        a.numbers[p] = is_kept ? static_cast<std::int32_t>(place) : -1;
        const Moments sums = a.plane_sums[p];
        a.plane_sums[p] = Moments();
        if (!is_kept) return;
        a.planes[place].moments = sums;
        a.planes[place].fit = planes::fit_of(planes::statistics_of(sums));
        a.planes[place].votes = votes;
      });
  if (threadIdx.x == 0) a.state->planes = kept;
}

// One block, after the last round: numbers[] then says what became of the planes that nodes belong
// to.
__device__ void keep(const CloudPlanesArguments& a) {
  const auto least = static_cast<std::uint64_t>(a.state->rules.min_inliers);
  const std::uint32_t planes_before = a.state->planes;
  __syncthreads();
  const std::uint32_t kept = compact(
      planes_before, [&](std::uint32_t p) { return a.planes[p].moments.n >= least; },
      [&](std::uint32_t p, bool is_kept) { return is_kept ? a.planes[p] : CloudPlane(); },
      [&](std::uint32_t p, bool is_kept, std::uint32_t place, const CloudPlane& plane) {
        a.into[p] = is_kept ? static_cast<std::int32_t>(place) : -1;
        if (is_kept) a.planes[place] = plane;
      });
  for (int p = static_cast<int>(threadIdx.x); p < planes::kCloudPlanes; p += kDropThreads) {
    const std::int32_t number = a.numbers[p];
    if (number >= 0 && number < static_cast<std::int32_t>(planes_before)) {
      a.numbers[p] = a.into[number];
    }
  }
  if (threadIdx.x == 0) a.state->planes = kept;
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_CLOUD_ROUNDS(name, function, threads)                 \
  extern "C" __global__ void __launch_bounds__(threads, 1)        \
      rdp_cloud_##name(const rdp::cuda::CloudPlanesArguments a) { \
    rdp::cuda::pdl_wait_and_trigger();                            \
    rdp::cuda::function(a);                                       \
  }
RDP_CLOUD_ROUNDS(vote, vote, rdp::cuda::kCloudVoteThreads)
RDP_CLOUD_ROUNDS(filter, filter, rdp::cuda::kCloudThreads)
RDP_CLOUD_ROUNDS(peaks, find_peaks, rdp::cuda::kCloudThreads)
RDP_CLOUD_ROUNDS(order, order_peaks, rdp::cuda::kCloudThreads)
RDP_CLOUD_ROUNDS(nearest, find_nearest, rdp::cuda::kCloudThreads)
RDP_CLOUD_ROUNDS(fit, fit_peaks, rdp::cuda::kCloudThreads)
RDP_CLOUD_ROUNDS(assign, assign, rdp::cuda::kCloudThreads)
RDP_CLOUD_ROUNDS(drop, drop, rdp::cuda::kDropThreads)
RDP_CLOUD_ROUNDS(keep, keep, rdp::cuda::kDropThreads)
