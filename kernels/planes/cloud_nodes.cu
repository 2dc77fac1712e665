// SPDX-License-Identifier: LGPL-2.1-or-later
// Cells in the order of their keys, and the nodes of the octree. First the number of cells
// (rdp_cloud_count), and their numbers (rdp_cloud_number). Then sums of all cells before each one
// (rdp_cloud_chunks, rdp_cloud_before); any node's sums are the difference of two. Then the nodes
// that are planar (rdp_cloud_nodes), and those to visit (rdp_cloud_planar).
#include <cstdint>

#include "common/planes/clouds/rules.h"
#include "kernels/planes/cloud_cells.cuh"
#include "kernels/planes/cloud_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Moments;

constexpr int kBlockWords = kCloudThreads * kRankWords;

// Sum over the threads of the block before this one; *all: over all threads.
__device__ std::uint32_t sum_before(std::uint32_t mine, std::uint32_t* of_warps,
                                    std::uint32_t* all) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::uint32_t until = warp_inclusive_sum(mine);
  if (threadIdx.x % 32 == 31) of_warps[warp] = until;
  __syncthreads();
  std::uint32_t before = 0, sum = 0;
  for (int w = 0; w < kCloudThreads / 32; ++w) {
    if (w < warp) before += of_warps[w];
    sum += of_warps[w];
  }
  *all = sum;
  return before + until - mine;
}

__device__ void count_cells(const CloudPlanesArguments& a) {
  __shared__ std::uint32_t of_warps[kCloudThreads / 32];
  const std::uint32_t words = words_of_depth(a.state->rules.depth);
  if (blockIdx.x * kBlockWords >= words) return;
  const std::uint32_t first = blockIdx.x * kBlockWords + threadIdx.x * kRankWords;
  std::uint32_t mine = 0, all;
#pragma unroll
  for (std::uint32_t i = 0; i < kRankWords; ++i) {
    if (first + i < words) mine += static_cast<std::uint32_t>(__popc(a.occupied[first + i]));
  }
  sum_before(mine, of_warps, &all);
  if (threadIdx.x == 0) a.word_totals[blockIdx.x] = all;
}

__device__ void number_cells(const CloudPlanesArguments& a) {
  __shared__ std::uint32_t of_warps[kCloudThreads / 32], of_blocks[kCloudThreads / 32];
  const std::uint32_t words = words_of_depth(a.state->rules.depth);
  if (blockIdx.x * kBlockWords >= words) return;
  std::uint32_t others = 0, before_block, all;
  for (std::uint32_t b = threadIdx.x; b < blockIdx.x; b += kCloudThreads)
    others += a.word_totals[b];
  sum_before(others, of_blocks, &before_block);
  const std::uint32_t first = blockIdx.x * kBlockWords + threadIdx.x * kRankWords;
  std::uint32_t bits[kRankWords], mine = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < kRankWords; ++i) {
    bits[i] = first + i < words ? a.occupied[first + i] : 0;
    mine += static_cast<std::uint32_t>(__popc(bits[i]));
  }
  std::uint32_t cell = before_block + sum_before(mine, of_warps, &all);
#pragma unroll
  for (std::uint32_t i = 0; i < kRankWords; ++i) {
    if (first + i >= words) break;
    a.words[first + i] = {bits[i], cell};
    for (std::uint32_t open = bits[i]; open != 0; open &= open - 1) {
      a.cell_keys[cell] =
          (first + i) * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(open)) - 1);
      ++cell;
    }
  }
  // By all threads side by side, however many of its own cells a thread has.
  unsigned long long* const numbers = numbers_of(&a.cells[before_block]);
  for (std::uint32_t i = threadIdx.x; i < all * kMoments; i += kCloudThreads) numbers[i] = 0;
  for (std::uint32_t i = threadIdx.x; i < all; i += kCloudThreads) a.owners[before_block + i] = -1;
  if (threadIdx.x == 0 && (blockIdx.x + 1) * kBlockWords >= words)
    a.state->cells = before_block + all;
}

