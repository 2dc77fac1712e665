// SPDX-License-Identifier: LGPL-2.1-or-later
// From samples to planar nodes: sums of cells and of the nodes above them (rdp_planes_cells, and
// rdp_planes_rest of the pixels without a label), the noise of the frame (rdp_planes_noise), and
// which nodes are planar (rdp_planes_nodes).
#include <cstdint>
#include <cstring>

#include "common/planes/node_rules.h"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/planes/moments.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/rank.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Moments;

// Everything that is counted begins with 0.
__device__ void begin_frame(const FramePlanesArguments& a) {
  const auto clear = [](void* data, unsigned bytes) {
    auto* const words = static_cast<std::uint32_t*>(data);
    for (unsigned i = threadIdx.x; i < bytes / 4; i += kPlaneCellThreads) words[i] = 0;
  };
  clear(a.counters, sizeof(FrameCounters));
  clear(a.round_counters, sizeof(RoundCounters) * static_cast<unsigned>(a.rounds));
  clear(a.main_cells.part_count, sizeof(std::uint32_t));
  clear(a.rest_cells.part_count, sizeof(std::uint32_t));
  for (int i = static_cast<int>(threadIdx.x); i < 2 * kMostParts + 1; i += kPlaneCellThreads) {
    a.first_of_label[i] = kNoSlot;
  }
}

