// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernels for comparison with the product's.
#include "tests/bench/paper_messages.cuh"
#include "tests/bench/rivals_arguments.h"

namespace {

using namespace rdp::bench;

constexpr unsigned kAll = 0xFFFFFFFFU;

// The farthest sample so far: its cost and row.
struct Best {
  float cost;
  int row;

  // The upper row wins if costs are equal.
  __device__ void take(float other_cost, int other_row) {
    if (cost <= other_cost) {
      cost = other_cost;
      row = other_row;
    }
  }
};

}  // namespace

extern "C" __global__ void rdp_bench_empty(SpinArguments) {}

// Keeps the device busy while the host enqueues the measured work, so that this does not wait for
// the host.
extern "C" __global__ void rdp_bench_spin(SpinArguments a) {
  unsigned long long start;
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < a.nanoseconds);
}

// Reads a frame and writes as many bytes as its result has: a lower bound for any segmentation.
extern "C" __global__ void rdp_bench_floor(FloorArguments a) {
  const auto* frame = static_cast<const uint4*>(a.frame);
  auto* result = static_cast<uint4*>(a.result);
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  uint4 sum = make_uint4(first, 0, 0, 0);
#pragma unroll 8
  for (unsigned i = first; i < a.frame_words; i += stride) {
    const uint4 word = __ldg(frame + i);
    sum.x ^= word.x;
    sum.y ^= word.y;
    sum.z ^= word.z;
    sum.w ^= word.w;
  }
  for (unsigned i = first; i < a.result_words; i += stride) result[i] = sum;
  // A use of the sum, so that threads without output cannot skip the reads.
  if (first >= a.result_words && sum.x == 0x12345678U && sum.y == sum.z && sum.w == ~sum.z) {
    result[0] = sum;
  }
}

// Algorithm 3 of P. Cebrian and J. C. Moure, "GPU-accelerated RDP Algorithm for Data Segmentation",
// ICCS 2020: one block per column, one thread per sample, in float. The reduction of lines 12..16
// uses halving strides, the last five within warps. Changes where the printed algorithm fails:
// - a segment without a cost above epsilon is closed (as printed it would be split forever);
// - the scan alternates between two buffers (as printed, threads read what others write);
// - a vertex becomes the last sample of the segment above it, whose maximum it has to gather;
// - strides start at a power of two, so that they reach all samples of any column.
// Unknown samples have no cost, nor have rows outside of the first and last known one. These rows
// and the order of the samples are inputs, whose preparation is not timed.
extern "C" __global__ void __launch_bounds__(kAlgorithm3Rows)
    rdp_bench_algorithm3(Algorithm3Arguments a) {
  __shared__ float data[kAlgorithm3Rows];
  __shared__ float costs[2][kAlgorithm3Rows];
  __shared__ short rows[2][kAlgorithm3Rows];
  __shared__ short firsts[kAlgorithm3Rows];

  const int i = static_cast<int>(threadIdx.x);
  const int lane = i & 31;
  const bool inside = i < a.height;
  const auto at = static_cast<std::size_t>(blockIdx.x) * a.height + i;
  const std::uint32_t ends = a.ends[blockIdx.x];
  int first = static_cast<int>(ends & 0xFFFF);
  int last = static_cast<int>(ends >> 16);
  std::uint32_t sample = 0;
  if (inside) sample = a.columns[at];
  bool is_open = i > first && i < last && sample >= a.known_first && sample <= a.known_last;
  if (first >= last) {
    if (inside) a.vertices[at] = i == first && first == last ? 0 : 1;
    return;
  }
  const bool within = i >= first && i <= last;
  const bool end = i == first || i == last;
  if (!within) first = last = i;
  const float y = static_cast<float>(sample);
  data[i] = y;
  int half = 32;
  while (2 * half < a.height) half *= 2;

  bool converged = false;
  do {
    __syncthreads();
    const int index = i - first;
    Best best{0.0F, i};
    if (is_open) {
      const float top = data[first];
      const float slope = __fdividef(data[last] - top, static_cast<float>(last - first));
      const float cost = fabsf(__fmaf_rn(slope, static_cast<float>(index), top) - y);
      if (cost > a.epsilon) best.cost = cost;
    }
    firsts[i] = static_cast<short>(first);
    int buffer = 0;
    for (int stride = half; stride >= 32; stride /= 2) {
      costs[buffer][i] = best.cost;
      rows[buffer][i] = static_cast<short>(best.row);
      __syncthreads();
      if (index > stride) best.take(costs[buffer][i - stride], rows[buffer][i - stride]);
      buffer ^= 1;
    }
    // The last five strides: a second register holds the samples of the previous warp.
    costs[buffer][i] = best.cost;
    rows[buffer][i] = static_cast<short>(best.row);
    __syncthreads();
    Best before{0.0F, 0};
    int index_before = 0;
    if (i >= 32) {
      before = {costs[buffer][i - 32], rows[buffer][i - 32]};
      index_before = i - 32 - firsts[i - 32];
    }
#pragma unroll
    for (int stride = 16; stride >= 1; stride /= 2) {
      // Each lane sends to the lane `stride` further. Past the warp's end this wraps around, and
      // the lane sends the previous warp's sample instead.
      const bool own = lane + stride < 32;
      const int source = (lane - stride) & 31;
      const float cost = __shfl_sync(kAll, own ? best.cost : before.cost, source);
      const int row = __shfl_sync(kAll, own ? best.row : before.row, source);
      const float cost_before = __shfl_up_sync(kAll, before.cost, stride);
      const int row_before = __shfl_up_sync(kAll, before.row, stride);
      if (index > stride) best.take(cost, row);
      if (index_before > stride && lane >= stride) before.take(cost_before, row_before);
    }
    buffer ^= 1;
    costs[buffer][i] = best.cost;
    rows[buffer][i] = static_cast<short>(best.row);
    __syncthreads();
    bool is_split = false;
    if (within && costs[buffer][last] > 0.0F) {
      const int where = rows[buffer][last];
      if (where == i) {
        is_split = true;
        is_open = false;
        last = i;
      } else if (where < i) {
        first = where;
      } else {
        last = where;
      }
    }
    converged = __syncthreads_or(is_split) == 0;
  } while (!converged);
  // The vertices are exactly the last samples of segments.
  if (inside) a.vertices[at] = end || (within && last == i) ? 0 : 1;
}

