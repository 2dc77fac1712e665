// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_PIECES_CUH_
#define RDP_KERNELS_RDP_FIT_PIECES_CUH_

#include <cstdint>

#include "common/rdp/fitted_line.h"
#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/fit_arguments.h"
#include "kernels/rdp/fit_layout.h"

// From the samples and vertices of a column to its pieces: reference::fit_pieces(), step 1.
namespace rdp::cuda {

// Sums over samples, with the squares of the values.
struct SquareSums {
  SampleSums sums;
  std::int64_t values_values = 0;

  __device__ __forceinline__ void add(int row, int value) {
    sums.count += 1;
    sums.rows += row;
    sums.values += value;
    sums.rows_rows += row * row;
    sums.rows_values += row * value;  // below 2^30
    values_values += static_cast<std::int64_t>(value) * value;
  }
  __device__ __forceinline__ SquareSums operator+(const SquareSums& b) const {
    return {sums + b.sums, values_values + b.values_values};
  }
};

// Shared memory of a block's threads, besides the arrays.
struct FitShared {
  unsigned launch;  // its number
  unsigned tile;
  int pieces[kFitColumns];  // of each column
  int kept[kFitColumns];    // segments of each column
  LookBack look_back;
};

// The arrays of one column in shared memory, by their offsets in it: pointers take twice as many
// registers.
struct FitColumn {
  unsigned char* memory;
  int words;
  int part_rows;
  int samples_at, known_at, vertices_at, begins_at;
  int part_squares_at, part_sums_at, group_squares_at, group_sums_at;

  __device__ FitColumn(const FitLayout& layout, unsigned char* block_memory, int column)
      : memory(block_memory),
        words(layout.words),
        part_rows(layout.part_rows),
        samples_at(layout.samples + column * layout.column_bytes),
        known_at(layout.known + column * layout.words * 4),
        vertices_at(layout.vertices + column * layout.words * 4),
        begins_at(layout.begins + column * layout.words * 4),
        part_squares_at(layout.part_squares + column * layout.parts * 24),
        part_sums_at(layout.part_sums + column * layout.parts * 12),
        group_squares_at(layout.group_squares + column * layout.groups * 24),
        group_sums_at(layout.group_sums + column * layout.groups * 12) {}

  __device__ __forceinline__ int sample(int row) const {
    return reinterpret_cast<const std::uint16_t*>(memory + samples_at)[row];
  }
  // A bit for each row: known samples; vertices of the split; where pieces begin or, without
  // refine, where segments end.
  __device__ __forceinline__ unsigned* known() const {
    return reinterpret_cast<unsigned*>(memory + known_at);
  }
  __device__ __forceinline__ unsigned* vertices() const {
    return reinterpret_cast<unsigned*>(memory + vertices_at);
  }
  __device__ __forceinline__ unsigned* begins() const {
    return reinterpret_cast<unsigned*>(memory + begins_at);
  }
  // Sums of all samples above a part in its group, and of whole groups, three of each.
  __device__ __forceinline__ std::int64_t* part_squares() const {
    return reinterpret_cast<std::int64_t*>(memory + part_squares_at);
  }
  __device__ __forceinline__ int* part_sums() const {
    return reinterpret_cast<int*>(memory + part_sums_at);
  }
  __device__ __forceinline__ std::int64_t* group_squares() const {
    return reinterpret_cast<std::int64_t*>(memory + group_squares_at);
  }
  __device__ __forceinline__ int* group_sums() const {
    return reinterpret_cast<int*>(memory + group_sums_at);
  }