// A block takes 4x4 cells, a warp two of them one after the other, a thread two pixels of each.
template <bool kRest>
__device__ void sum_cells(const FramePlanesArguments& a) {
  constexpr int kSide = kPlaneBlockCells;
  __shared__ Moments cells[kSide * kSide];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  if (!kRest && blockIdx.x == 0 && blockIdx.y == 0) begin_frame(a);
  const int left = static_cast<int>(blockIdx.x) * kSide, top = static_cast<int>(blockIdx.y) * kSide;
  PixelSums sums[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int cell = 2 * warp + i;
    const int y = (top + cell / kSide) * planes::kCell + lane / 4;
    const int x0 = (left + cell % kSide) * planes::kCell + lane % 4 * 2;
#pragma unroll
    for (int x = x0; x < x0 + 2; ++x) {
      if (x >= a.rules.width || y >= a.rules.height) continue;
      if (kRest && a.labels[number_of(a, x, y)] != 0) continue;
      const std::int32_t z = depth_at(a, x, y);
      if (z == 0) continue;
      sums[i].add(planes::across(z, a.ray_x[x]), planes::across(z, a.ray_y[y]), z);
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const Moments total = warp_total(sums[i]);
    if (lane == 0) cells[2 * warp + i] = total;
  }
  __syncthreads();
  // Nodes of one, 2x2 and 4x4 cells, a number of one of them each.
  const int thread = static_cast<int>(threadIdx.x);
  const int node = thread / kMoments, number = thread % kMoments;
  int level = 0, first = node, side = kSide;
  if (node >= 20) {
    level = 2;
    first = 0;
    side = 1;
  } else if (node >= 16) {
    level = 1;
    side = 2;
    first = (node - 16) / 2 * 2 * kSide + (node - 16) % 2 * 2;
  }
  if (node > 20) return;
  const int place = node >= 20 ? 0 : node >= 16 ? node - 16 : node;
  const int column = left / (1 << level) + place % side, row = top / (1 << level) + place / side;
  const int columns = level == 0   ? a.level_columns[0]
                      : level == 1 ? a.level_columns[1]
                                   : a.level_columns[2];
  const int rows = level == 0 ? a.level_rows[0] : level == 1 ? a.level_rows[1] : a.level_rows[2];
  const int start = level == 0   ? a.level_start[0]
                    : level == 1 ? a.level_start[1]
                                 : a.level_start[2];
  if (column >= columns || row >= rows) return;
  unsigned long long sum = 0;
  for (int y = 0; y < 1 << level; ++y) {
    for (int x = 0; x < 1 << level; ++x) {
      sum += numbers_of(&cells[first + y * kSide + x])[number];
    }
  }
  numbers_of(&a.cells.moments[start + row * columns + column])[number] = sum;
}

// The value of rank floor(0.3 m) among m values that are not below 0, which sort like their bits:
// digit by digit, from the highest on. By the last block that is done.
__device__ double select_deviation(const FramePlanesArguments& a, int nodes, std::int64_t rank) {
  constexpr int kKept = 4096;  // which are read once
  __shared__ unsigned long long kept[kKept];
  __shared__ int counts[256];
  __shared__ unsigned long long chosen;
  __shared__ int left;
  const volatile unsigned long long* const keys = a.deviations;
  if (threadIdx.x == 0) {
    chosen = 0;
    left = static_cast<int>(rank);
  }
#pragma unroll 8
  for (int i = static_cast<int>(threadIdx.x); i < min(nodes, kKept); i += kPlaneThreads) {
    kept[i] = keys[i];
  }
  for (int shift = 56; shift >= 0; shift -= 8) {
    counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned long long prefix = chosen;
    for (int i = static_cast<int>(threadIdx.x); i < nodes; i += kPlaneThreads) {
      const unsigned long long key = i < kKept ? kept[i] : keys[i];
      if (key == ~0ULL || (shift < 56 && key >> (shift + 8) != prefix)) continue;
      atomicAdd(&counts[key >> shift & 255], 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
      const Ranked digit = find_rank(counts, left);
      __syncwarp();
      if (threadIdx.x == 0) {
        chosen = prefix << 8 | static_cast<unsigned>(digit.number);
        left -= digit.before;
      }
    }
    __syncthreads();
  }
  double value;
  const unsigned long long bits = chosen;
  memcpy(&value, &bits, sizeof value);
  return value;
}

__device__ void measure_noise(const FramePlanesArguments& a) {
  static_assert(kPlaneThreads == 256);
  __shared__ bool last;
  if (a.rules.noise > 0.0) {
    if (blockIdx.x == 0 && threadIdx.x == 0) a.counters->noise = a.rules.noise;
    return;
  }
  const int nodes = a.level_columns[planes::kNoiseLevel] * a.level_rows[planes::kNoiseLevel];
  const int node = static_cast<int>(blockIdx.x) * kPlaneThreads + static_cast<int>(threadIdx.x);
  unsigned long long key = ~0ULL;
  if (node < nodes) {
    const Moments& moments = a.cells.moments[a.level_start[planes::kNoiseLevel] + node];
    if (moments.n >= planes::kNoisePixels) {
      const double deviation = planes::node_deviation(moments, a.rules);
      memcpy(&key, &deviation, sizeof key);
    }
    a.deviations[node] = key;
  }
  const int counted = __syncthreads_count(key != ~0ULL);
  __threadfence();
  if (threadIdx.x == 0) {
    atomicAdd(&a.counters->noise_nodes, static_cast<unsigned>(counted));
    __threadfence();
    last = atomicAdd(&a.counters->noise_blocks, 1U) + 1 == gridDim.x;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  const auto all = static_cast<std::int64_t>(
      *static_cast<const volatile std::uint32_t*>(&a.counters->noise_nodes));
  if (all < planes::kNoiseNodes) {
    if (threadIdx.x == 0) a.counters->noise = planes::kUsualNoise;
    return;
  }
  const double deviation = select_deviation(a, nodes, planes::noise_rank(all));
  if (threadIdx.x == 0) a.counters->noise = planes::frame_noise(deviation, a.rules);
}

// The sum of the nodes of 32 pixels a side in a larger one.
__device__ Moments sum_of_nodes(const FramePlanesArguments& a, const NodePlace& place) {
  constexpr int kMostSide = 1 << (planes::kLevels - 3);
  const int side = 1 << (place.level - 2);
  const int first = place.column * side;
  const int end = min(first + side, a.level_columns[2]);
  Moments sum;
#pragma unroll 1
  for (int row = place.row * side; row < min((place.row + 1) * side, a.level_rows[2]); ++row) {
    // Reads of a row are on their way together, also those that do not count.
#pragma unroll
    for (int i = 0; i < kMostSide; ++i) {
      const int column = min(first + i, end - 1);
      const Moments& node = a.cells.moments[a.level_start[2] + row * a.level_columns[2] + column];
      const std::uint64_t mask = first + i < end ? ~std::uint64_t{0} : 0;
      sum.n += node.n & mask;
#pragma unroll
      for (int k = 0; k < 3; ++k) sum.sum[k] += node.sum[k] & mask;
#pragma unroll
      for (int k = 0; k < 6; ++k) sum.products[k] += node.products[k] & mask;
    }
  }
  return sum;
}

// A thread for each node: whether it is planar, whatever its parent is.
__device__ void look_at_nodes(const FramePlanesArguments& a) {
  const int node = static_cast<int>(blockIdx.x) * kVoteThreads + static_cast<int>(threadIdx.x);
  const bool is_inside = node < a.node_count;
  unsigned known = 0;
  if (is_inside) {
    const NodePlace place = place_of(a, node);
    Moments moments;
    if (place.level > 2) {
      moments = sum_of_nodes(a, place);
      a.cells.moments[node] = moments;
    } else {
      moments = a.cells.moments[node];
    }
    if (place.level == 0) {
      known = static_cast<unsigned>(moments.n);
      a.cells.grown[node - a.level_start[0]] = -1;
    }
    const bool enough =
        planes::enough_known(moments.n, place.level, place.column, place.row, a.rules, a.fill);
    bool planar = false;
    PlanarNode& result = a.cells.nodes[node];
    if (enough || (place.level == 0 && moments.n > 0)) {
      const planes::Statistics statistics = planes::statistics_of(moments);
      result.statistics = statistics;
      planes::Fit fit;
      double tolerance2;
      planar = enough && planes::is_planar(statistics, a.rules, slope_of(a), &tolerance2, &fit);
      if (planar) {
        result.fit = fit;
        result.tolerance2 = tolerance2;
      }
    }
    a.cells.planar[node] = planar ? 1 : 0;
  }
  if (a.is_rest != 0) return;
  known = warp_sum(known);
  if (threadIdx.x % 32 == 0 && known > 0) atomicAdd(&a.counters->known, known);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneCellThreads)
    rdp_planes_cells(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::wait_for_grid_before();
  rdp::cuda::sum_cells<false>(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneCellThreads)
    rdp_planes_rest(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::wait_for_grid_before();
  rdp::cuda::sum_cells<true>(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneThreads)
    rdp_planes_noise(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::wait_for_grid_before();
  rdp::cuda::measure_noise(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kVoteThreads)
    rdp_planes_nodes(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::wait_for_grid_before();
  rdp::cuda::look_at_nodes(a);
}