namespace {

template <typename V>
__device__ void exchange(V& low, V& high) {
  const V least = min(low, high);
  high = max(low, high);
  low = least;
}

// Two samples in one word.
struct Pair {
  unsigned both;
};
__device__ Pair min(Pair a, Pair b) { return {__vminu2(a.both, b.both)}; }
__device__ Pair max(Pair a, Pair b) { return {__vmaxu2(a.both, b.both)}; }

// A median of 9 by 19 exchanges (source: see common/image/median.cpp).
template <typename V>
__device__ V median_of_9(V (&v)[9]) {
  exchange(v[1], v[2]);
  exchange(v[4], v[5]);
  exchange(v[7], v[8]);
  exchange(v[0], v[1]);
  exchange(v[3], v[4]);
  exchange(v[6], v[7]);
  exchange(v[1], v[2]);
  exchange(v[4], v[5]);
  exchange(v[7], v[8]);
  exchange(v[0], v[3]);
  exchange(v[5], v[8]);
  exchange(v[4], v[7]);
  exchange(v[3], v[6]);
  exchange(v[1], v[4]);
  exchange(v[2], v[5]);
  exchange(v[4], v[7]);
  exchange(v[4], v[2]);
  exchange(v[6], v[4]);
  exchange(v[4], v[2]);
  return v[4];
}

__device__ std::uint16_t clamped_sample(const RivalMedianArguments& a, int row, int column) {
  const int r = ::min(::max(row, 0), a.height - 1);
  const int c = ::min(::max(column, 0), a.width - 1);
  return reinterpret_cast<const std::uint16_t*>(a.in + r * a.in_pitch)[c];
}

}  // namespace

// The 3x3 median like libSGM's plain kernel: one thread per sample, the window read through the
// cache, a network of exchanges.
extern "C" __global__ void rdp_bench_median_one(RivalMedianArguments a) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y);
  if (column >= a.width) return;
  unsigned v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) v[k] = clamped_sample(a, row + k / 3 - 1, column + k % 3 - 1);
  reinterpret_cast<std::uint16_t*>(a.out + row * a.out_pitch)[column] =
      static_cast<std::uint16_t>(median_of_9(v));
}

// The 3x3 median like libSGM's fast kernel: one thread per two samples, which pass the network
// together in one word. The pitch is a multiple of 4.
extern "C" __global__ void rdp_bench_median_two(RivalMedianArguments a) {
  const int column = 2 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y);
  if (column >= a.width) return;
  Pair v[9];
  if (column >= 2 && column + 3 < a.width) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      const int r = ::min(::max(row + k - 1, 0), a.height - 1);
      const auto* words = reinterpret_cast<const unsigned*>(a.in + r * a.in_pitch) + column / 2;
      const unsigned left = words[-1];
      const unsigned middle = words[0];
      const unsigned right = words[1];
      v[3 * k].both = __funnelshift_r(left, middle, 16);
      v[3 * k + 1].both = middle;
      v[3 * k + 2].both = __funnelshift_r(middle, right, 16);
    }
  } else {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const unsigned low = clamped_sample(a, row + k / 3 - 1, column + k % 3 - 1);
      const unsigned high = clamped_sample(a, row + k / 3 - 1, column + k % 3);
      v[k].both = low | high << 16;
    }
  }
  const unsigned both = median_of_9(v).both;
  auto* out = reinterpret_cast<std::uint16_t*>(a.out + row * a.out_pitch) + column;
  if (column + 1 < a.width) {
    *reinterpret_cast<unsigned*>(out) = both;
  } else {
    *out = static_cast<std::uint16_t>(both);
  }
}
