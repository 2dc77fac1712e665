// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_WARP_CUH_
#define RDP_KERNELS_RDP_FIT_WARP_CUH_

#include <cstdint>

#include "common/rdp/fitted_line.h"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/fit_layout.h"
#include "kernels/rdp/fit_merge.cuh"
#include "kernels/rdp/segment_list_view.h"

// The steps after the split of a column of at most 1024 rows with max_gap, refine and merge. The
// warp that has split it does them, while the samples are in shared memory. Bit-identical to
// reference::segment().
//
//   FitWarp fit(column, stack, samples, run_begins, run_ends);
//   const int count = fit.find_segments(rules);   // all threads of the warp
//   if (count == kTooManyPieces) ...              // fit.cu has to do it
//   fit.find_lines(count);                        // any time later, before:
//   for (int i = lane; i < 3 * count; i += 32) to[i] = fit.word(i);
namespace rdp::cuda {

// Sums over any samples of a column. Of all 1024 rows and samples of 65535, count <= 1024 and rows
// <= 523776 need 11 and 19 bits, rows_rows < 2^29, values < 2^26, rows_values < 2^36. No field
// overflows into another one, nor in the difference of sums over more and over some of the samples.
struct ColumnSums {
  unsigned count_rows = 0;  // rows << 11 | count
  unsigned rows_rows = 0;
  std::uint64_t values_products = 0;  // values << 36 | rows_values

  __device__ __forceinline__ ColumnSums operator+(const ColumnSums& b) const {
    return {count_rows + b.count_rows, rows_rows + b.rows_rows,
            values_products + b.values_products};
  }
  __device__ __forceinline__ ColumnSums operator-(const ColumnSums& b) const {
    return {count_rows - b.count_rows, rows_rows - b.rows_rows,
            values_products - b.values_products};
  }
  __device__ __forceinline__ SampleSums unpack() const {
    return {static_cast<std::int32_t>(count_rows & 2047),
            static_cast<std::int32_t>(count_rows >> 11),
            static_cast<std::int32_t>(values_products >> 36), static_cast<std::int64_t>(rows_rows),
            static_cast<std::int64_t>(values_products & ((std::uint64_t{1} << 36) - 1))};
  }
};

// The same with the squares of the values.
struct ColumnSquareSums {
  ColumnSums sums;
  std::uint64_t values_values = 0;

  __device__ __forceinline__ ColumnSquareSums operator+(const ColumnSquareSums& b) const {
    return {sums + b.sums, values_values + b.values_values};
  }
  __device__ __forceinline__ ColumnSquareSums operator-(const ColumnSquareSums& b) const {
    return {sums - b.sums, values_values - b.values_values};
  }
};

// 0xFFFF in the lower half where bit kBit of `bits` is set, and in the upper half where the next
// one is. kBit is even.
template <int kBit>
__device__ __forceinline__ unsigned mask_pair(unsigned bits) {
#ifdef RDP_EMULATED
  return ((bits >> kBit & 1) != 0 ? 0xFFFFU : 0U) | ((bits >> kBit & 2) != 0 ? 0xFFFF0000U : 0U);
#else
  // A shift makes each bit the sign of its byte, which prmt selectors from 8 on turn into whole
  // bytes. The shifted numbers serve all four bytes.
  constexpr int kByte = kBit / 8;
  constexpr unsigned kSelector = (8 + kByte) * 0x11U | (12 + kByte) * 0x1100U;
  unsigned mask;
  asm("prmt.b32 %0, %1, %2, %3;"
      : "=r"(mask)
      : "r"(bits << (7 - kBit % 8)), "r"(bits << (6 - kBit % 8)), "n"(kSelector));
  return mask;
#endif
}

// `sum`, to which the 16-bit numbers of `pair` are added, multiplied by bytes kFrom and kFrom + 1
// of `factors`. kFrom is 0 or 2.
template <int kFrom>
__device__ __forceinline__ unsigned add_products(unsigned pair, unsigned factors, unsigned sum) {
#ifdef RDP_EMULATED
  factors >>= kFrom * 8;
  return sum + (pair & 0xFFFF) * (factors & 255) + (pair >> 16) * (factors >> 8 & 255);
#else
  return kFrom == 0 ? __dp2a_lo(pair, factors, sum) : __dp2a_hi(pair, factors, sum);
#endif
}

// Sums over some rows of a word, which are counted from its first one. Of 32 rows, rows_values are
// below 496 * 65535 < 2^25, and the others below 32 * 65535 * 255 < 2^29.
struct WordSums {
  unsigned values = 0;
  unsigned rows_values = 0;
  // Sums of products of the values and their lower and upper bytes.
  unsigned lower_squares = 0;
  unsigned upper_squares = 0;

