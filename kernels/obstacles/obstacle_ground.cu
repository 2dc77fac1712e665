// SPDX-License-Identifier: LGPL-2.1-or-later
// Refinement of a ground: a cluster of blocks for each attempt. Each block has some of the rows,
// and all come to the same ground.
#include <cstdint>

#include "kernels/obstacles/obstacle_arguments.h"
#include "kernels/primitives/cluster.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using obstacles::Attempt;
using obstacles::Ground;
using obstacles::GroundBand;
using obstacles::GroundSums;

static_assert(kClusterBlocks == kGroundBlocks || kClusterBlocks == 1);

constexpr int kWarps = kGroundThreads / 32;
constexpr int kSums = sizeof(GroundSums) / sizeof(std::int64_t);

// The ground of a round, without what only its fit needs.
struct RoundGround {
  double up[3];
  std::int32_t height;
  GroundBand band;
};

// Memory that the threads of a block share. Sums are in the order of GroundSums. Those of blocks
// are double-buffered: while some are read, others write those of the next round.
struct RoundMemory {
  RoundGround ground;
  std::int32_t ends;  // the attempt fails
  unsigned long long of_warp[kSums][kWarps];
  unsigned long long of_block[2][kClusterBlocks][kSums];
};

// Sums kSums numbers over a warp. In each step a thread hands half of its numbers to another one.
// Threads whose *number is not negative end with the sum of that number in v[0].
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

// The largest number of rows of a block.
__device__ __forceinline__ int rows_of_block(const ObstacleArguments& a) {
  return (a.sample_rows + kClusterBlocks - 1) / kClusterBlocks;
}

// Pixels of a thread: every `by`-th of the block's, from `first` to before `end`. They are in one
// column.
struct GroundPixels {
  int first, by, end;
  int column;
  int block;  // has each kClusterBlocks-th row
  std::int32_t x;
  double ray;
};
__device__ __forceinline__ GroundPixels pixels_of_thread(const ObstacleArguments& a) {
  const int thread = static_cast<int>(threadIdx.x);
  const int by = kGroundThreads / a.sample_columns * a.sample_columns;
  GroundPixels p{thread, by, 0, thread % a.sample_columns, 0, 0, 0};
  p.block = static_cast<int>(blockIdx.x) % kClusterBlocks;
  const int rows = (a.sample_rows - p.block + kClusterBlocks - 1) / kClusterBlocks;
  if (thread < by) p.end = rows * a.sample_columns;
  p.x = p.column * a.step - a.lens.middle_x;
  p.ray = a.ray_x[p.column * a.step];
  return p;
}

constexpr int kAtOnce = 5;

// Loads samples, some at a time; a thread loads those that it reads itself.
__device__ __forceinline__ void bring_samples(const ObstacleArguments& a, const GroundPixels& p,
                                              GroundSample* samples) {
  const int rows_by = p.by / a.sample_columns;
  int row = p.first / a.sample_columns;
  for (int first = p.first; first < p.end; first += kAtOnce * p.by, row += kAtOnce * rows_by) {
    unsigned value[kAtOnce];
    GroundSample sample[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int y = (row + i * rows_by) * kClusterBlocks + p.block;
      value[i] = sample_at(a, p.column * a.step, y * a.step);
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) sample[i] = {a.depth[value[i]], a.inverse[value[i]]};
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (first + i * p.by >= p.end) break;
      if (sample[i].z > a.rules.range) sample[i].z = 0;
      samples[first + i * p.by] = sample[i];
    }
  }
}

// The sums of a round over the samples of each warp, in memory->of_warp.
__device__ __forceinline__ void sum_samples(const ObstacleArguments& a, const GroundPixels& p,
                                            const GroundSample* samples,
                                            const std::int32_t* row_rays, RoundMemory* memory) {
  const RoundGround& ground = memory->ground;
  const int rows_by = p.by / a.sample_columns;
  const std::int32_t of_column = obstacles::column_ray(ground.up, p.ray);
  const std::int32_t height = ground.height;
  const GroundBand band = ground.band;
  std::int32_t n = 0, below = 0, y_sum = 0;
  std::int64_t u_sum = 0, yy = 0, yu = 0;
  int first_row = p.first / a.sample_columns;
  for (int first = p.first; first < p.end;
       first += kAtOnce * p.by, first_row += kAtOnce * rows_by) {
    GroundSample sample[kAtOnce];
    std::int32_t ray[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const bool is_there = first + i * p.by < p.end;
      sample[i] = samples[is_there ? first + i * p.by : first];
      ray[i] = of_column + row_rays[is_there ? first_row + i * rows_by : first_row];
      if (!is_there) sample[i].z = 0;
    }
    // Without branches, so that none waits for another one.
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int row = (first_row + i * rows_by) * kClusterBlocks + p.block;
      const std::int32_t z = sample[i].z;
      const std::int32_t h = height + obstacles::along_ray(z, ray[i]);
      const std::int32_t most = band.base + (z * band.slope >> 16);
      const bool lies_below = h < -most;
      const bool used = z != 0 && !lies_below && 2 * h <= most;
      const std::int32_t y = used ? row * a.step - a.lens.middle_y : 0;
      const std::int32_t u = used ? sample[i].u : 0;
      below += z != 0 && lies_below ? 1 : 0;
      n += used ? 1 : 0;
      y_sum += y;
      u_sum += u;
      yy += std::int64_t{y} * y;
      yu += std::int64_t{y} * u;
    }
  }
  const std::int64_t x = p.x;
  const std::int64_t sums[kSums] = {n,         x * n, y_sum,     u_sum, x * x * n,
                                    x * y_sum, yy,    x * u_sum, yu,    below};
  unsigned long long v[kSums];
