// SPDX-License-Identifier: LGPL-2.1-or-later
// The refinement of a ground, a block for each attempt, and by the last of them what the ground
// decides for the frame.
#include <cstdint>

#include "kernels/obstacles/obstacle_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using obstacles::Attempt;
using obstacles::Ground;
using obstacles::GroundBand;
using obstacles::GroundSums;

constexpr int kWarps = kGroundThreads / 32;
constexpr int kSums = sizeof(GroundSums) / sizeof(std::int64_t);

// The ground of a round, without what only its fit needs.
struct RoundGround {
  double up[3];
  std::int32_t height;
  GroundBand band;
};

// Memory that the threads of a block share. Sums and means are in the order of GroundSums.
struct RoundMemory {
  RoundGround ground;
  std::int32_t ends;  // the attempt does not stand
  unsigned long long of_warp[kSums][kWarps];
  unsigned long long of_block[kSums];
  double means[kSums];
};

// The sums of kSums numbers over a warp. Threads whose *number is not below 0 have that one in
// v[0]: half of the numbers go to the other half of the threads in each step.
__device__ __forceinline__ void sum_over_warp(unsigned long long (&v)[kSums], int* number) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int first = 0, left = kSums;
#pragma unroll
  for (int step = 16, count = kSums; step > 0; step /= 2) {
    const int half = (count + 1) / 2;
    const bool upper = (lane & step) != 0;
#pragma unroll
    for (int i = 0; i < half; ++i) {
      const unsigned long long other = i + half < count ? v[i + half] : 0ULL;
      const unsigned long long given = upper ? v[i] : other;
      v[i] = (upper ? other : v[i]) + __shfl_xor_sync(kAll, given, step);
    }
    first += upper ? half : 0;
    left = upper ? left - half : min(left, half);
    count = half;
  }
  *number = left > 0 ? first : -1;
}

// The pixels of a column that a thread looks at: rows from `first` on, each so many behind the
// last.
struct GroundColumn {
  int column, first, by, end;
  std::int32_t x;
  double ray;
};
__device__ __forceinline__ GroundColumn column_of_thread(const ObstacleArguments& a) {
  const int thread = static_cast<int>(threadIdx.x);
  const int groups = kGroundThreads / a.sample_columns;
  GroundColumn c{thread % a.sample_columns, thread / a.sample_columns, groups, a.sample_rows, 0, 0};
  if (c.first >= groups) c.end = 0;
  c.x = c.column * a.step - a.lens.middle_x;
  c.ray = a.ray_x[c.column * a.step];
  return c;
}

// Each thread brings what it will read itself, some samples at a time.
__device__ __forceinline__ void bring_samples(const ObstacleArguments& a, const GroundColumn& c,
                                              GroundSample* samples) {
  constexpr int kAtOnce = 10;
  for (int first = c.first; first < c.end; first += kAtOnce * c.by) {
    unsigned value[kAtOnce];
    GroundSample sample[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      value[i] = sample_at(a, c.column * a.step, (first + i * c.by) * a.step);
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) sample[i] = {a.depth[value[i]], a.inverse[value[i]]};
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int row = first + i * c.by;
      if (row >= c.end) break;
      if (sample[i].z > a.rules.range) sample[i].z = 0;
      samples[row * a.sample_columns + c.column] = sample[i];
    }
  }
}

// The sums of a round over the block's samples, in memory->of_block.
__device__ __forceinline__ void sum_round(const ObstacleArguments& a, const GroundColumn& c,
                                          const GroundSample* samples, std::int32_t* row_rays,
                                          RoundMemory* memory) {
  constexpr int kAtOnce = 5;
  const RoundGround& ground = memory->ground;
  const int thread = static_cast<int>(threadIdx.x);
  for (int row = thread; row < a.sample_rows; row += kGroundThreads) {
    row_rays[row] = obstacles::row_ray(ground.up, a.ray_y[row * a.step]);
  }
  const std::int32_t of_column = obstacles::column_ray(ground.up, c.ray);
  const GroundBand band = ground.band;
  __syncthreads();
  std::int32_t n = 0, below = 0, y_sum = 0;
  std::int64_t u_sum = 0, yy = 0, yu = 0;
  for (int first = c.first; first < c.end; first += kAtOnce * c.by) {
    GroundSample sample[kAtOnce];
    std::int32_t ray[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int row = min(first + i * c.by, c.end - 1);
      sample[i] = samples[row * a.sample_columns + c.column];
      ray[i] = of_column + row_rays[row];
    }
    // Without branches, so that none waits for another one.
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int row = first + i * c.by;
      const std::int32_t z = sample[i].z;
      const std::int32_t h = ground.height + obstacles::along_ray(z, ray[i]);
      const std::int32_t most = band.base + (z * band.slope >> 16);
      const bool known = z != 0 && row < c.end;
      const bool lies_below = h < -most;
      const bool used = known && !lies_below && 2 * h <= most;
      const std::int32_t y = used ? row * a.step - a.lens.middle_y : 0;
      const std::int32_t u = used ? sample[i].u : 0;
      below += known && lies_below ? 1 : 0;
      n += used ? 1 : 0;
      y_sum += y;
      u_sum += u;
      yy += std::int64_t{y} * y;
      yu += std::int64_t{y} * u;
    }
  }
  const std::int64_t x = c.x;
  const std::int64_t sums[kSums] = {n,         x * n, y_sum,     u_sum, x * x * n,
                                    x * y_sum, yy,    x * u_sum, yu,    below};
  unsigned long long v[kSums];