  // Adds the samples of chunk kChunk of eight rows; that byte of `known` says which count.
  template <int kChunk>
  __device__ __forceinline__ void add_chunk(unsigned known, const uint4& samples) {
    add_pair<kChunk * 8>(known, samples.x);
    add_pair<kChunk * 8 + 2>(known, samples.y);
    add_pair<kChunk * 8 + 4>(known, samples.z);
    add_pair<kChunk * 8 + 6>(known, samples.w);
  }

  // These sums, if rows were counted from `by` rows further up in the word.
  __device__ __forceinline__ WordSums moved_down(unsigned by) const {
    return {values, rows_values + by * values, lower_squares, upper_squares};
  }
  __device__ __forceinline__ WordSums operator+(const WordSums& b) const {
    return {values + b.values, rows_values + b.rows_values, lower_squares + b.lower_squares,
            upper_squares + b.upper_squares};
  }

  __device__ __forceinline__ uint4 pack() const {
    return make_uint4(values, rows_values, lower_squares, upper_squares);
  }
  __device__ __forceinline__ static WordSums unpack(const uint4& packed) {
    return {packed.x, packed.y, packed.z, packed.w};
  }

  // The same with rows of the column, in which the word begins in row `top`. `known` has the bits
  // of the summed rows. rows_values are below 32 * 1023 * 65535 < 2^31.
  __device__ __forceinline__ ColumnSquareSums in_column(unsigned top, unsigned known) const {
    const auto count = static_cast<unsigned>(__popc(known));
    const unsigned in_word = rows_of(known);
    const unsigned from_top = in_word + top * count;
    return {{from_top << 11 | count, squares_of(known) + top * (in_word + from_top),
             static_cast<std::uint64_t>(values) << 36 | (rows_values + top * values)},
            (static_cast<std::uint64_t>(upper_squares) << 8) + lower_squares};
  }

 private:
  // Two rows, of which kRow is the first.
  template <int kRow>
  __device__ __forceinline__ void add_pair(unsigned known, unsigned pair) {
    pair &= mask_pair<kRow>(known);
    values = add_products<0>(pair, 0x0101U, values);
    rows_values = add_products<0>(pair, (kRow + 1) << 8 | kRow, rows_values);
    // Both lower bytes, and then both upper ones.
    const unsigned bytes = __byte_perm(pair, 0, 0x3120);
    lower_squares = add_products<0>(pair, bytes, lower_squares);
    upper_squares = add_products<2>(pair, bytes, upper_squares);
  }

  // The bits of `bits` whose index has bit kBit set. Sums over the indices of bits are sums over
  // these.
  template <int kBit>
  __device__ __forceinline__ static unsigned with(unsigned bits) {
    constexpr unsigned kMasks[] = {0xAAAAAAAAU, 0xCCCCCCCCU, 0xF0F0F0F0U, 0xFF00FF00U, 0xFFFF0000U};
    return bits & kMasks[kBit];
  }
  template <int kBit>
  __device__ __forceinline__ static unsigned count_with(unsigned bits) {
    return static_cast<unsigned>(__popc(static_cast<int>(with<kBit>(bits))));
  }
  // The sum of the indices of the set bits.
  __device__ __forceinline__ static unsigned rows_of(unsigned bits) {
    return count_with<0>(bits) + 2 * count_with<1>(bits) + 4 * count_with<2>(bits) +
           8 * count_with<3>(bits) + 16 * count_with<4>(bits);
  }
  // The sum of their squares.
  __device__ __forceinline__ static unsigned squares_of(unsigned bits) {
    const unsigned bits0 = with<0>(bits);
    const unsigned bits1 = with<1>(bits);
    const unsigned bits2 = with<2>(bits);
    const unsigned bits3 = with<3>(bits);
    return count_with<0>(bits) + 4 * count_with<1>(bits) + 16 * count_with<2>(bits) +
           64 * count_with<3>(bits) + 256 * count_with<4>(bits) +
           4 * (count_with<1>(bits0) + 2 * count_with<2>(bits0) + 4 * count_with<3>(bits0) +
                8 * count_with<4>(bits0) + 4 * count_with<2>(bits1) + 8 * count_with<3>(bits1) +
                16 * count_with<4>(bits1) + 16 * count_with<3>(bits2) + 32 * count_with<4>(bits2) +
                64 * count_with<4>(bits3));
  }
};

// The bit of a row in starts() with which a run of samples begins.
constexpr unsigned kBeginsRun = 0x8000;

// The arrays of FitWarpScratch and FitWarpLines.
struct FitWarpMemory {
  unsigned char* scratch;
  unsigned char* lines;
  std::uint64_t runs;  // a bit for each piece that begins a run; none of them without max_gap

