// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FIT_BLOCK_CUH_
#define RDP_KERNELS_FIT_BLOCK_CUH_

#include <cstdint>

#include "common/rdp/fitted_line.h"
#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/fit_arguments.h"
#include "kernels/rdp/fit_layout.h"

// Shared by the parts of fit.cu.
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

// The arrays of a column's pieces, in whatever memory.
struct Pieces {
  unsigned char* memory;
  int capacity;
  bool has_runs;  // whether runs() count

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
  // The same of count, rows and values, and the first row of each piece; where the ends of lines
  // are bounded, in the upper half the last known row above it.
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
  // Over all samples from one piece to the one before another.
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

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FIT_BLOCK_CUH_
