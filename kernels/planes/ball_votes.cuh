// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_BALL_VOTES_CUH_
#define RDP_KERNELS_PLANES_BALL_VOTES_CUH_

#include <cstdint>

#include "common/planes/ball.h"
#include "common/planes/eigen.h"
#include "common/planes/limits.h"
#include "kernels/planes/near_fit.cuh"
#include "kernels/primitives/warp.cuh"

// Votes of nodes in the ball, and their peaks. Only cells with votes are visited: the first vote
// for a cell puts it on a list.
namespace rdp::cuda {

constexpr int kBallThreads = 256;  // of blocks that look at voted cells
constexpr int kVotedOfWarp = 512;  // cells of the ball that a warp keeps until it writes them

struct BallVotes {
  planes::BallCells cells;
  double angle_step;
  const std::uint32_t* shares;
  std::uint32_t* votes;     // of each cell; zeros at rest
  std::uint32_t* filtered;  // of voted cells
  std::uint32_t* voted;     // those cells
  std::uint32_t* voted_count;
  std::uint32_t* candidates;  // voted cells with votes enough for a peak
  std::uint32_t* candidate_count;
};

// The cells of the ball that a warp is the first to vote for, until they are written.
struct VotedCells {
  std::uint32_t* cells;  // kVotedOfWarp
  int count = 0;

  __device__ __forceinline__ void flush(const BallVotes& b) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    std::uint32_t start = 0;
    __syncwarp();
    if (lane == 0 && count > 0) {
      start = atomicAdd(b.voted_count, static_cast<std::uint32_t>(count));
    }
    start = __shfl_sync(kAll, start, 0);
    for (int i = lane; i < count; i += 32) b.voted[start + static_cast<unsigned>(i)] = cells[i];
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

// Rows of the ball and shares for votes, in shared memory, because each of these reads waits for
// the one before.
struct BallRows {
  static constexpr int kShares = sizeof planes::kVoteShares / sizeof planes::kVoteShares[0];
  std::uint32_t shares[kShares];
  int starts[planes::kMaxDirections + 2];
  float heights[planes::kMaxDirections + 1];  // of the centres' z

