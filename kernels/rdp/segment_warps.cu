// SPDX-License-Identifier: LGPL-2.1-or-later
// The Ramer-Douglas-Peucker split of all columns of one or more frames of at most kWarpRows rows,
// exact, in one launch, with a warp for each column: for frames whose columns have few segments, as
// recorded ones do. segment_queues.cu is for all others. A block takes a few neighbouring columns
// from the frame to their segments; blockIdx.y is the frame.
#include <cstdint>

#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/rdp/finish_list.cuh"
#include "kernels/rdp/fit_warp.cuh"
#include "kernels/rdp/known_rows.cuh"
#include "kernels/rdp/refit_column.cuh"
#include "kernels/rdp/segment_arguments.h"
#include "kernels/rdp/warp_layout.h"
#include "kernels/rdp/warp_split.cuh"

namespace rdp::cuda {
namespace {

// Brings kColumns columns of at most kWarpRows rows into shared memory, each contiguous, with a bit
// for each known row, with kColumns * 32 threads. A thread takes two columns of eight rows, twice:
// neighbouring threads read neighbouring samples, and all of a thread's loads are on their way
// before it needs the first of them.
template <typename Sample, int kColumns>
__device__ __forceinline__ void load_warp_columns(const SegmentArguments& a,
                                                  const WarpLayout& layout, unsigned char* memory) {
  constexpr int kPairs = kColumns / 2;
  constexpr int kStep = kColumns * 32 / kPairs;  // chunks
  constexpr int kUnits = kWarpRows / 8 / kStep;
  static_assert(kUnits == 2 && kColumns % 2 == 0);
  const int column = static_cast<int>(threadIdx.x) % kPairs * 2;
  const int first_chunk = static_cast<int>(threadIdx.x) / kPairs;
  const int frame_column = static_cast<int>(blockIdx.x) * kColumns + column;
  const int valid = min(2, a.width - frame_column);
  const unsigned char* const frame = a.frames.data[blockIdx.y];
  // Below 2^32 for the whole frame: see Segmenter.
  const auto pitch = static_cast<std::uint32_t>(a.frames.pitch[blockIdx.y]);
  const bool aligned = valid == 2 && ((reinterpret_cast<std::uintptr_t>(frame) | pitch) &
                                      (2 * sizeof(Sample) - 1)) == 0;
  unsigned rows[kUnits][8];
#pragma unroll
  for (int u = 0; u < kUnits; ++u) {
    const int row = (first_chunk + u * kStep) * 8;
    const unsigned char* const from =
        frame + (static_cast<std::uint32_t>(row) * pitch +
                 static_cast<std::uint32_t>(frame_column) * sizeof(Sample));
    if (aligned && row + 8 <= a.height) {
#pragma unroll
      for (unsigned r = 0; r < 8; ++r) rows[u][r] = load_two<Sample>(from + r * pitch);
    } else {
#pragma unroll
      for (unsigned r = 0; r < 8; ++r) rows[u][r] = 0;
      // There is nothing to load below the frame.
      if (row < a.height) {
#pragma unroll
        for (unsigned r = 0; r < 8; ++r) {
          if (row + static_cast<int>(r) < a.height) {
            rows[u][r] = load_some<Sample>(from + r * pitch, valid);
          }
        }
      }
    }
  }
  const KnownRows known_rows(a, sizeof(Sample));
  const auto store = [&](auto of_chunk) {
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
      const int chunk = first_chunk + u * kStep;
      if (chunk >= layout.words * 4) break;
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        unsigned v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          v[i] = __byte_perm(rows[u][2 * i], rows[u][2 * i + 1], c == 0 ? 0x5410 : 0x7632);
        }
        auto* const samples = reinterpret_cast<std::uint16_t*>(memory + layout.samples) +
                              (column + c) * layout.sample_stride;
        reinterpret_cast<uint4*>(samples)[chunk] = make_uint4(v[0], v[1], v[2], v[3]);
        // Columns that the frame does not have are all unknown.
        memory[layout.known + (column + c) * layout.words * 4 + chunk] =
            static_cast<unsigned char>(of_chunk(v, c < valid ? a.height - chunk * 8 : 0));
      }
    }
  };
  if (known_rows.not_zero()) {
    store([&](const unsigned(&v)[4], int inside) { return known_rows.of<true>(v, inside); });
  } else {
    store([&](const unsigned(&v)[4], int inside) { return known_rows.of(v, inside); });
  }
}

// Lists the rows of the vertices, of which each thread has a word.
__device__ __forceinline__ void list_vertices(unsigned vertices, int lane, std::uint16_t* rows) {
  const auto count = static_cast<unsigned>(__popc(vertices));
  unsigned index = warp_inclusive_sum(count) - count;
  for (unsigned rest = vertices; rest != 0; rest &= rest - 1) {
    rows[index++] = static_cast<std::uint16_t>(lane * 32 + __ffs(static_cast<int>(rest)) - 1);
  }
}

