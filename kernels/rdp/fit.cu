// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps after the split, if more than the lines between its vertices is asked for: runs that do
// not span gaps, least-squares lines, and the merge of neighbours, with the arithmetic and in the
// order of reference::fit_pieces(). Blocks take tiles of a few neighbouring columns each, from the
// split's vertices to the compacted list.
#include "kernels/primitives/compaction.cuh"
#include "kernels/rdp/finish_list.cuh"
#include "kernels/rdp/fit_merge.cuh"
#include "kernels/rdp/fit_pieces.cuh"

namespace rdp::cuda {
namespace {

// The segments that a column ends up with: how many, and their lines.
struct Fitted {
  const FitArguments& a;
  const FitColumn& column;
  const Pieces& pieces;

  __device__ __forceinline__ DeviceSegment segment(int index) const {
    if (a.refine == 0) {
      // The pieces' starts are the segments' ends. A run of one sample begins where it ends.
      const int last = pieces.start(index);
      const bool alone = begins_run(last, column.known_above(last), a.max_gap);
      const int first = alone ? last : column.vertex_above(last);
      return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last),
              static_cast<float>(column.sample(first)), static_cast<float>(column.sample(last))};
    }
    const int first_piece = pieces.segments()[index];
    const int end_piece = pieces.segments()[index + 1];
    const int first = pieces.start(first_piece);
    const int last = column.known_above(pieces.start(end_piece));
    const SampleSums sums = pieces.sums_of(first_piece, end_piece);
    return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last), value(sums, first),
            value(sums, last)};
  }

 private:
  __device__ __forceinline__ static float value(const SampleSums& sums, int row) {
    return static_cast<float>(fitted_value256(sums, row)) / 256.0F;
  }
};

__device__ __forceinline__ MergeLimits limits_of(const FitArguments& a) {
  return {a.truncation2, a.margin};
}

// Finds the pieces of a column. All threads of the block take part; this one is number `thread` of
// its column.
__device__ __forceinline__ void find_pieces(const FitArguments& a, const FitColumn& column,
                                            const Pieces& pieces, int count, int thread) {
  if (thread < 32) list_begins(column, a.max_gap, thread, pieces);
  __syncthreads();
  if (a.refine == 0) return;
  sum_pieces(column, pieces, count, thread);
  if (limits_of(a).bound_ends()) list_lasts(column, pieces, count, thread);
  __syncthreads();
  if (a.merge != 0) make_pieces(pieces, count, a.truncation2, thread);
  __syncthreads();
  for (int p = thread; p <= count; p += kFitColumnThreads) pieces.segments()[p] = p;
  __syncthreads();
}

// Merges the pieces of all columns of the block, pass by pass, until none needs another one. One
// warp of each column chooses, from the errors that all of them have found. Returns the number of
// segments of this thread's column, which is left in `kept`, too.
__device__ __forceinline__ int merge_pieces(const FitArguments& a, const Pieces& pieces, int count,
                                            int thread, int* kept) {
  bool works = count > 1;
  if (!works && thread == 0) *kept = count;
  for (int pass = 0; pass < kMaxMergePasses; ++pass) {
    if (works && pass == 0) {
      find_errors_of_pieces(pieces, count, a.truncation2, thread, kFitColumnThreads);
    } else if (works && count > 32) {
      find_errors_by_first(pieces, count, a.truncation2, thread, kFitColumnThreads);
    } else if (works) {
      find_long_errors(pieces, count, a.truncation2, thread, kFitColumnThreads);
    }
    __syncthreads();
    if (limits_of(a).bound_ends()) {
      if (works) refuse_far_ends(pieces, count, limits_of(a), thread, kFitColumnThreads);
      __syncthreads();
    }
    if (works && thread < 32) {
      find_cheapest(pieces, count, a.price, thread);
      __syncwarp();
      const int left = keep_cheapest(pieces, count, thread);
      if (thread == 0) *kept = left;
    }
    __syncthreads();
    const int before = count;
    count = *kept;
    works = works && needs_pass(before, count);
    if (__syncthreads_or(works ? 1 : 0) == 0) break;
  }
  return count;
}

