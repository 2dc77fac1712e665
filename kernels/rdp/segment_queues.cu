// SPDX-License-Identifier: LGPL-2.1-or-later
// The Ramer-Douglas-Peucker split of all columns of a frame, exact, in one launch: Algorithm 1 of
// P. Cebrian and J. C. Moure, "GPU-accelerated RDP Algorithm for Data Segmentation", ICCS 2020,
// with the integers of common/rdp/reference.h. A block takes a few neighbouring columns from the
// frame to their segments. kernels/README.md lists the differences from the paper's kernel,
// Algorithm 3.
#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/finish_list.cuh"
#include "kernels/rdp/known_rows.cuh"
#include "kernels/rdp/queue_split.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {
namespace {

// Brings the block's columns into shared memory, each contiguous, with a mask of the known
// rows. A thread takes two columns of eight rows.
template <typename Sample, int kColumns>
__device__ __forceinline__ void load_columns(const SegmentArguments& a, const Columns& block,
                                             Shared* shared) {
  constexpr int kGroup = kColumns < 2 ? kColumns : 2;
  constexpr int kGroups = kColumns / kGroup;
  const int first_column = static_cast<int>(blockIdx.x) * kColumns;
  const unsigned char* const frame = a.frames.data[blockIdx.y];
  const std::int64_t pitch = a.frames.pitch[blockIdx.y];
  const KnownRows known_rows(a, sizeof(Sample));
  const bool can_be_aligned =
      kGroup == 2 &&
      ((reinterpret_cast<std::uintptr_t>(frame) | static_cast<std::uintptr_t>(pitch)) &
       (2 * sizeof(Sample) - 1)) == 0;
  const int units = block.layout.words * kChunksPerWord * kGroups;
  for (int unit = static_cast<int>(threadIdx.x); unit < units; unit += kQueueThreads) {
    const int chunk = unit / kGroups;
    const int column = unit % kGroups * kGroup;
    const int valid = min(kGroup, a.width - first_column - column);
    const bool aligned = can_be_aligned && valid == 2;
    const int rows = a.height - chunk * kChunkRows;
    const unsigned char* from = frame + static_cast<std::int64_t>(chunk) * kChunkRows * pitch +
                                (first_column + column) * static_cast<int>(sizeof(Sample));
    unsigned row[kChunkRows];
    if (aligned && rows >= kChunkRows) {
#pragma unroll
      for (int r = 0; r < kChunkRows; ++r) row[r] = load_two<Sample>(from + r * pitch);
    } else {
#pragma unroll
      for (int r = 0; r < kChunkRows; ++r) {
        row[r] = r < rows ? load_some<Sample>(from + r * pitch, valid) : 0;
      }
    }
#pragma unroll
    for (int c = 0; c < kGroup; ++c) {
      unsigned v[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        v[i] = __byte_perm(row[2 * i], row[2 * i + 1], c % 2 == 0 ? 0x5410 : 0x7632);
      }
      const unsigned mask = c < valid ? known_rows.of(v, rows) : 0;
      reinterpret_cast<uint4*>(block.samples(column + c))[chunk] =
          make_uint4(v[0], v[1], v[2], v[3]);
      reinterpret_cast<unsigned char*>(block.known(column + c))[chunk] =
          static_cast<unsigned char>(mask);
    }
  }
  // From here on there are no vertices and no tasks yet.
  auto* const rest = reinterpret_cast<unsigned*>(block.memory + block.layout.vertices);
  const int rest_words = (block.layout.bytes - block.layout.vertices) / 4;
  for (int i = static_cast<int>(threadIdx.x); i < rest_words; i += kQueueThreads) rest[i] = 0;
  if (threadIdx.x == 0) {
    // The first tasks are the columns themselves, one for each of the first warps.
    shared->warp_queue = {kColumns, kQueueWarps, 0};
    shared->octet_queue = {0, kQueueThreads / kOctet, 0};
  }
}

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
    // All other blocks have published their totals, so they have read the number of the launch.
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

// kShort: the frame has no more than kShortHeight rows.
template <typename Sample, int kColumns, bool kShort>
__device__ void segment(const SegmentArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ Shared shared;
  const Columns block{QueueLayout(a.height, kColumns), memory};
  load_columns<Sample, kColumns>(a, block, &shared);
  __syncthreads();
  split_by_warps<kColumns, kShort>(a, block, &shared);
  __syncthreads();
  split_by_octets(a, block, &shared);
  __syncthreads();
  split_by_threads<kColumns>(a, block);
  if (a.vertices != nullptr) {
    write_vertices<kColumns>(a, block);
  } else {
    write_segments<kColumns>(a, block, &shared);
  }
}

}  // namespace

#define RDP_SEGMENT_QUEUES(columns, is_short, name, Sample)                               \
  extern "C" __global__ void __launch_bounds__(kQueueThreads, 4)                          \
      rdp_segment_queues_##columns##_##name(const __grid_constant__ SegmentArguments a) { \
    segment<Sample, columns, is_short>(a);                                                \
  }
RDP_SEGMENT_QUEUES(4, true, u8, std::uint8_t)
RDP_SEGMENT_QUEUES(4, true, u16, std::uint16_t)
RDP_SEGMENT_QUEUES(1, false, u8, std::uint8_t)
RDP_SEGMENT_QUEUES(1, false, u16, std::uint16_t)

}  // namespace rdp::cuda