// Writes a column's `count` segments, with room for `room`, by a warp: word by word, so that
// neighbouring threads write neighbouring words.
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

// A warp's part of the block's shared memory.
struct WarpMemory {
  unsigned char* samples;
  unsigned char* known;
  unsigned char* stack;

  __device__ __forceinline__ WarpMemory(const WarpLayout& layout, unsigned char* memory, int warp)
      : samples(memory + layout.samples + warp * layout.sample_stride * 2),
        known(memory + layout.known + warp * layout.words * 4),
        stack(memory + layout.stacks + warp * layout.stack_bytes) {}

  __device__ __forceinline__ WarpColumn column(int lane) const {
    return {reinterpret_cast<const std::uint16_t*>(samples), known,
            reinterpret_cast<unsigned*>(stack), lane};
  }
};

// The tile of a frame that a block has, and where its columns are in the frame's list.
template <int kColumns>
class Tile {
 public:
  // Shared memory of a block's threads.
  struct Shared {
    TileTotal columns[kColumns];
    LookBack look_back;
  };

  __device__ __forceinline__ explicit Tile(const SegmentArguments& a)
      : a_(a), launch_(a.launches[blockIdx.y] + 1) {}

  // Publishes the totals of the block's columns, of which each warp knows its own.
  __device__ __forceinline__ void publish(const TileTotal& column, int warp, int lane,
                                          Shared* shared) {
    if (lane == 0) shared->columns[warp] = column;
    __syncthreads();
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      if (c == warp) before_column_ = total_.segments;
      total_ = total_ + shared->columns[c];
    }
    // The tile's number is the block's: devices start blocks in the order of their indices. See
    // kernels/README.md, "The order of tiles".
    if (threadIdx.x == 0) publish_total(words(), blockIdx.x, launch_, total_);
  }

  // Waits for the tiles before this one. Returns where the segments of the warp's column start;
  // the last tile says how many there are.
  __device__ __forceinline__ unsigned find_offset(const SegmentListView& list, Shared* shared) {
    const bool is_last = blockIdx.x == gridDim.x - 1;
    const TileTotal before =
        total_before<kColumns * 32>(words(), blockIdx.x, launch_, is_last, &shared->look_back);
    if (threadIdx.x == 0 && is_last) {
      // All other blocks have read the number of the launch, because they have told their totals.
      a_.launches[blockIdx.y] = launch_;
      finish_list(list, before + total_, a_.work + blockIdx.y);
    }
    return before.segments + before_column_;
  }

 private:
  __device__ __forceinline__ unsigned long long* words() const {
    return a_.tiles + static_cast<std::int64_t>(blockIdx.y) * a_.tile_stride;
  }

  const SegmentArguments& a_;
  unsigned launch_;
  TileTotal total_;
  unsigned before_column_ = 0;  // in this tile
};

// The lines between the vertices of the split, and nothing else.
template <typename Sample, int kColumns>
__device__ __forceinline__ void segment(const SegmentArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ typename Tile<kColumns>::Shared shared;
  const WarpLayout layout(a.height, kColumns);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  load_warp_columns<Sample, kColumns>(a, layout, memory);
  Tile<kColumns> tile(a);
  __syncthreads();
  const WarpMemory own(layout, memory, warp);
  const WarpColumn column = own.column(lane);
  const unsigned known =
      lane < layout.words ? reinterpret_cast<const unsigned*>(own.known)[lane] : 0;
  const unsigned vertices = split_column(column, a.eps256, start_column(lane, known));
  const unsigned vertex_count = warp_sum(static_cast<unsigned>(__popc(vertices)));
  const unsigned count = vertex_count > 1 ? vertex_count - 1 : vertex_count;
  tile.publish({count, count}, warp, lane, &shared);
  // Overlaps the publishing of other blocks.
  auto* const rows = reinterpret_cast<std::uint16_t*>(own.stack);
  list_vertices(vertices, lane, rows);
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  const unsigned offset = tile.find_offset(list, &shared);
  const int frame_column = static_cast<int>(blockIdx.x) * kColumns + warp;
  if (frame_column >= a.width) return;
  if (lane == 0) list.offsets[frame_column] = offset;
  if (offset >= list.capacity) return;
  write_column(rows, column.samples, count, vertex_count == 1, list.segments + offset,
               list.capacity - offset, lane);
}

