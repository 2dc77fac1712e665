// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_WARP_PIECES_CUH_
#define RDP_KERNELS_RDP_FIT_WARP_PIECES_CUH_

#include "kernels/rdp/fit_warp_memory.cuh"

// From the samples and vertices of a column to its pieces and the sums up to each of them, by one
// warp: reference::fit_pieces(), step 1.
namespace rdp::cuda {

// A column of at most kFitWarpRows rows. Thread w of its warp has the words of rows 32 w to
// 32 w + 31: which samples are known, and which of them are vertices of the split.
struct FitWarpColumn {
  // In shared memory. Samples in rows that are not known may be anything.
  const std::uint16_t* samples;
  unsigned known;
  unsigned vertices;
  int lane;
};

// So many vertices are looked at: pieces begin at all but the last one of each run, and two of them
// may give the same piece.
constexpr int kFitWarpVertices = 4 * kFitWarpPieces;
static_assert(kFitWarpVertices * 2 <= FitWarpScratch::kStarts);

constexpr int kTooManyPieces = -1;

// Lists the first and the last row of each piece. Returns how many there are, or kTooManyPieces.
__device__ __forceinline__ int find_pieces(const FitWarpColumn& column, const FitWarpMemory& memory,
                                           int max_gap) {
  const int lane = column.lane;
  const unsigned before = (1U << lane) - 1;
  const unsigned listed = warp_inclusive_sum(static_cast<unsigned>(__popc(column.vertices)));
  const int vertices = static_cast<int>(__shfl_sync(kAll, listed, 31));
  if (vertices > kFitWarpVertices) return kTooManyPieces;
  if (vertices == 0) return 0;
  std::uint16_t* at = memory.vertex_rows() + (listed - __popc(column.vertices));
  for (unsigned rest = column.vertices; rest != 0; rest &= rest - 1) {
    *at++ = static_cast<std::uint16_t>(lane * 32 + __ffs(static_cast<int>(rest)) - 1);
  }
  // The last known row above this word and the first one below it; -1 and kNone: there is none.
  constexpr int kNone = 0x7FFF;
  const unsigned words = __ballot_sync(kAll, column.known != 0);
  const unsigned words_above = words & before;
  const unsigned words_below = words & ~before & ~(1U << lane);
  int above = lane * 32 + 31 - __clz(static_cast<int>(column.known));
  const int last_known = __shfl_sync(kAll, above, 31 - __clz(static_cast<int>(words)));
  int below = lane * 32 + __ffs(static_cast<int>(column.known)) - 1;
  above = __shfl_sync(kAll, above, 31 - __clz(static_cast<int>(words_above)));
  below = __shfl_sync(kAll, below, __ffs(static_cast<int>(words_below)) - 1);
  if (words_above == 0) above = -1;
  if (words_below == 0) below = kNone;
  __syncwarp();
  int count = 0;
  int earlier_begin = -1;
#pragma unroll 1
  for (int first = 0; first < vertices; first += 32) {
    const bool is_one = first + lane < vertices;
    const int row = is_one ? memory.vertex_rows()[first + lane] : 0;
    const unsigned word = __shfl_sync(kAll, column.known, row >> 5);
    const int above_word = __shfl_sync(kAll, above, row >> 5);
    const int below_word = __shfl_sync(kAll, below, row >> 5);
    const int top = row & ~31;
    const unsigned known_above = word & ~bits_from(row & 31);
    const unsigned known_below = word & bits_from((row & 31) + 1);
    const int row_above =
        known_above != 0 ? top + 31 - __clz(static_cast<int>(known_above)) : above_word;
    const int row_below =
        known_below != 0 ? top + __ffs(static_cast<int>(known_below)) - 1 : below_word;
    const bool begins_run = row_above < 0 || (max_gap > 0 && row - row_above - 1 > max_gap);
    const bool ends_run = row_below == kNone || (max_gap > 0 && row_below - row - 1 > max_gap);
    // The row where the vertex makes a piece begin, and the last row of the piece before.
    int begin = row;
    int last = row_above;
    if (!begins_run && !ends_run) {
      const int value = column.samples[row];
      const int to_above = abs(value - static_cast<int>(column.samples[row_above]));
      const int to_below = abs(static_cast<int>(column.samples[row_below]) - value);
      if (to_above < to_below) {
        begin = row_below;
        last = row;
      }
    }
    if (!is_one || (ends_run && !begins_run)) begin = -1;
    // Two vertices next to each other may both choose the lower one; three cannot.
    const int begin_above = __shfl_up_sync(kAll, begin, 1);
    const bool is_new = begin >= 0 && begin != (lane == 0 ? earlier_begin : begin_above);
    earlier_begin = __shfl_sync(kAll, begin, 31);
    const unsigned all_new = __ballot_sync(kAll, is_new);
    const int piece = count + __popc(all_new & before);
    if (is_new && piece < kFitWarpPieces) {
      memory.starts()[piece] =
          static_cast<std::uint16_t>(static_cast<unsigned>(begin) | (begins_run ? kBeginsRun : 0));
      if (piece > 0) memory.lasts()[piece - 1] = static_cast<std::uint16_t>(last);
    }
    count += __popc(all_new);
  }
  if (count > kFitWarpPieces) return kTooManyPieces;
  if (lane == 0) memory.lasts()[count - 1] = static_cast<std::uint16_t>(last_known);
  __syncwarp();
  return count;
}

// The sums over all samples above a row.
struct SumsAbove {
  const FitWarpColumn& column;
  const FitWarpMemory& memory;
  ColumnSquareSums above_word;  // over all samples above this thread's word