  // The last known row above `row`, or -1, and the first below it, or -1.
  __device__ int known_above(int row) const {
    int w = row >> 5;
    unsigned word = w < words ? known()[w] & ~bits_from(row & 31) : 0;
    while (word == 0 && w > 0) word = known()[--w];
    return word != 0 ? w * kFitWordRows + 31 - __clz(static_cast<int>(word)) : -1;
  }
  __device__ int known_below(int row) const {
    int w = row >> 5;
    unsigned word = known()[w] & bits_from((row & 31) + 1);
    while (word == 0 && ++w < words) word = known()[w];
    return word != 0 ? w * kFitWordRows + __ffs(static_cast<int>(word)) - 1 : -1;
  }
  // The last vertex above `row`, which there is.
  __device__ int vertex_above(int row) const {
    int w = row >> 5;
    unsigned word = vertices()[w] & ~bits_from(row & 31);
    while (word == 0) word = vertices()[--w];
    return w * kFitWordRows + 31 - __clz(static_cast<int>(word));
  }
};

// Two of a piece's sums, in one access.
struct alignas(16) ProductSums {
  std::int64_t rows_rows, rows_values;
};

// Arrays of a column's pieces, in shared or global memory.
struct Pieces {
  unsigned char* memory;
  int capacity;
  bool has_runs;  // runs() are valid

  __device__ Pieces(unsigned char* from, int pieces, bool with_runs)
      : memory(from),
        capacity(static_cast<int>(PiecesLayout(pieces).capacity)),
        has_runs(with_runs) {}

  // An array that begins after so many bytes for each piece.
  template <typename T>
  __device__ __forceinline__ T* array(int bytes_before) const {
    return reinterpret_cast<T*>(memory + static_cast<std::int64_t>(capacity) * bytes_before);
  }
  // Sums up to each piece, and to the end.
  __device__ __forceinline__ ProductSums* products() const { return array<ProductSums>(0); }
  // The same for count, rows and values, and each piece's first row. With bounded ends, the upper
  // half of the row has the last known row above it.
  __device__ __forceinline__ int4* sums() const { return array<int4>(16); }
  // Each piece's line and spread; its error and count.
  __device__ __forceinline__ float4* lines() const { return array<float4>(32); }
  __device__ __forceinline__ float2* own_errors() const { return array<float2>(48); }
  // Arrays of the merge: see fit_merge.cuh.
  __device__ __forceinline__ float* errors() const { return array<float>(56); }
  __device__ __forceinline__ int* segments() const { return array<int>(88); }
  __device__ __forceinline__ int* kept() const { return array<int>(92); }
  __device__ __forceinline__ int* joined() const { return array<int>(96); }
  // The number of runs that begin up to each piece.
  __device__ __forceinline__ int* runs() const { return array<int>(100); }
  // In the place of segments() and kept(), before there are any: sums of squares up to each piece.
  __device__ __forceinline__ std::int64_t* values_values() const { return array<std::int64_t>(88); }

  __device__ __forceinline__ int start(int piece) const { return sums()[piece].w & 0xFFFF; }
  // The last known row of the piece before another; where the ends of lines are bounded.
  __device__ __forceinline__ int last_before(int piece) const { return sums()[piece].w >> 16; }