#pragma unroll
  for (int i = 0; i < kSums; ++i) v[i] = static_cast<unsigned long long>(sums[i]);
  int number;
  sum_over_warp(v, &number);
  if (number >= 0) memory->of_warp[number][thread / 32] = v[0];
  __syncthreads();
  if (thread >= 32) return;
  if (thread < kSums) {
    unsigned long long sum = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) sum += memory->of_warp[thread][w];
    memory->of_block[thread] = sum;
  }
  __syncwarp();
  // As fit_ground() divides, a thread each.
  const auto number_of = [&](int i) { return static_cast<std::int64_t>(memory->of_block[i]); };
  if (thread < kSums && number_of(0) != 0) {
    memory->means[thread] =
        static_cast<double>(number_of(thread)) / static_cast<double>(number_of(0));
  }
  __syncwarp();
}

// try_start() of common/obstacles/refinement.h.
template <bool kInShared>
__device__ void try_attempt(const ObstacleArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ RoundMemory round_memory;
  const int attempt = static_cast<int>(blockIdx.x);
  const bool is_first = threadIdx.x == 0;
  const int count = a.sample_columns * a.sample_rows;
  // Blocks that share samples write the same.
  auto* const samples = kInShared ? reinterpret_cast<GroundSample*>(memory) : a.samples;
  auto* const row_rays =
      kInShared ? reinterpret_cast<std::int32_t*>(samples + count) : a.sample_rays[attempt];
  const GroundColumn column = column_of_thread(a);
  bring_samples(a, column, samples);
  Attempt result;
  if (is_first) {
    result.ground = obstacles::turned(a.start, a.turns[attempt]);
    round_memory.ends = 0;
  }
  for (int round = 0; round <= obstacles::kRounds; ++round) {
    if (is_first) {
      const obstacles::Axes axes = obstacles::axes_of(result.ground);
      for (int i = 0; i < 3; ++i) round_memory.ground.up[i] = axes.r[2][i];
      round_memory.ground.height = axes.height;
      round_memory.ground.band = a.bands[min(round, obstacles::kRounds - 1)];
    }
    __syncthreads();
    sum_round(a, column, samples, row_rays, &round_memory);
    if (is_first) {
      const auto n = static_cast<std::int64_t>(round_memory.of_block[0]);
      const double* const m = round_memory.means;
      if (round == obstacles::kRounds) {
        result.stands = obstacles::is_near_start(result.ground, a.start);
        result.used = n;
        result.below = static_cast<std::int64_t>(round_memory.of_block[kSums - 1]);
      } else if (n == 0 || 64 * n < count ||
                 !obstacles::fit_means({m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]}, a.lens,
                                       &result.ground)) {
        round_memory.ends = 1;
      }
    }
    __syncthreads();
    if (round_memory.ends != 0) break;
  }
  if (is_first) a.attempts[attempt] = result;
}

// The ground that the attempts come to, as refine_ground() takes it.
__device__ FoundGround choose_ground(const ObstacleArguments& a) {
  FoundGround found{a.start, 0, 0, 0};
  if (a.refine == 0) return found;
  const Attempt* const attempts = a.attempts;
  const bool first = attempts[0].stands && 8 * attempts[0].below <= attempts[0].used;
  const int chosen = first ? 0 : obstacles::choose_attempt(attempts);
  if (chosen < 0) return found;
  return {attempts[chosen].ground, attempts[chosen].used, 1, 0};
}

// By the last block.
__device__ void place_frame(const ObstacleArguments& a) {
  __shared__ double axes_of_frame[3][3];
  if (threadIdx.x == 0) {
    const FoundGround found = choose_ground(a);
    const obstacles::Axes axes = obstacles::axes_of(found.ground);
    a.now->found = found;
    a.now->rules = obstacles::rules_over(a.rules, axes);
    a.now->view = obstacles::view_of(axes, a.lens);
    a.now->inside = a.inside[axes.steep ? 1 : 0];
    for (int i = 0; i < 9; ++i) axes_of_frame[i / 3][i % 3] = axes.r[i / 3][i % 3];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const double* const r = axes_of_frame[k];
    for (int x = static_cast<int>(threadIdx.x); x < a.rules.width; x += kGroundThreads) {
      a.columns[k][x] = obstacles::column_ray(r, a.ray_x[x]);
    }
    for (int y = static_cast<int>(threadIdx.x); y < a.rules.height; y += kGroundThreads) {
      a.rows[k][y] = obstacles::row_ray(r, a.ray_y[y]);
    }
  }
}

__device__ void find_ground(const ObstacleArguments& a) {
  __shared__ int is_last;
  if (a.refine != 0) {
    if (a.samples_in_shared != 0) {
      try_attempt<true>(a);
    } else {
      try_attempt<false>(a);
    }
  }
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(a.attempts_done, 1U) + 1 == gridDim.x ? 1 : 0;
    __threadfence();
    if (is_last != 0) *a.attempts_done = 0;
  }
  __syncthreads();
  if (is_last != 0) place_frame(a);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kGroundThreads, 1)
    rdp_obstacles_ground(const rdp::cuda::ObstacleArguments a) {
  rdp::cuda::let_next_start();
  rdp::cuda::find_ground(a);
}