  // By all threads, each for a row of its own from 0 to 1024.
  __device__ __forceinline__ ColumnSquareSums operator()(int row) const {
    const int above = max(row - 1, 0);
    const int word = above >> 5;
    const int chunk = above >> 3 & 3;
    const ColumnSquareSums all_above = warp_shuffle(above_word, word);
    const unsigned known = __shfl_sync(kAll, column.known, word);
    WordSums in_word;
    // Words without known samples have left nothing there.
    if (chunk > 0 && known != 0) {
      in_word = WordSums::unpack(memory.chunk_sums()[(chunk - 1) * 32 + word]);
    }
    WordSums in_chunk;
    // The rows above `row` of the chunk's eight.
    const unsigned rows = ~bits_from(row - (above & ~7));
    in_chunk.add_chunk<0>(known >> (chunk * 8) & rows,
                          reinterpret_cast<const uint4*>(column.samples)[above >> 3]);
    in_word = in_word + in_chunk.moved_down(static_cast<unsigned>(chunk) * 8);
    return all_above + in_word.in_column(static_cast<unsigned>(word) * 32,
                                         known & ~bits_from(row - (above & ~31)));
  }
};

// Sums up the column: afterwards memory.sums() and memory.square_sums() have the sums up to each
// piece and to the end, and the samples are gone where memory.lines lies over them.
__device__ __forceinline__ void sum_pieces(const FitWarpColumn& column, const FitWarpMemory& memory,
                                           int count) {
  const int lane = column.lane;
  WordSums word;
  // Words beyond the frame have no known samples; there may be no memory either.
  if (column.known != 0) {
    const uint4* const chunks = reinterpret_cast<const uint4*>(column.samples) + lane * 4;
    word.add_chunk<0>(column.known, chunks[0]);
    memory.chunk_sums()[lane] = word.pack();
    word.add_chunk<1>(column.known, chunks[1]);
    memory.chunk_sums()[32 + lane] = word.pack();
    word.add_chunk<2>(column.known, chunks[2]);
    memory.chunk_sums()[64 + lane] = word.pack();
    word.add_chunk<3>(column.known, chunks[3]);
  }
  const ColumnSquareSums mine = word.in_column(static_cast<unsigned>(lane) * 32, column.known);
  const SumsAbove sums_above{column, memory, warp_inclusive_sum(mine) - mine};
  __syncwarp();
  static_assert(kFitWarpPieces < 64);
  const auto row_of = [&](int piece) {
    if (piece < count) return static_cast<int>(memory.starts()[piece] & ~kBeginsRun);
    return piece == count ? memory.lasts()[count - 1] + 1 : 0;
  };
  const ColumnSquareSums first = sums_above(row_of(lane));
  ColumnSquareSums second;
  if (count >= 32) second = sums_above(row_of(32 + lane));
  __syncwarp();
  if (lane <= count) {
    memory.put_sums(lane, first.sums);
    memory.square_sums()[lane] = first.values_values;
  }
  if (32 + lane <= count) {
    memory.put_sums(32 + lane, second.sums);
    memory.square_sums()[32 + lane] = second.values_values;
  }
  __syncwarp();
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_WARP_PIECES_CUH_