  static constexpr int kUnrolled = 3;
  // Sums over all samples of pieces [first, end).
  __device__ __forceinline__ SampleSums sums_of(int first, int end) const {
    const int4 s = sums()[first];
    const int4 e = sums()[end];
    const ProductSums sp = products()[first];
    const ProductSums ep = products()[end];
    return {e.x - s.x, e.y - s.y, e.z - s.z, ep.rows_rows - sp.rows_rows,
            ep.rows_values - sp.rows_values};
  }
  __device__ __forceinline__ Piece piece(int p, float truncation2) const {
    const float4 l = lines()[p];
    const float2 e = own_errors()[p];
    return {{l.x, l.y, l.z}, e.y, l.w, e.x, e.y * truncation2};
  }
  __device__ __forceinline__ EndRange ends_of(const FittedLine& line, int first, int end) const {
    return {line, start(first), last_before(end)};
  }
  __device__ __forceinline__ bool begins_run(int piece) const {
    return has_runs && runs()[piece] != runs()[piece - 1];
  }
  __device__ __forceinline__ bool crosses_runs(int first, int end) const {
    return has_runs && runs()[first] != runs()[end - 1];
  }
};

// Neighbouring samples of a row.
template <int kColumns>
struct FitRow {
  std::uint16_t samples[kColumns];
};

// Loads all of them in one access, for which they must be aligned together.
template <typename Sample>
__device__ __forceinline__ FitRow<4> load_aligned(const Sample* from) {
  if constexpr (sizeof(Sample) == 2) {
    const ushort4 v = __ldg(reinterpret_cast<const ushort4*>(from));
    return {{v.x, v.y, v.z, v.w}};
  } else {
    const uchar4 v = __ldg(reinterpret_cast<const uchar4*>(from));
    return {{v.x, v.y, v.z, v.w}};
  }
}

// The number of rows that a thread loads at once.
constexpr int kFitRowsAtOnce = 2;

// Brings the tile's columns into shared memory, with a mask of the known rows.
template <typename Sample, int kColumns>
__device__ __forceinline__ void load_fit_columns(const FitArguments& a, const FitLayout& layout,
                                                 unsigned char* memory, int frame,
                                                 int first_column) {
  constexpr int kThreads = kColumns * kFitColumnThreads;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int valid = min(kColumns, a.width - first_column);
  const unsigned char* const data = a.frames.data[frame];
  const std::int64_t pitch = a.frames.pitch[frame];
  const bool aligned =
      kColumns == 4 && valid == kColumns &&
      ((reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(pitch)) &
       (kColumns * sizeof(Sample) - 1)) == 0;
  const bool empty = a.known_first > a.known_last;
  const unsigned range = a.known_last - a.known_first;
  // A warp's rows are a word of the masks.
  for (int first = static_cast<int>(threadIdx.x) - lane; first < a.height;
       first += kThreads * kFitRowsAtOnce) {
    FitRow<kColumns> rows[kFitRowsAtOnce] = {};
#pragma unroll
    for (int i = 0; i < kFitRowsAtOnce; ++i) {
      const int row = first + i * kThreads + lane;
      if (row >= a.height) continue;
      const auto* const from = reinterpret_cast<const Sample*>(data + row * pitch) + first_column;
      if constexpr (kColumns == 4) {
        if (aligned) {
          rows[i] = load_aligned(from);
          continue;
        }
      }
#pragma unroll
      for (int c = 0; c < kColumns; ++c) rows[i].samples[c] = c < valid ? __ldg(from + c) : 0;
    }
#pragma unroll
    for (int i = 0; i < kFitRowsAtOnce; ++i) {
      const int word_row = first + i * kThreads;
      if (word_row >= a.height) continue;
      const int row = word_row + lane;
#pragma unroll
      for (int c = 0; c < kColumns; ++c) {
        const unsigned sample = rows[i].samples[c];
        const bool known = row < a.height && c < valid && !empty && sample - a.known_first <= range;
        const unsigned word = __ballot_sync(kAll, known);
        reinterpret_cast<std::uint16_t*>(memory + layout.samples + c * layout.column_bytes)[row] =
            static_cast<std::uint16_t>(sample);
        if (lane == c) {
          reinterpret_cast<unsigned*>(
              memory + layout.known)[c * layout.words + word_row / kFitWordRows] = word;
        }
      }
    }
  }
  const std::int64_t frame_column = static_cast<std::int64_t>(frame) * a.width + first_column;
  for (int c = 0; c < kColumns; ++c) {
    for (int w = static_cast<int>(threadIdx.x); w < layout.words; w += kThreads) {
      const int at = c * layout.words + w;
      reinterpret_cast<unsigned*>(memory + layout.vertices)[at] =
          c < valid ? __ldg(a.vertices + (frame_column + c) * layout.words + w) : 0U;
      reinterpret_cast<unsigned*>(memory + layout.begins)[at] = 0;
    }
  }
}

// Sums over the column's samples: up to each part from the start of its group, and of each group.
// The warps of the column take a group at a time, a thread half a word.
__device__ __forceinline__ void sum_parts(const FitColumn& column, int warp, int lane) {
  constexpr int kRows = kFitGroupRows / 32;
  static_assert(kRows * 2 == kFitWordRows);
  for (int g = warp; g * kFitGroupRows < column.words * kFitWordRows; g += kFitColumnThreads / 32) {
    const int top = g * kFitGroupRows + lane * kRows;
    const bool is_there = top < column.words * kFitWordRows;
    SquareSums mine;
    if (is_there) {
      const unsigned known = column.known()[top / kFitWordRows] >> top % kFitWordRows;
#pragma unroll 4
      for (int i = 0; i < kRows; ++i) {
        if ((known >> i & 1) != 0) mine.add(top + i, column.sample(top + i));
      }
    }
    const SquareSums up_to = warp_inclusive_sum(mine);
    if (is_there && top % column.part_rows == 0) {
      // Without this thread's own rows.
      const int p = top / column.part_rows;
      column.part_sums()[p * 3] = up_to.sums.count - mine.sums.count;
      column.part_sums()[p * 3 + 1] = up_to.sums.rows - mine.sums.rows;
      column.part_sums()[p * 3 + 2] = up_to.sums.values - mine.sums.values;
      column.part_squares()[p * 3] = up_to.sums.rows_rows - mine.sums.rows_rows;
      column.part_squares()[p * 3 + 1] = up_to.sums.rows_values - mine.sums.rows_values;
      column.part_squares()[p * 3 + 2] = up_to.values_values - mine.values_values;
    }
    if (lane == 31) {
      column.group_sums()[g * 3] = up_to.sums.count;
      column.group_sums()[g * 3 + 1] = up_to.sums.rows;
      column.group_sums()[g * 3 + 2] = up_to.sums.values;
      column.group_squares()[g * 3] = up_to.sums.rows_rows;
      column.group_squares()[g * 3 + 1] = up_to.sums.rows_values;
      column.group_squares()[g * 3 + 2] = up_to.values_values;
    }
  }
}

__device__ __forceinline__ SquareSums read_sums(const int* sums, const std::int64_t* squares) {
  return {{sums[0], sums[1], sums[2], squares[0], squares[1]}, squares[2]};
}

// Sums over all samples above `row`, which may be the row after the last word.
__device__ __forceinline__ SquareSums sums_above(const FitColumn& column, int row) {
  SquareSums result;
  for (int g = 0; g < row / kFitGroupRows; ++g) {
    result = result + read_sums(column.group_sums() + g * 3, column.group_squares() + g * 3);
  }
  if (row >= column.words * kFitWordRows) {
    // In the last group, if it is not whole.
    if (row % kFitGroupRows != 0) {
      const int g = row / kFitGroupRows;
      result = result + read_sums(column.group_sums() + g * 3, column.group_squares() + g * 3);
    }
    return result;
  }
  const int p = row / column.part_rows;
  result = result + read_sums(column.part_sums() + p * 3, column.part_squares() + p * 3);
  const int top = p * column.part_rows;
  unsigned known = column.known()[top / kFitWordRows] >> top % kFitWordRows & ~bits_from(row - top);
  for (; known != 0; known &= known - 1) {
    const int r = top + __ffs(static_cast<int>(known)) - 1;
    result.add(r, column.sample(r));
  }
  return result;
}

// True if a run of samples begins, or ends, with a vertex.
__device__ __forceinline__ bool begins_run(int row, int above, int max_gap) {
  return above < 0 || (max_gap > 0 && row - above - 1 > max_gap);
}
__device__ __forceinline__ bool ends_run(int row, int below, int max_gap) {
  return below < 0 || (max_gap > 0 && below - row - 1 > max_gap);
}

// Marks the rows at which pieces begin; without refine, those at which segments end.
__device__ __forceinline__ void mark_begins(const FitArguments& a, const FitColumn& column,
                                            int lane) {
  for (int w = lane; w < column.words; w += 32) {
    for (unsigned rest = column.vertices()[w]; rest != 0; rest &= rest - 1) {
      const int row = w * kFitWordRows + __ffs(static_cast<int>(rest)) - 1;
      const int above = column.known_above(row);
      const int below = column.known_below(row);
      const bool first = begins_run(row, above, a.max_gap);
      const bool last = ends_run(row, below, a.max_gap);
      int begin = row;
      if (a.refine == 0) {
        if (first && !last) continue;
      } else if (!first) {
        if (last) continue;
        const int value = column.sample(row);
        const int before = abs(value - static_cast<int>(column.sample(above)));
        const int after = abs(static_cast<int>(column.sample(below)) - value);
        begin = before >= after ? row : below;
      }
      atomicOr(&column.begins()[begin >> 5], 1U << (begin & 31));
    }
  }
}

// The number of marked rows.
__device__ __forceinline__ int count_begins(const FitColumn& column, int lane) {
  unsigned count = 0;
  for (int w = lane; w < column.words; w += 32) {
    count += static_cast<unsigned>(__popc(column.begins()[w]));
  }
  return static_cast<int>(warp_sum(count));
}

// Lists the marked rows.
__device__ __forceinline__ void list_begins(const FitColumn& column, int max_gap, int lane,
                                            const Pieces& pieces) {
  int before = 0;
  int runs_before = 0;
  for (int w = 0; w < column.words; w += 32) {
    const unsigned word = w + lane < column.words ? column.begins()[w + lane] : 0;
    const unsigned up_to = warp_inclusive_sum(static_cast<unsigned>(__popc(word)));
    int index = before + static_cast<int>(up_to) - __popc(word);
    int runs = 0;
    for (unsigned rest = word; rest != 0; rest &= rest - 1) {
      const int row = (w + lane) * kFitWordRows + __ffs(static_cast<int>(rest)) - 1;
      pieces.sums()[index].w = row;
      if (pieces.has_runs) {
        if (begins_run(row, column.known_above(row), max_gap)) ++runs;
        pieces.runs()[index] = runs;
      }
      ++index;
    }
    if (pieces.has_runs) {
      const auto runs_up_to = static_cast<int>(warp_inclusive_sum(static_cast<unsigned>(runs)));
      const int others = runs_before + runs_up_to - runs;
      for (int i = index - __popc(word); i < index; ++i) pieces.runs()[i] += others;
      runs_before += __shfl_sync(kAll, runs_up_to, 31);
    }
    before += static_cast<int>(__shfl_sync(kAll, up_to, 31));
  }
}

// Finds the sums up to each piece, and to the end, by all threads of the column.
__device__ __forceinline__ void sum_pieces(const FitColumn& column, const Pieces& pieces, int count,
                                           int thread) {
  for (int p = thread; p <= count; p += kFitColumnThreads) {
    const int row = p < count ? pieces.start(p) : column.words * kFitWordRows;
    const SquareSums s = sums_above(column, row);
    pieces.sums()[p] = make_int4(s.sums.count, s.sums.rows, s.sums.values, row);
    pieces.products()[p] = {s.sums.rows_rows, s.sums.rows_values};
    pieces.values_values()[p] = s.values_values;
  }
}

// Lists the last known row above each piece but the first, and above the end, by the threads of
// sum_pieces().
__device__ __forceinline__ void list_lasts(const FitColumn& column, const Pieces& pieces, int count,
                                           int thread) {
  for (int p = thread; p <= count; p += kFitColumnThreads) {
    if (p > 0) pieces.sums()[p].w |= column.known_above(pieces.start(p)) << 16;
  }
}

// Prepares each piece for merging, and the errors of the pieces alone: from their own lines, so
// that nothing is added to them. By all threads of the column.
__device__ __forceinline__ void make_pieces(const Pieces& pieces, int count, float truncation2,
                                            int thread) {
  for (int p = thread; p < count; p += kFitColumnThreads) {
    const std::int64_t* const squares = pieces.values_values() + p;
    const Piece piece = make_piece(pieces.sums_of(p, p + 1), squares[1] - squares[0], truncation2);
    pieces.lines()[p] =
        make_float4(piece.line.slope, piece.line.row, piece.line.value, piece.spread);
    pieces.own_errors()[p] = make_float2(piece.error, piece.count);
    pieces.errors()[p * static_cast<int>(kMergeReach)] = truncated_error(piece, piece.line);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_PIECES_CUH_
