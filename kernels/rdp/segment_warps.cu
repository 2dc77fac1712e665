// SPDX-License-Identifier: LGPL-2.1-or-later
// The Ramer-Douglas-Peucker split of all columns of one or more frames of at most kWarpRows rows,
// exact, in one launch, with a warp for each column: for frames whose columns have few segments, as
// recorded ones do. segment_queues.cu is for all others. A block takes a few neighbouring columns
// from the frame to their segments; blockIdx.y is the frame.
#include "kernels/primitives/compaction.cuh"
#include "kernels/rdp/finish_list.cuh"
#include "kernels/rdp/segment_arguments.h"
#include "kernels/rdp/warp_layout.h"
#include "kernels/rdp/warp_load.cuh"
#include "kernels/rdp/warp_split.cuh"

namespace rdp::cuda {
namespace {

// Lists the rows of the vertices, of which each thread has a word.
__device__ __forceinline__ void list_vertices(unsigned vertices, int lane, std::uint16_t* rows) {
  const auto count = static_cast<unsigned>(__popc(vertices));
  unsigned index = warp_inclusive_sum(count) - count;
  for (unsigned rest = vertices; rest != 0; rest &= rest - 1) {
    rows[index++] = static_cast<std::uint16_t>(lane * 32 + __ffs(static_cast<int>(rest)) - 1);
  }
}

// Writes a column's segments, of which there are `count` and room for `room`, with a warp: word by
// word, so that neighbouring threads write neighbouring words.
__device__ __forceinline__ void write_column(const std::uint16_t* vertices,
                                             const std::uint16_t* samples, unsigned count,
                                             bool alone, DeviceSegment* to, unsigned room,
                                             int lane) {
  constexpr unsigned kWords = sizeof(DeviceSegment) / 4;
  auto* const words = reinterpret_cast<unsigned*>(to);
  const unsigned end = min(count, room) * kWords;
  for (unsigned i = static_cast<unsigned>(lane); i < end; i += 32) {
    const unsigned segment = i / kWords;
    const unsigned word = i % kWords;
    const unsigned first = vertices[segment];
    // The only vertex of a column with one known row is both ends of its segment.
    const unsigned last = alone ? first : vertices[segment + 1];
    words[i] = word == 0 ? first | last << 16
                         : __float_as_uint(static_cast<float>(samples[word == 1 ? first : last]));
  }
}

template <typename Sample, int kColumns>
__device__ __forceinline__ void segment(const SegmentArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ unsigned counts[kColumns];  // the segments of each column
  __shared__ LookBack look_back;
  const WarpLayout layout(a.height, kColumns);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  load_warp_columns<Sample, kColumns>(a, layout, memory);
  std::uint32_t* const launches = a.launches + blockIdx.y;
  const unsigned launch = *launches + 1;
  __syncthreads();
  const std::uint16_t* const samples =
      reinterpret_cast<const std::uint16_t*>(memory + layout.samples) + warp * layout.sample_stride;
  const unsigned char* const known = memory + layout.known + warp * layout.words * 4;
  unsigned* const stack =
      reinterpret_cast<unsigned*>(memory + layout.stacks + warp * layout.stack_bytes);
  const WarpColumn column{samples, known, stack, lane};
  const unsigned known_word =
      lane < layout.words ? reinterpret_cast<const unsigned*>(known)[lane] : 0;
  const unsigned vertices = split_column(column, known_word, a.eps256);
  const unsigned vertex_count = warp_sum(static_cast<unsigned>(__popc(vertices)));
  const unsigned count = vertex_count > 1 ? vertex_count - 1 : vertex_count;
  if (lane == 0) counts[warp] = count;
  __syncthreads();
  TileTotal total;
  unsigned before_column = 0;  // in this tile
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    if (c == warp) before_column = total.segments;
    total.add(counts[c], counts[c]);
  }
  unsigned long long* const tiles = a.tiles + static_cast<std::int64_t>(blockIdx.y) * a.tile_stride;
  // The tile's number is the block's: devices start blocks in the order of their indices. See
  // kernels/README.md, "The order of tiles".
  if (threadIdx.x == 0) publish_total(tiles, blockIdx.x, launch, total);
  // While others publish theirs.
  auto* const rows = reinterpret_cast<std::uint16_t*>(stack);
  list_vertices(vertices, lane, rows);
  const bool is_last = blockIdx.x == gridDim.x - 1;
  const TileTotal before =
      total_before<kColumns * 32>(tiles, blockIdx.x, launch, is_last, &look_back);
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  if (threadIdx.x == 0 && is_last) {
    // All other blocks have read the number of the launch, because they have told their totals.
    *launches = launch;
    finish_list(list, before + total, a.work + blockIdx.y);
  }
  const int frame_column = static_cast<int>(blockIdx.x) * kColumns + warp;
  if (frame_column >= a.width) return;
  const unsigned offset = before.segments + before_column;
  if (lane == 0) list.offsets[frame_column] = offset;
  if (offset < list.capacity) {
    write_column(rows, samples, count, vertex_count == 1, list.segments + offset,
                 list.capacity - offset, lane);
  }
}

}  // namespace

// 48 registers let five blocks of 256 threads share a multiprocessor.
#define RDP_SEGMENT_WARPS(columns, blocks, name, Sample)                                 \
  extern "C" __global__ void __launch_bounds__(columns * 32, blocks)                     \
      rdp_segment_warps_##columns##_##name(const __grid_constant__ SegmentArguments a) { \
    segment<Sample, columns>(a);                                                         \
  }
RDP_SEGMENT_WARPS(4, 10, u8, std::uint8_t)
RDP_SEGMENT_WARPS(4, 10, u16, std::uint16_t)
RDP_SEGMENT_WARPS(8, 5, u8, std::uint8_t)
RDP_SEGMENT_WARPS(8, 5, u16, std::uint16_t)

}  // namespace rdp::cuda