// The cells that a block sums.
struct Chunk {
  std::uint32_t first;
  std::uint32_t end;
};
__device__ __forceinline__ Chunk chunk_of(const CloudPlanesArguments& a) {
  const std::uint32_t cells = a.state->cells;
  const std::uint32_t each =
      (cells + gridDim.x * kCloudThreads - 1) / (gridDim.x * kCloudThreads) * kCloudThreads;
  return {min(cells, blockIdx.x * each), min(cells, (blockIdx.x + 1) * each)};
}

__device__ void sum_chunks(const CloudPlanesArguments& a) {
  __shared__ BlockMoments sums;
  const Chunk chunk = chunk_of(a);
  Moments mine;
  for (std::uint32_t c = chunk.first + threadIdx.x; c < chunk.end; c += kCloudThreads) {
    mine.add(a.cells[c]);
  }
  block_total(mine, &sums);
  if (threadIdx.x < kMoments) {
    numbers_of(&a.chunk_totals[blockIdx.x])[threadIdx.x] = numbers_of(&sums.total)[threadIdx.x];
  }
}

__device__ void sum_before_cells(const CloudPlanesArguments& a) {
  constexpr int kWarps = kCloudThreads / 32;
  __shared__ unsigned long long of_warps[kMoments][kWarps];
  __shared__ unsigned long long base[kMoments];
  const Chunk chunk = chunk_of(a);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  constexpr int kParts = kCloudThreads / kMoments;
  __shared__ unsigned long long parts[kParts][kMoments];
  if (thread < kParts * kMoments) {
    unsigned long long sum = 0;
    for (std::uint32_t b = static_cast<std::uint32_t>(thread / kMoments); b < blockIdx.x;
         b += kParts) {
      sum += numbers_of(&a.chunk_totals[b])[thread % kMoments];
    }
    parts[thread / kMoments][thread % kMoments] = sum;
  }
  __syncthreads();
  if (thread < kMoments) {
    unsigned long long sum = 0;
    for (int i = 0; i < kParts; ++i) sum += parts[i][thread];
    base[thread] = sum;
  }
  __syncthreads();
  for (std::uint32_t tile = chunk.first; tile < chunk.end; tile += kCloudThreads) {
    const std::uint32_t c = tile + threadIdx.x;
    Moments mine;
    if (c < chunk.end) mine = a.cells[c];
    const auto scan = [&](std::uint64_t v, int number) {
      const unsigned long long until = warp_inclusive_sum(static_cast<unsigned long long>(v));
      if (lane == 31) of_warps[number][warp] = until;
      return until - v;
    };
    Moments before;
    before.n = scan(mine.n, 0);
#pragma unroll
    for (int i = 0; i < 3; ++i) before.sum[i] = scan(mine.sum[i], 1 + i);
#pragma unroll
    for (int i = 0; i < 6; ++i) before.products[i] = scan(mine.products[i], 4 + i);
    __syncthreads();
    if (thread < kMoments) {
      unsigned long long sum = base[thread];
      for (int w = 0; w < kWarps; ++w) {
        const unsigned long long its = of_warps[thread][w];
        of_warps[thread][w] = sum;
        sum += its;
      }
      base[thread] = sum;
    }
    __syncthreads();
    if (c < chunk.end) {
      before.n += of_warps[0][warp];
#pragma unroll
      for (int i = 0; i < 3; ++i) before.sum[i] += of_warps[1 + i][warp];
#pragma unroll
      for (int i = 0; i < 6; ++i) before.products[i] += of_warps[4 + i][warp];
      a.before[c] = before;
    }
    __syncthreads();
  }
  if (chunk.end == a.state->cells && chunk.first < chunk.end && thread < kMoments) {
    numbers_of(&a.before[chunk.end])[thread] = base[thread];
  }
}

// The first cell after a node.
__device__ __forceinline__ std::uint32_t end_of(const CloudPlanesArguments& a, std::uint32_t key,
                                                int shift) {
  return cells_before(a, ((key >> shift) + 1) << shift);
}