  // Loads with `threads` threads, of which this one is number `thread`. Synchronise the block
  // before reading.
  __device__ __forceinline__ void load(const BallVotes& b, int thread, int threads) {
    const planes::BallView& ball = b.cells.ball;
    for (int i = thread; i < kShares; i += threads) shares[i] = b.shares[i];
    for (int row = thread; row <= ball.rows; row += threads) {
      starts[row] = ball.starts[row];
      if (row == ball.rows) continue;
      heights[row] = static_cast<float>(ball.centres[3 * ball.starts[row] + 2]);
    }
  }
};

// Some neighbouring directions of a row of the ball.
struct Window {
  int row = 0;
  int first = 0;  // in the row
  int count = 0;
};

// Directions of a row that may be near enough to a normal with the angle `theta` about the axis. A
// few more do no harm: an exact test follows.
__device__ inline Window window_of(const BallRows& rows, int row, const planes::Fit& fit,
                                   float theta, float least_cosine) {
  Window w;
  w.row = row;
  const int n = rows.starts[row + 1] - rows.starts[row];
  w.count = n;
  if (n == 1) return w;
  const auto z = static_cast<float>(fit.normal[2]);
  const float row_z = rows.heights[row];
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

// Adds a node's votes along the distances of directions, by a warp: one direction per thread; -1:
// none.
__device__ inline void vote_along(const BallVotes& b, const planes::Fit& fit, std::uint64_t weight,
                                  const planes::VoteShape& shape, double over_step,
                                  const std::uint32_t* shares, int direction, VotedCells* voted) {
  constexpr int kAtOnce = 4;
  double angle = 0.0, distance = 0.0;
  int k = 0, last = -1;
  if (direction >= 0) {
    const double* const c = b.cells.ball.centres + 3 * direction;
    const double cosine = planes::dot(c, fit.normal);
    if (cosine >= shape.least_cosine) {
      angle = (1.0 - cosine) * shape.angle_factor;
      distance = planes::dot(c, fit.mean);
    }
    if (cosine >= shape.least_cosine && angle < planes::kMaxDeviation) {
      // Rounded down, the range is half a step too wide; the exact test is below.
      k = static_cast<int>(floor((distance - shape.reach) * over_step));
      last = static_cast<int>(floor((distance + shape.reach) * over_step));
    }
  }
  while (__any_sync(kAll, k <= last) != 0) {
    std::uint32_t places[kAtOnce], votes[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i, ++k) {
      places[i] = 0;
      votes[i] = 0;
      if (k > last) continue;
      const double off = distance - b.cells.centre_distance(k);
      if (fabs(off) > shape.reach) continue;
      const double off_share = off * shape.distance_factor;
      const double deviation = angle + off_share * off_share;
      if (!(deviation < planes::kMaxDeviation)) continue;
      const std::int64_t cell = b.cells.cell(direction, k);
      if (cell < 0) continue;
      places[i] = static_cast<std::uint32_t>(cell);
      votes[i] = static_cast<std::uint32_t>(planes::vote(weight, deviation, shares));
    }
    bool is_new[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      is_new[i] = votes[i] > 0 && atomicAdd(&b.votes[places[i]], votes[i]) == 0;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) voted->add(is_new[i], places[i]);
    if (voted->count > kVotedOfWarp - 32 * kAtOnce) voted->flush(b);
  }
}

// Adds the votes of a node with this plane, by `warps` warps, of which this one is number `warp`.
__device__ inline void vote_in_ball(const BallVotes& b, const planes::Fit& fit, double tolerance,
                                    std::uint64_t weight, const BallRows& rows, int warp, int warps,
                                    VotedCells* voted) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const planes::VoteShape shape =
      planes::vote_shape(tolerance / sqrt(fit.variance[1]), tolerance, b.angle_step, b.cells.step);
  // A little wider than wanted: this must find all, and an exact test follows.
  const double least_cosine =
      fmax(shape.least_cosine, 1.0 - planes::kMaxDeviation / shape.angle_factor);
  const float reach = acosf(static_cast<float>(least_cosine)) + 0.005F;
  if (!(reach < 4.0F)) return;
  const double over_step = near_inverse(b.cells.step);
  const auto z = static_cast<float>(fit.normal[2]);
  const float phi = acosf(z < -1.0F ? -1.0F : z > 1.0F ? 1.0F : z);
  const float theta = atan2f(static_cast<float>(fit.normal[1]), static_cast<float>(fit.normal[0]));
  const auto angle_step = static_cast<float>(b.angle_step);
  const int first_row = max(0, static_cast<int>(floorf((phi - reach) / angle_step)));
  const int last_row =
      min(b.cells.ball.rows - 1, static_cast<int>(ceilf((phi + reach) / angle_step)));
  for (int row = first_row; row <= last_row; row += 32) {
    Window mine;
    if (row + lane <= last_row) {
      mine = window_of(rows, row + lane, fit, theta, static_cast<float>(least_cosine));
    }
    const int until = warp_inclusive_sum(mine.count);
    const int before = until - mine.count;
    const int all = __shfl_sync(kAll, until, 31);
    for (int i = 32 * warp + lane; i - lane < all; i += 32 * warps) {
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
        const int n = rows.starts[its_row + 1] - rows.starts[its_row];
        direction = rows.starts[its_row] + (its_first + i - its_before) % n;
      }
      vote_along(b, fit, weight, shape, over_step, rows.shares, direction, voted);
    }
  }
}

// Filters the votes of cells: 3 of the cell and 2 of each of its six neighbours, over 15. Lists
// cells with enough votes for a peak.
__device__ inline void filter_votes(const BallVotes& b, std::uint64_t min_votes) {
  const planes::BallCells& cells = b.cells;
  const std::uint32_t count = *b.voted_count;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto votes_at = [&](int direction, int distance) -> std::uint64_t {
    const std::int64_t cell = cells.cell(direction, distance);
    return cell < 0 ? 0 : b.votes[cell];
  };
  for (std::uint32_t i = blockIdx.x * kBallThreads + threadIdx.x;
       i - static_cast<unsigned>(lane) < count; i += gridDim.x * kBallThreads) {
    std::uint32_t cell = 0;
    bool candidate = false;
    if (i < count) {
      cell = b.voted[i];
      const int direction = static_cast<int>(cell / static_cast<unsigned>(cells.distances));
      const int k = static_cast<int>(cell % static_cast<unsigned>(cells.distances));
      const std::uint64_t around = votes_at(direction, k - 1) + votes_at(direction, k + 1) +
                                   votes_at(cells.ball.turned(direction, -1), k) +
                                   votes_at(cells.ball.turned(direction, 1), k) +
                                   votes_at(cells.ball.moved(direction, -1), k) +
                                   votes_at(cells.ball.moved(direction, 1), k);
      const std::uint64_t value = (3 * std::uint64_t{b.votes[cell]} + 2 * around) / 15;
      b.filtered[cell] = static_cast<std::uint32_t>(value);
      candidate = value >= min_votes;
    }
    const unsigned found = __ballot_sync(kAll, candidate);
    std::uint32_t place = 0;
    if (lane == 0 && found != 0) {
      place = atomicAdd(b.candidate_count, static_cast<std::uint32_t>(__popc(found)));
    }
    place = __shfl_sync(kAll, place, 0);
    if (candidate) b.candidates[place + __popc(found & ((1U << lane) - 1U))] = cell;
  }
}

// Calls found (cell, filtered votes) for each peak, by one thread. A warp for each candidate, a
// direction for each of its threads.
template <typename Found>
__device__ __forceinline__ void find_peaks_of(const BallVotes& b, const Found& found) {
  const planes::BallCells& cells = b.cells;
  const std::uint32_t count = *b.candidate_count;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (std::uint32_t i = (blockIdx.x * kBallThreads + threadIdx.x) / 32; i < count;
       i += gridDim.x * (kBallThreads / 32)) {
    const std::uint32_t cell = b.candidates[i];
    const std::uint32_t value = b.filtered[cell];
    bool beaten = false;
    if (lane < 25) {
      const int direction = static_cast<int>(cell / static_cast<unsigned>(cells.distances));
      const int k = static_cast<int>(cell % static_cast<unsigned>(cells.distances));
      const int near = cells.ball.turned(cells.ball.moved(direction, lane / 5 - 2), lane % 5 - 2);
      std::int64_t others[5];
      std::uint32_t votes[5], values[5];
      // Cells without votes have stale values. All votes and values are read before any test.
#pragma unroll
      for (int j = 0; j < 5; ++j) {
        others[j] = cells.cell(near, k + j - 2);
        votes[j] = others[j] < 0 ? 0U : b.votes[others[j]];
        values[j] = others[j] < 0 ? 0U : b.filtered[others[j]];
      }
#pragma unroll
      for (int j = 0; j < 5; ++j) {
        if (votes[j] == 0 || others[j] == cell) continue;
        if (values[j] > value || (values[j] == value && others[j] < cell)) beaten = true;
      }
    }
    if (__any_sync(kAll, beaten) == 0 && lane == 0) found(cell, value);
  }
}

// Empties the ball.
__device__ inline void clear_votes(const BallVotes& b) {
  const std::uint32_t count = *b.voted_count;
  for (std::uint32_t i = blockIdx.x * kBallThreads + threadIdx.x; i < count;
       i += gridDim.x * kBallThreads) {
    b.votes[b.voted[i]] = 0;
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_BALL_VOTES_CUH_