// With max_gap, refine or merge, and kAbsolute: with Fit::kAbsolute. A column with too many pieces
// for the room of its warp has its frame done again, with other kernels.
template <typename Sample, int kColumns, bool kAbsolute = false>
__device__ __forceinline__ void segment_and_fit(const SegmentArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ typename Tile<kColumns>::Shared shared;
  // The fit needs as much room for low frames as for high ones.
  constexpr WarpLayout layout(kWarpRows, kColumns);
  static_assert(layout.sample_stride * 2 == kFitWarpSampleBytes);
  static_assert(layout.stack_bytes == kFitWarpScratchBytes);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  load_warp_columns<Sample, kColumns>(a, layout, memory);
  Tile<kColumns> tile(a);
  __syncthreads();
  const WarpMemory own(layout, memory, warp);
  const WarpColumn column = own.column(lane);
  const unsigned known = reinterpret_cast<const unsigned*>(own.known)[lane];
  const SplitStart start =
      a.max_gap > 0 ? start_runs(column, known, a.max_gap) : start_column(lane, known);
  const unsigned vertices = split_column(column, a.eps256, start);
  __syncwarp();
  // The samples are free once their sums are made, unless they are weighted afterwards.
  unsigned char* const lines =
      kAbsolute ? memory + layout.bytes + warp * kFitWarpSampleBytes : own.samples;
  FitWarp fit({column.samples, known, vertices, lane}, own.stack, lines, start.begins, start.ends);
  const int count = fit.find_segments(
      {a.max_gap, a.refine != 0, a.merge != 0, a.price, {a.truncation2, a.margin}});
  TileTotal total{0, SegmentWork::kTooMuch};
  if (count != kTooManyPieces) {
    total = {static_cast<unsigned>(count), static_cast<unsigned>(fit.pieces())};
  }
  tile.publish(total, warp, lane, &shared);
  if constexpr (!kAbsolute) pdl_trigger();  // refit.cu
  // Overlaps the publishing of other blocks.
  if (count > 0) {
    fit.find_lines(count);
    if constexpr (kAbsolute) {
      refit_segments(
          {reinterpret_cast<unsigned*>(own.known), reinterpret_cast<std::uint16_t*>(own.samples)},
          fit.segments(), count, a.max_gap, a.near, lane);
      __syncwarp();
    }
  }
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  const unsigned offset = tile.find_offset(list, &shared);
  const int frame_column = static_cast<int>(blockIdx.x) * kColumns + warp;
  if (frame_column >= a.width) return;
  if (lane == 0) list.offsets[frame_column] = offset;
  if (offset >= list.capacity) return;
  auto* const to = reinterpret_cast<unsigned*>(list.segments + offset);
  const int end = min(count, static_cast<int>(min(list.capacity - offset, 65536U))) * 3;
  for (int i = lane; i < end; i += 32) to[i] = fit.word(i);
}

}  // namespace

// Resident blocks of 256 threads on a full multiprocessor: 48 registers allow five, if it has room
// for so many threads. Blocks of 128 threads are for devices that are not full anyway, and may take
// more registers.
#if __CUDA_ARCH__ >= 800
constexpr int kBlocks = 5;
#else
constexpr int kBlocks = 4;
#endif
#define RDP_SEGMENT_WARPS(columns, blocks, name, Sample)                                 \
  extern "C" __global__ void __launch_bounds__(columns * 32, blocks)                     \
      rdp_segment_warps_##columns##_##name(const __grid_constant__ SegmentArguments a) { \
    segment<Sample, columns>(a);                                                         \
  }
RDP_SEGMENT_WARPS(4, 8, u8, std::uint8_t)
RDP_SEGMENT_WARPS(4, 8, u16, std::uint16_t)
RDP_SEGMENT_WARPS(8, kBlocks, u8, std::uint8_t)
RDP_SEGMENT_WARPS(8, kBlocks, u16, std::uint16_t)

// 64 registers allow four.
#define RDP_SEGMENT_FIT(columns, blocks, name, Sample)                                 \
  extern "C" __global__ void __launch_bounds__(columns * 32, blocks)                   \
      rdp_segment_fit_##columns##_##name(const __grid_constant__ SegmentArguments a) { \
    segment_and_fit<Sample, columns>(a);                                               \
  }
RDP_SEGMENT_FIT(4, 8, u8, std::uint8_t)
RDP_SEGMENT_FIT(4, 8, u16, std::uint16_t)
RDP_SEGMENT_FIT(8, 4, u8, std::uint8_t)
RDP_SEGMENT_FIT(8, 4, u16, std::uint16_t)

// For devices with room for all columns at once. The weighted sums of four segments take a hundred
// registers.
#define RDP_SEGMENT_ABSOLUTE(name, Sample)                                        \
  extern "C" __global__ void __launch_bounds__(4 * 32, 4)                         \
      rdp_segment_absolute_4_##name(const __grid_constant__ SegmentArguments a) { \
    segment_and_fit<Sample, 4, true>(a);                                          \
  }
RDP_SEGMENT_ABSOLUTE(u8, std::uint8_t)
RDP_SEGMENT_ABSOLUTE(u16, std::uint16_t)

}  // namespace rdp::cuda