// True if the node of a cell begins with it.
__device__ __forceinline__ bool is_first(const CloudPlanesArguments& a, std::uint32_t cell,
                                         int shift) {
  return cell == 0 || (a.cell_keys[cell] ^ a.cell_keys[cell - 1]) >> shift != 0;
}

// Finds the nodes that are planar or have too few points, without regard to nodes above: a thread
// for all nodes that begin with a cell.
constexpr int kDroppedBit = 16;
__device__ void look_at_nodes(const CloudPlanesArguments& a) {
  const planes::CloudRules& rules = a.state->rules;
  const std::uint32_t cells = a.state->cells;
  for (std::uint32_t c = blockIdx.x * kCloudThreads + threadIdx.x; c < cells;
       c += gridDim.x * kCloudThreads) {
    const std::uint32_t key = a.cell_keys[c];
    std::uint32_t flags = 0;
    for (int level = rules.depth; level >= rules.min_level; --level) {
      const int shift = 3 * (rules.depth - level);
      if (!is_first(a, c, shift)) break;
      const Moments moments = sum_of_cells(a, c, end_of(a, key, shift));
      if (moments.n < static_cast<std::uint64_t>(rules.min_points)) {
        flags |= 1U << (kDroppedBit + level);
        continue;
      }
      planes::Fit fit;
      if (planes::is_planar_node(planes::statistics_of(moments), rules, &fit)) flags |= 1U << level;
    }
    a.node_flags[c] = flags;
  }
}

// Lists planar nodes that have no such node above them, from the root down.
__device__ void list_planar(const CloudPlanesArguments& a) {
  const planes::CloudRules& rules = a.state->rules;
  const std::uint32_t cells = a.state->cells;
  unsigned nodes = 0;
  for (std::uint32_t c = blockIdx.x * kCloudThreads + threadIdx.x; c < cells;
       c += gridDim.x * kCloudThreads) {
    const std::uint32_t key = a.cell_keys[c];
    for (int level = rules.min_level; level <= rules.depth; ++level) {
      const int shift = 3 * (rules.depth - level);
      const std::uint32_t first = cells_before(a, key >> shift << shift);
      const std::uint32_t flags = a.node_flags[first];
      const bool is_planar = (flags >> level & 1) != 0;
      if (first == c) ++nodes;
      if (first == c && is_planar) {
        CloudNode& node = a.planar[atomicAdd(&a.state->planar, 1U)];
        const std::uint32_t end = end_of(a, key, shift);
        const Moments moments = sum_of_cells(a, c, end);
        const planes::Statistics statistics = planes::statistics_of(moments);
        node.moments = moments;
        node.statistics = statistics;
        planes::is_planar_node(statistics, rules, &node.fit);
        node.first = c;
        node.end = end;
        node.order = static_cast<std::uint32_t>(level) << 24 | c;
        node.owner = -1;
      }
      if (is_planar || (flags >> (kDroppedBit + level) & 1) != 0) break;
    }
  }
  nodes = warp_sum(nodes);
  if (threadIdx.x % 32 == 0 && nodes > 0) atomicAdd(&a.state->nodes, nodes);
}
static_assert(3 * planes::kMaxCloudDepth == 24);

}  // namespace
}  // namespace rdp::cuda

#define RDP_CLOUD_NODES(name, function)                                     \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kCloudThreads, 1) \
      rdp_cloud_##name(const rdp::cuda::CloudPlanesArguments a) {           \
    rdp::cuda::pdl_wait_and_trigger();                                      \
    rdp::cuda::function(a);                                                 \
  }
RDP_CLOUD_NODES(count, count_cells)
RDP_CLOUD_NODES(number, number_cells)
RDP_CLOUD_NODES(chunks, sum_chunks)
RDP_CLOUD_NODES(before, sum_before_cells)
RDP_CLOUD_NODES(nodes, look_at_nodes)
RDP_CLOUD_NODES(planar, list_planar)