template <typename Sample, int kColumns>
__device__ void fit(const FitArguments& a) {
  constexpr int kThreads = kColumns * kFitColumnThreads;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ FitShared shared;
  const FitLayout layout(a.height, kColumns);
  const int index = static_cast<int>(threadIdx.x) / kFitColumnThreads;
  const int thread = static_cast<int>(threadIdx.x) % kFitColumnThreads;
  const int lane = thread % 32;
  const int warp = thread / 32;
  const unsigned frame_tiles = static_cast<unsigned>((a.width + kColumns - 1) / kColumns);
  const unsigned tiles = frame_tiles * static_cast<unsigned>(a.frame_count);
  const FitColumn column(layout, memory, index);
  if (threadIdx.x == 0) shared.launch = a.counters[0] + 1;
  for (;;) {
    // Takes tiles in order, so that those before this one are done or worked on: blocks take
    // several tiles. See kernels/README.md, "The order of tiles".
    if (threadIdx.x == 0) shared.tile = atomicAdd(&a.counters[1], 1U);
    __syncthreads();
    if (shared.tile >= tiles) break;
    // Worked out again when they are needed again.
    const auto frame = [&] { return shared.tile / frame_tiles; };
    const auto tile = [&] { return shared.tile % frame_tiles; };  // of its frame
    const auto first_column = [&] { return static_cast<int>(tile()) * kColumns; };
    load_fit_columns<Sample, kColumns>(a, layout, memory, static_cast<int>(frame()),
                                       first_column());
    __syncthreads();
    if (a.refine != 0) sum_parts(column, warp, lane);
    if (warp == kFitColumnThreads / 32 - 1) mark_begins(a, column, lane);
    __syncthreads();
    if (warp == 0) {
      const int count = count_begins(column, lane);
      if (lane == 0) shared.pieces[index] = count;
    }
    __syncthreads();
    const int piece_count = shared.pieces[index];
    // Few pieces of a column are kept in shared memory.
    const bool is_few = kColumns > 1 && piece_count <= kFewPieces;
    const Pieces pieces(
        is_few ? memory + layout.few_pieces + index * PiecesLayout(kFewPieces).bytes
               : a.pieces + blockIdx.x * a.pieces_bytes + index * PiecesLayout(a.height).bytes,
        is_few ? kFewPieces : a.height, a.merge != 0 && a.max_gap > 0);
    find_pieces(a, column, pieces, piece_count, thread);
    int count = piece_count;
    if (a.merge != 0) {
      count = merge_pieces(a, pieces, piece_count, thread, &shared.kept[index]);
    } else if (thread == 0) {
      shared.kept[index] = count;
    }
    __syncthreads();
    TileTotal total;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      total.add(static_cast<unsigned>(shared.kept[c]), static_cast<unsigned>(shared.pieces[c]));
    }
    unsigned long long* const frame_words = a.tiles + frame() * frame_tiles;
    if (threadIdx.x == 0) publish_total(frame_words, tile(), shared.launch, total);
    const bool is_last = tile() == frame_tiles - 1;
    const TileTotal before =
        total_before<kThreads>(frame_words, tile(), shared.launch, is_last, &shared.look_back);
    const SegmentListView list = a.list.of_frame(frame());
    if (threadIdx.x == 0 && is_last) finish_list(list, before + total, a.work + frame());
    unsigned offset = before.segments;
    for (int c = 0; c < index; ++c) offset += static_cast<unsigned>(shared.kept[c]);
    if (first_column() + index < a.width) {
      if (thread == 0) list.offsets[first_column() + index] = offset;
      const Fitted fitted{a, column, pieces};
      for (int s = thread; s < count; s += kFitColumnThreads) {
        if (offset + s < list.capacity) list.segments[offset + s] = fitted.segment(s);
      }
    }
    __syncthreads();
  }
  // The last block leaves the counters as the next frame needs them: all others have read them.
  if (threadIdx.x == 0 && atomicAdd(&a.counters[2], 1U) == gridDim.x - 1) {
    a.counters[0] = shared.launch;
    a.counters[1] = 0;
    a.counters[2] = 0;
  }
}

}  // namespace

// For as many blocks as fit a multiprocessor: more of four columns find no room in shared memory
// or, from compute capability 10.0 on, no registers without spilling them; and more of one column
// too few registers.
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1000
constexpr int kBlocksOfFour = 3;
#else
constexpr int kBlocksOfFour = 2;
#endif
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
constexpr int kBlocksOfOne = 10;
#else
constexpr int kBlocksOfOne = 8;
#endif
template <int kColumns>
constexpr int kBlocksTogether = kColumns == 1 ? kBlocksOfOne : kBlocksOfFour;

#define RDP_FIT_KERNEL(columns, name, Sample)                              \
  extern "C" __global__ void __launch_bounds__(columns* kFitColumnThreads, \
                                               kBlocksTogether<columns>)   \
      rdp_fit_##columns##_##name(const __grid_constant__ FitArguments a) { \
    fit<Sample, columns>(a);                                               \
  }
RDP_FIT_KERNEL(4, u8, std::uint8_t)
RDP_FIT_KERNEL(4, u16, std::uint16_t)
RDP_FIT_KERNEL(1, u8, std::uint8_t)
RDP_FIT_KERNEL(1, u16, std::uint16_t)

}  // namespace rdp::cuda
