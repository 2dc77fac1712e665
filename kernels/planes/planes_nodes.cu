// SPDX-License-Identifier: LGPL-2.1-or-later
// From samples to planar nodes: sums of cells and of the nodes above them (rdp_planes_cells, and
// rdp_planes_rest of the pixels without a label), the planes of nodes (rdp_planes_fits), and from
// the noise of the frame which nodes are planar (rdp_planes_nodes).
#include <cstdint>
#include <cstring>

#include "common/planes/frames/node_rules.h"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/planes/moments.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/rank.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Moments;

// Clears all counts of a frame.
__device__ void begin_frame(const FramePlanesArguments& a) {
  const auto clear = [](void* data, unsigned bytes) {
    auto* const words = static_cast<std::uint32_t*>(data);
    for (unsigned i = threadIdx.x; i < bytes / 4; i += kPlaneCellThreads) words[i] = 0;
  };
  clear(a.counters, sizeof(FrameCounters));
  clear(a.round_counters, sizeof(RoundCounters) * static_cast<unsigned>(a.rounds));
  clear(a.main_cells.part_count, sizeof(std::uint32_t));
  clear(a.rest_cells.part_count, sizeof(std::uint32_t));
  for (int i = static_cast<int>(threadIdx.x); i < 2 * kMaxParts + 1; i += kPlaneCellThreads) {
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
      sums[i].add(planes::back_project(z, a.ray_x[x]), planes::back_project(z, a.ray_y[y]), z);
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

// The value of this rank, by a block. Values are not negative, so they sort like their bits; ~0
// does not count. Each pass narrows the range of the value by a factor of 256, until few are left.
__device__ double select_deviation(const FramePlanesArguments& a, int nodes, std::int64_t rank) {
  constexpr int kKept = 3584;  // values kept in shared memory
  constexpr int kFew = 64;
  constexpr int kAtOnce = 8;
  __shared__ unsigned long long kept[kKept];
  __shared__ unsigned long long few[kFew];
  __shared__ int counts[256];
  __shared__ unsigned long long least, most;  // of the range
  __shared__ int left, in_range, taken;
  const unsigned long long* const keys = a.deviations;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) {
    least = ~0ULL;
    most = 0;
    left = static_cast<int>(rank);
    taken = 0;
  }
  unsigned long long own_least = ~0ULL, own_most = 0;
  for (int first = thread; first < nodes; first += kPlaneThreads * kAtOnce) {
    unsigned long long own[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int at = first + i * kPlaneThreads;
      own[i] = at < nodes ? keys[at] : ~0ULL;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int at = first + i * kPlaneThreads;
      if (at < min(nodes, kKept)) kept[at] = own[i];
      own_least = min(own_least, own[i]);
      own_most = max(own_most, own[i] == ~0ULL ? 0ULL : own[i]);
    }
  }
#pragma unroll
  for (int i = 16; i > 0; i /= 2) {
    own_least = min(own_least, __shfl_xor_sync(kAll, own_least, i));
    own_most = max(own_most, __shfl_xor_sync(kAll, own_most, i));
  }
  __syncthreads();
  if (thread % 32 == 0) {
    atomicMin(&least, own_least);
    atomicMax(&most, own_most);
  }
  const auto for_each_in_range = [&](const auto& visit) {
    for (int i = thread; i < nodes; i += kPlaneThreads) {
      const unsigned long long key = i < kKept ? kept[i] : keys[i];
      if (key >= least && key <= most) visit(key);
    }
  };
  while (true) {
    counts[thread] = 0;
    __syncthreads();
    const int bits = 64 - __clzll(static_cast<long long>(most - least));
    const int shift = max(0, bits - 8);
    for_each_in_range(
        [&](unsigned long long key) { atomicAdd(&counts[(key - least) >> shift], 1); });
    __syncthreads();
    if (thread < 32) {
      const Ranked part = find_rank(counts, left);
      __syncwarp();
      if (thread == 0) {
        left -= part.before;
        in_range = counts[part.number];
        least += static_cast<unsigned long long>(part.number) << shift;
        most = min(most, least + ((1ULL << shift) - 1));
      }
    }
    __syncthreads();
    if (in_range <= kFew || least == most) break;
  }
  if (least < most) {
    for_each_in_range([&](unsigned long long key) { few[atomicAdd(&taken, 1)] = key; });
    __syncthreads();
    const int count = in_range;
    const unsigned long long own = thread < count ? few[thread] : ~0ULL;
    int before = 0, alike = 0;
    for (int i = 0; i < count; ++i) {
      before += few[i] < own ? 1 : 0;
      alike += few[i] == own ? 1 : 0;
    }
    __syncthreads();
    if (thread < count && before <= left && left < before + alike) least = own;
    __syncthreads();
  }
  double value;
  const unsigned long long bits = least;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The sum of the nodes of 32 pixels a side in a larger one.
__device__ Moments sum_of_nodes(const FramePlanesArguments& a, const NodePlace& place) {
  constexpr int kMaxSide = 1 << (planes::kLevels - 3);
  const int side = 1 << (place.level - 2);
  const int first = place.column * side;
  const int end = min(first + side, a.level_columns[2]);
  Moments sum;
#pragma unroll 1
  for (int row = place.row * side; row < min((place.row + 1) * side, a.level_rows[2]); ++row) {
    // Reads of a row are on their way together, also those that do not count.
#pragma unroll
    for (int i = 0; i < kMaxSide; ++i) {
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

// Sums of the cells of a row from its first one on, by the blocks of a launch from `first_block`
// on: a warp for each number of a row.
__device__ void sum_rows(const FramePlanesArguments& a, int first_block) {
  constexpr int kAtOnce = 4;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int columns = a.rules.columns;
  const int warp = static_cast<int>((blockIdx.x - static_cast<unsigned>(first_block)) * blockDim.x +
                                    threadIdx.x) /
                   32;
  static_assert(kRowNumbers == kMoments);
  const int row = warp / kRowNumbers, number = warp % kRowNumbers;
  if (row >= a.rules.rows) return;
  const Moments* const cells = a.cells.moments + a.level_start[0] + row * columns;
  Moments* const sums = a.cells.row_sums + row * columns;
  unsigned long long before = 0;
  for (int first = lane; first - lane < columns; first += 32 * kAtOnce) {
    unsigned long long own[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int column = first + 32 * i;
      own[i] = column < columns ? numbers_of(&cells[column])[number] : 0ULL;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int column = first + 32 * i;
      unsigned long long until = own[i];
#pragma unroll
      for (int step = 1; step < 32; step *= 2) {
        const unsigned long long other = __shfl_up_sync(kAll, until, step);
        if (lane >= step) until += other;
      }
      until += before;
      if (column < columns) numbers_of(&sums[column])[number] = until;
      before = __shfl_sync(kAll, until, 31);
    }
  }
}

// Finds the statistics of a node, and its plane if it may be planar, whatever the noise is. Returns
// the bits of the plane's deviation if it counts for the noise, else ~0.
__device__ unsigned long long fit_node(const FramePlanesArguments& a, int node) {
  const NodePlace place = place_of(a, node);
  Moments moments;
  if (place.level > 2) {
    moments = sum_of_nodes(a, place);
    a.cells.moments[node] = moments;
  } else {
    moments = a.cells.moments[node];
  }
  if (place.level == 0) a.cells.grown[node - a.level_start[0]] = -1;
  const bool enough =
      planes::enough_known(moments.n, place.level, place.column, place.row, a.rules, a.fill);
  const bool tells = place.level == planes::kNoiseLevel && moments.n >= planes::kNoisePixels;
  a.cells.planar[node] = enough ? 1 : 0;
  if (!enough && !tells && (place.level != 0 || moments.n == 0)) return ~0ULL;
  PlanarNode& result = a.cells.nodes[node];
  const planes::Statistics statistics = planes::statistics_of(moments);
  result.statistics = statistics;
  if (!enough && !tells) return ~0ULL;
  const planes::Fit fit = planes::fit_of(statistics);
  result.fit = fit;
  unsigned long long key = ~0ULL;
  if (tells) {
    const double deviation = planes::fit_deviation(fit, a.rules);
    memcpy(&key, &deviation, sizeof key);
  }
  return key;
}

// A thread for each node. Blocks beyond these sum up rows.
__device__ void fit_nodes(const FramePlanesArguments& a) {
  const int node_blocks = (a.node_count + kPlaneThreads - 1) / kPlaneThreads;
  if (static_cast<int>(blockIdx.x) >= node_blocks) {
    sum_rows(a, node_blocks);
    return;
  }
  const int node = static_cast<int>(blockIdx.x) * kPlaneThreads + static_cast<int>(threadIdx.x);
  unsigned long long key = ~0ULL;
  unsigned known = 0;
  if (node < a.node_count) {
    key = fit_node(a, node);
    if (node >= a.level_start[0]) known = static_cast<unsigned>(a.cells.moments[node].n);
    const int of_level = node - a.level_start[planes::kNoiseLevel];
    if (of_level >= 0 && node < a.level_start[planes::kNoiseLevel - 1]) {
      a.deviations[of_level] = key;
    }
  }
  known = warp_sum(known);
  const unsigned counted = __ballot_sync(kAll, key != ~0ULL);
  if (threadIdx.x % 32 != 0) return;
  if (known > 0) atomicAdd(&a.counters->known, known);
  if (counted != 0) atomicAdd(&a.counters->noise_nodes, static_cast<unsigned>(__popc(counted)));
}

// Measures the frame's noise, in each block, so that none waits for another one.
__device__ double measure_noise(const FramePlanesArguments& a) {
  if (a.rules.noise > 0.0) return a.rules.noise;
  const auto told = static_cast<std::int64_t>(a.counters->noise_nodes);
  if (told < planes::kNoiseNodes) return planes::kUsualNoise;
  const int nodes = a.level_columns[planes::kNoiseLevel] * a.level_rows[planes::kNoiseLevel];
  return planes::frame_noise(select_deviation(a, nodes, planes::noise_rank(told)), a.rules);
}

// A thread for each node: finds whether it is planar, whatever its parent is. Nodes of the rest get
// their planes first, and blocks beyond them sum up the rows of the rest.
__device__ void look_at_nodes(const FramePlanesArguments& a) {
  static_assert(kPlaneThreads == 256);
  const int node_blocks = (a.node_count + kPlaneThreads - 1) / kPlaneThreads;
  if (static_cast<int>(blockIdx.x) >= node_blocks) {
    sum_rows(a, node_blocks);
    return;
  }
  const int node = static_cast<int>(blockIdx.x) * kPlaneThreads + static_cast<int>(threadIdx.x);
  double noise;
  if (a.is_rest == 0) {
    noise = measure_noise(a);
    if (node == 0) a.counters->noise = noise;
  } else {
    noise = a.counters->noise;
    if (node < a.node_count) fit_node(a, node);
  }
  if (node >= a.node_count || a.cells.planar[node] == 0) return;
  PlanarNode& result = a.cells.nodes[node];
  const double tolerance2 =
      planes::node_tolerance2(result.statistics, a.rules, noise * a.rules.noise_scale);
  result.tolerance2 = tolerance2;
  const bool planar = !planes::thicker_than(result.statistics.covariance, tolerance2) &&
                      planes::flat_enough(result.fit);
  a.cells.planar[node] = planar ? 1 : 0;
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneCellThreads)
    rdp_planes_cells(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::sum_cells<false>(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneCellThreads)
    rdp_planes_rest(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::sum_cells<true>(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneThreads, 1)
    rdp_planes_fits(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::fit_nodes(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneThreads, 1)
    rdp_planes_nodes(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::look_at_nodes(a);
}