#pragma unroll
  for (int i = 0; i < kSums; ++i) v[i] = static_cast<unsigned long long>(sums[i]);
  int number;
  sum_over_warp(v, &number);
  if (number >= 0) memory->of_warp[number][threadIdx.x / 32] = v[0];
}

// The sum of kCount numbers.
template <int kCount>
__device__ __forceinline__ unsigned long long sum_of(const unsigned long long* numbers, int by) {
  unsigned long long sums[4] = {};
#pragma unroll
  for (int i = 0; i < kCount; ++i) sums[i % 4] += numbers[i * by];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// DivideEach by a warp whose threads all have the same numbers: each does one division.
struct DivideInWarp {
  template <int kCount>
  __device__ __forceinline__ void operator()(double (&numbers)[kCount], double by) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    double own = numbers[0];
#pragma unroll
    for (int i = 1; i < kCount; ++i) own = lane == i ? numbers[i] : own;
    own = own / by;
#pragma unroll
    for (int i = 0; i < kCount; ++i) numbers[i] = __shfl_sync(kAll, own, i);
  }
};

// try_start() of common/obstacles/refinement.h. The first warp of a block knows the ground.
template <bool kInShared>
__device__ void try_attempt(const ObstacleArguments& a, int attempt) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ RoundMemory round_memory;
  const int thread = static_cast<int>(threadIdx.x);
  const bool solves = thread < 32;
  const int count = a.sample_columns * a.sample_rows;
  const GroundPixels pixels = pixels_of_thread(a);
  const int block_rows = rows_of_block(a);
  // Clusters that share samples write the same.
  auto* const samples = kInShared ? reinterpret_cast<GroundSample*>(memory)
                                  : a.samples + pixels.block * block_rows * a.sample_columns;
  auto* const row_rays =
      kInShared ? reinterpret_cast<std::int32_t*>(samples + block_rows * a.sample_columns)
                : a.sample_rays + (attempt * kGroundBlocks + pixels.block) * block_rows;
  arrive_at_cluster();
  bring_samples(a, pixels, samples);
  Attempt result;
  if (solves) result.ground = obstacles::turned(a.start, a.turns[attempt]);
  if (thread == 0) round_memory.ends = 0;
  wait_for_cluster();
  for (int round = 0; round <= obstacles::kRounds; ++round) {
    if (solves) {
      const obstacles::Axes axes = obstacles::axes_of(result.ground);
      if (thread == 0) {
        for (int i = 0; i < 3; ++i) round_memory.ground.up[i] = axes.r[2][i];
        round_memory.ground.height = axes.height;
        round_memory.ground.band = a.bands[min(round, obstacles::kRounds - 1)];
      }
      for (int i = thread; i * kClusterBlocks + pixels.block < a.sample_rows; i += 32) {
        row_rays[i] =
            obstacles::row_ray(axes.r[2], a.ray_y[(i * kClusterBlocks + pixels.block) * a.step]);
      }
    }
    __syncthreads();
    if (round_memory.ends != 0) break;
    sum_samples(a, pixels, samples, row_rays, &round_memory);
    __syncthreads();
    auto& of_block = round_memory.of_block[round % 2];
    if (thread < kSums) {
      const unsigned long long sum = sum_of<kWarps>(round_memory.of_warp[thread], 1);
#pragma unroll
      for (int i = 0; i < kClusterBlocks; ++i) {
        store_in_block(&of_block[pixels.block][thread], i, sum);
      }
    }
    __syncwarp();
    arrive_at_cluster();
    wait_for_cluster();
    if (!solves) continue;
    // As fit_ground() divides, a thread each.
    const auto sum = static_cast<std::int64_t>(
        sum_of<kClusterBlocks>(&of_block[0][min(thread, kSums - 1)], kSums));
    const std::int64_t n = __shfl_sync(kAll, sum, 0);
    if (round == obstacles::kRounds) {
      result.stands = obstacles::is_near_start(result.ground, a.start);
      result.used = n;
      result.below = __shfl_sync(kAll, sum, kSums - 1);
      continue;
    }
    const double mean = static_cast<double>(sum) / static_cast<double>(n);
    double m[kSums - 1];
#pragma unroll
    for (int i = 1; i < kSums - 1; ++i) m[i] = __shfl_sync(kAll, mean, i);
    if (n == 0 || 64 * n < count ||
        !obstacles::fit_means({m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]}, a.lens,
                              &result.ground, DivideInWarp())) {
      if (thread == 0) round_memory.ends = 1;
    }
  }
  if (thread == 0 && pixels.block == 0) a.attempts[attempt] = result;
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void RDP_CLUSTER __launch_bounds__(rdp::cuda::kGroundThreads, 1)
    rdp_obstacles_ground(const rdp::cuda::ObstacleArguments a) {
  rdp::cuda::pdl_trigger();
  const int attempt = static_cast<int>(blockIdx.x) / rdp::cuda::kClusterBlocks;
  if (a.refine == 0 || attempt >= rdp::obstacles::kAttempts) return;
  if (rdp::cuda::rows_of_block(a) <= a.shared_rows) {
    rdp::cuda::try_attempt<true>(a, attempt);
  } else {
    rdp::cuda::try_attempt<false>(a, attempt);
  }
}