  template <typename T>
  __device__ __forceinline__ T* at_scratch(int offset) const {
    return reinterpret_cast<T*>(scratch + offset);
  }
  template <typename T>
  __device__ __forceinline__ T* at_lines(int offset) const {
    return reinterpret_cast<T*>(lines + offset);
  }
  __device__ __forceinline__ std::uint16_t* starts() const {
    return at_scratch<std::uint16_t>(FitWarpScratch::kStarts);
  }
  __device__ __forceinline__ std::uint16_t* lasts() const {
    return at_scratch<std::uint16_t>(FitWarpScratch::kLasts);
  }
  __device__ __forceinline__ std::uint8_t* segments() const {
    return at_scratch<std::uint8_t>(FitWarpScratch::kSegments);
  }
  __device__ __forceinline__ std::uint8_t* joined() const {
    return at_scratch<std::uint8_t>(FitWarpScratch::kJoined);
  }
  __device__ __forceinline__ std::uint8_t* kept() const {
    return at_scratch<std::uint8_t>(FitWarpScratch::kKept);
  }
  __device__ __forceinline__ float* errors() const {
    return at_scratch<float>(FitWarpScratch::kErrors);
  }
  // In the place of errors, before there are any and when they are no longer needed.
  __device__ __forceinline__ std::uint16_t* vertex_rows() const {
    return at_scratch<std::uint16_t>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ uint4* chunk_sums() const {
    return at_scratch<uint4>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ std::uint64_t* square_sums() const {
    return at_scratch<std::uint64_t>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ unsigned* result() const {
    return at_scratch<unsigned>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ uint4* sums() const { return at_lines<uint4>(FitWarpLines::kSums); }
  __device__ __forceinline__ float4* piece_lines() const {
    return at_lines<float4>(FitWarpLines::kLines);
  }
  __device__ __forceinline__ float2* piece_errors() const {
    return at_lines<float2>(FitWarpLines::kOwnErrors);
  }

  __device__ __forceinline__ int start(int piece) const { return starts()[piece] & ~kBeginsRun; }
  __device__ __forceinline__ void put_sums(int piece, const ColumnSums& s) const {
    sums()[piece] = make_uint4(s.count_rows, s.rows_rows, static_cast<unsigned>(s.values_products),
                               static_cast<unsigned>(s.values_products >> 32));
  }
  __device__ __forceinline__ ColumnSums sums_before(int piece) const {
    const uint4 v = sums()[piece];
    return {v.x, v.y, static_cast<std::uint64_t>(v.w) << 32 | v.z};
  }

  // Functions for the merge: see fit_merge.cuh.
  static constexpr int kUnrolled = 2;
  __device__ __forceinline__ Piece piece(int p, float truncation2) const {
    const float4 l = piece_lines()[p];
    const float2 e = piece_errors()[p];
    return {{l.x, l.y, l.z}, e.y, l.w, e.x, e.y * truncation2};
  }
  __device__ __forceinline__ EndRange ends_of(const FittedLine& line, int first, int end) const {
    return {line, start(first), static_cast<int>(lasts()[end - 1])};
  }
  __device__ __forceinline__ SampleSums sums_of(int first, int end) const {
    return (sums_before(end) - sums_before(first)).unpack();
  }
  __device__ __forceinline__ bool begins_run(int piece) const { return (runs >> piece & 1) != 0; }
  __device__ __forceinline__ bool crosses_runs(int first, int end) const {
    return (runs >> first >> 1 & ((std::uint64_t{1} << (end - first - 1)) - 1)) != 0;
  }
};
// While the sums are made: three of four chunks of each word.
static_assert(kFitWarpRows / 32 * 3 * 16 <= FitWarpScratch::kStarts);
static_assert((kFitWarpPieces + 1) * 8 <= FitWarpScratch::kStarts);
static_assert(kFitWarpPieces * 12 <= FitWarpScratch::kStarts);

// A column of at most kFitWarpRows rows. Thread w of its warp has the words of rows 32 w to
// 32 w + 31: which samples are known, and which of them are vertices of the split.
struct FitWarpColumn {
  // In shared memory. Samples in rows that are not known may be anything.
  const std::uint16_t* samples;
  unsigned known;
  unsigned vertices;
  int lane;
};

// Most vertices to look at: pieces begin at all but the last one of each run, and two of them may
// give the same piece.
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
// piece and to the end. Samples under memory.lines are lost.
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

// SegmentRules of common/rdp/parameters.h.
struct FitWarpRules {
  int max_gap;
  bool refine, merge;
  float price;
  MergeLimits limits;
};

class FitWarp {
 public:
  // `scratch` has kFitWarpScratchBytes, and `lines` kFitWarpSampleBytes; both are aligned to 16
  // bytes. The samples may lie in `lines`, if they are not needed afterwards. `run_begins` and
  // `run_ends` are needed with max_gap and without refine only: which rows of this thread's word a
  // run of samples begins or ends with.
  __device__ __forceinline__ FitWarp(const FitWarpColumn& column, unsigned char* scratch,
                                     unsigned char* lines, unsigned run_begins, unsigned run_ends)
      : column_(column), memory_{scratch, lines, 0}, run_begins_(run_begins), run_ends_(run_ends) {}

  // Returns the number of segments in all threads, or kTooManyPieces.
  __device__ __forceinline__ int find_segments(const FitWarpRules& rules) {
    const int lane = column_.lane;
    refines_ = rules.refine;
    if (!rules.refine) return pieces_ = list_lines();
    const int pieces = pieces_ = find_pieces(column_, memory_, rules.max_gap);
    if (pieces <= 0) return pieces;
    sum_pieces(column_, memory_, pieces);
    for (int p = lane; p <= pieces; p += 32) {
      memory_.segments()[p] = static_cast<std::uint8_t>(p);
    }
    if (!rules.merge || pieces == 1) {
      __syncwarp();
      return pieces;
    }
    make_pieces(pieces, rules.limits.truncation2);
    if (rules.max_gap > 0) find_runs(pieces);
    __syncwarp();
    int count = pieces;
#pragma unroll 1
    for (int pass = 0; pass < kMaxMergePasses; ++pass) {
      find_errors(memory_, count, rules.limits.truncation2, lane);
      __syncwarp();
      if (rules.limits.bound_ends()) {
        refuse_far_ends(memory_, count, rules.limits, lane, 32);
        __syncwarp();
      }
      find_cheapest(memory_, count, rules.price, lane);
      __syncwarp();
      const int before = count;
      count = keep_cheapest(memory_, count, lane);
      if (!needs_pass(before, count)) break;
    }
    return count;
  }

  // The number of segments before any merge; once they have been found.
  __device__ __forceinline__ int pieces() const { return pieces_; }

  // Finds the lines of the segments.
  __device__ __forceinline__ void find_lines(int count) const {
    if (!refines_) return;
#pragma unroll 1
    for (int s = column_.lane; s < count; s += 32) {
      const int first_piece = memory_.segments()[s];
      const int end_piece = memory_.segments()[s + 1];
      const SampleSums sums = memory_.sums_of(first_piece, end_piece);
      const unsigned first = memory_.starts()[first_piece] & ~kBeginsRun;
      const unsigned last = memory_.lasts()[end_piece - 1];
      unsigned* const to = memory_.result() + s * 3;
      to[0] = last << 16 | first;
      to[1] = value_in(sums, first);
      to[2] = value_in(sums, last);
    }
    __syncwarp();
  }

  // The segments in shared memory, with refine.
  __device__ __forceinline__ DeviceSegment* segments() const {
    return reinterpret_cast<DeviceSegment*>(memory_.result());
  }

  // Word `index` of the segments, which are DeviceSegments of three words each.
  __device__ __forceinline__ unsigned word(int index) const {
    if (refines_) return memory_.result()[index];
    const unsigned rows = memory_.result()[index / 3];
    const int field = index % 3;
    if (field == 0) return rows;
    const std::uint16_t sample = column_.samples[field == 1 ? rows & 0xFFFF : rows >> 16];
    return __float_as_uint(static_cast<float>(sample));
  }

 private:
  // Prepares each piece for merging, and the errors of the pieces alone: from their own lines, so
  // that nothing is added to them.
  __device__ __forceinline__ void make_pieces(int count, float truncation2) const {
    static_assert(kFitWarpPieces <= 64);
    float alone[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int p = column_.lane + 32 * i;
      if (p >= count) continue;
      const std::uint64_t* const squares = memory_.square_sums() + p;
      const Piece piece =
          make_piece(memory_.sums_of(p, p + 1), static_cast<std::int64_t>(squares[1] - squares[0]),
                     truncation2);
      memory_.piece_lines()[p] =
          make_float4(piece.line.slope, piece.line.row, piece.line.value, piece.spread);
      memory_.piece_errors()[p] = make_float2(piece.error, piece.count);
      alone[i] = truncated_error(piece, piece.line);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int p = column_.lane + 32 * i;
      if (p < count) memory_.errors()[p * kReach] = alone[i];
    }
  }
  __device__ __forceinline__ void find_runs(int count) {
    const auto begins = [&](int p) {
      return p > 0 && p < count && memory_.starts()[p] >= kBeginsRun;
    };
    const std::uint64_t low = __ballot_sync(kAll, begins(column_.lane));
    memory_.runs =
        static_cast<std::uint64_t>(__ballot_sync(kAll, begins(32 + column_.lane))) << 32 | low;
  }
  __device__ __forceinline__ static unsigned value_in(const SampleSums& sums, unsigned row) {
    return __float_as_uint(
        static_cast<float>(fitted_value256(sums, static_cast<std::int32_t>(row))) / 256.0F);
  }

  // The lines between the vertices of each run: lists their first and last rows.
  __device__ __forceinline__ int list_lines() const {
    const int lane = column_.lane;
    const unsigned vertices = column_.vertices;
    const unsigned lasts = vertices & (~run_begins_ | run_ends_);
    const unsigned up_to = warp_inclusive_sum(static_cast<unsigned>(__popc(lasts)));
    const int count = static_cast<int>(__shfl_sync(kAll, up_to, 31));
    if (count > kFitWarpSegments) return kTooManyPieces;
    const unsigned words_above = __ballot_sync(kAll, vertices != 0) & ((1U << lane) - 1);
    const int above = __shfl_sync(kAll, lane * 32 + 31 - __clz(static_cast<int>(vertices)),
                                  31 - __clz(static_cast<int>(words_above)));
    unsigned* to = memory_.result() + (up_to - __popc(lasts));
    for (unsigned rest = lasts; rest != 0; rest &= rest - 1) {
      const int bit = __ffs(static_cast<int>(rest)) - 1;
      const int last = lane * 32 + bit;
      int first = last;  // of a run of one sample
      if ((run_begins_ & run_ends_ & 1U << bit) == 0) {
        const unsigned earlier = vertices & ~bits_from(bit);
        first = earlier != 0 ? lane * 32 + 31 - __clz(static_cast<int>(earlier)) : above;
      }
      *to++ = static_cast<unsigned>(last) << 16 | static_cast<unsigned>(first);
    }
    __syncwarp();
    return count;
  }

  FitWarpColumn column_;
  FitWarpMemory memory_;
  unsigned run_begins_, run_ends_;
  bool refines_ = false;
  int pieces_ = 0;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_WARP_CUH_
