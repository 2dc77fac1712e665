// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_WRITE_CUH_
#define RDP_KERNELS_RDP_QUEUE_WRITE_CUH_

#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/finish_list.cuh"
#include "kernels/rdp/queue_block.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {

__device__ __forceinline__ unsigned segments_of(unsigned vertex_count) {
  return vertex_count > 1 ? vertex_count - 1 : vertex_count;
}

__device__ __forceinline__ void write_segment(const SegmentListView& list, unsigned index,
                                              const std::uint16_t* y, int first, int last) {
  if (index >= list.capacity) return;
  list.segments[index] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last),
                          static_cast<float>(y[first]), static_cast<float>(y[last])};
}

// The most vertices of a word that its thread writes alone.
constexpr int kFewVertices = 6;

// Writes the segments of a column with a warp, each at the vertex where it ends. Where vertices are
// few, every thread writes those of one word; where they are many, all threads write one word, a
// row each.
__device__ __forceinline__ void write_column(const SegmentListView& list, const Columns& block,
                                             int column, unsigned vertex_count, unsigned offset) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::uint16_t* const y = block.samples(column);
  const unsigned* const vertices = block.vertices(column);
  int previous = -1;
  for (int w = 0; w < block.layout.words; w += 32) {
    const unsigned mine = w + lane < block.layout.words ? vertices[w + lane] : 0;
    unsigned some = __ballot_sync(kAll, mine != 0);
    if (some == 0) continue;
    if (!__any_sync(kAll, __popc(mine) > kFewVertices)) {
      const int sum = warp_inclusive_sum(__popc(mine));
      // The last vertex of a word before this thread's.
      const int row = (w + lane) * kWordRows;
      const int mine_last = row + 31 - __clz(static_cast<int>(mine));
      int from = warp_from_before(some, mine_last, previous);
      unsigned index = offset + sum - __popc(mine) - (previous < 0 ? 1 : 0);
      for (unsigned rest = mine; rest != 0; rest &= rest - 1) {
        const int vertex = row + __ffs(static_cast<int>(rest)) - 1;
        if (from >= 0) write_segment(list, index, y, from, vertex);
        from = vertex;
        ++index;
      }
      offset += __shfl_sync(kAll, sum, 31) - (previous < 0 ? 1 : 0);
      previous = __shfl_sync(kAll, mine_last, 31 - __clz(static_cast<int>(some)));
      continue;
    }
    while (some != 0) {
      const int holder = __ffs(static_cast<int>(some)) - 1;
      some &= some - 1;
      const unsigned word = __shfl_sync(kAll, mine, holder);
      const int base = (w + holder) * kWordRows;
      const unsigned below = word & ((1U << lane) - 1);
      const int from = below != 0 ? base + 31 - __clz(static_cast<int>(below)) : previous;
      const int first_vertex = previous < 0 ? 1 : 0;
      if ((word >> lane & 1) != 0 && from >= 0) {
        write_segment(list, offset + __popc(below) - first_vertex, y, from, base + lane);
      }
      offset += __popc(word) - first_vertex;
      previous = base + 31 - __clz(static_cast<int>(word));
    }
  }
  // The only vertex of a column with one known row is both ends of its segment.
  if (vertex_count == 1 && lane == 0) write_segment(list, offset, y, previous, previous);
}

// Writes the vertices of the block's columns as they are.
template <int kColumns>
__device__ __forceinline__ void write_vertices(const SegmentArguments& a, const Columns& block) {
  const int words = block.layout.words;
  const int first_column = static_cast<int>(blockIdx.x) * kColumns;
  const int valid = min(kColumns, a.width - first_column);
  for (int column = 0; column < valid; ++column) {
    const std::int64_t frame_column =
        static_cast<std::int64_t>(blockIdx.y) * a.width + first_column + column;
    std::uint32_t* const to = a.vertices + frame_column * words;
    for (int w = static_cast<int>(threadIdx.x); w < words; w += kQueueThreads) {
      to[w] = block.vertices(column)[w] | block.thread_vertices(column)[w];
    }
  }
}

// Counts the segments, finds out how many the blocks before this one have, and writes offsets and
// segments.
template <int kColumns>
__device__ void write_segments(const SegmentArguments& a, const Columns& block, Shared* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  std::uint32_t* const launches = a.launches + blockIdx.y;
  unsigned long long* const tiles = a.tiles + static_cast<std::int64_t>(blockIdx.y) * a.tile_stride;
  const unsigned launch = *launches + 1;
  for (int column = warp; column < kColumns; column += kQueueWarps) {
    unsigned count = 0;
    for (int w = lane; w < block.layout.words; w += 32) {
      const unsigned all = block.vertices(column)[w] | block.thread_vertices(column)[w];
      block.vertices(column)[w] = all;
      count += __popc(all);
    }
    count = warp_sum(count);
    if (lane == 0) shared->vertex_counts[column] = count;
  }
  __syncthreads();
  TileTotal total;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    const unsigned count = segments_of(shared->vertex_counts[c]);
    total.add(count, count);
  }
  // The tile's number is the block's: devices start blocks in the order of their indices. See
  // kernels/README.md, "The order of tiles".
  if (threadIdx.x == 0) publish_total(tiles, blockIdx.x, launch, total);
  const bool is_last = blockIdx.x == gridDim.x - 1;
  const TileTotal before =
      total_before<kQueueThreads>(tiles, blockIdx.x, launch, is_last, &shared->look_back);
  if (threadIdx.x == 0 && is_last) {
    // All other blocks have read the number of the launch, because they have told their totals.
    *launches = launch;
    finish_list(list, before + total, a.work + blockIdx.y);
  }
  for (int column = warp; column < kColumns; column += kQueueWarps) {
    const int frame_column = static_cast<int>(blockIdx.x) * kColumns + column;
    if (frame_column >= a.width) break;
    unsigned offset = before.segments;
    for (int c = 0; c < column; ++c) offset += segments_of(shared->vertex_counts[c]);
    if (lane == 0) list.offsets[frame_column] = offset;
    write_column(list, block, column, shared->vertex_counts[column], offset);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_WRITE_CUH_
