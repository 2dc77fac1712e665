// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_WARP_SUMS_CUH_
#define RDP_KERNELS_RDP_FIT_WARP_SUMS_CUH_

#include <cstdint>

#include "common/rdp/fitted_line.h"
#include "kernels/primitives/warp.cuh"

// Sums over the samples of a column of at most 1024 rows, in few words.
namespace rdp::cuda {

// Sums over any samples of a column. Of all 1024 rows and samples of 65535, count <= 1024 and
// rows <= 523776 need 11 and 19 bits, rows_rows < 2^29, values < 2^26, rows_values < 2^36. No field
// overflows into another one; nor does one of a difference, if these are sums over more samples and
// over some of them.
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

// Sums over some rows of a word, which are counted from its first one. The word's count, rows and
// squares of rows are at most 32, 496 and 10416: 6, 9 and 14 bits of one number, to which a row
// adds a constant.
struct WordSums {
  unsigned rows = 0;  // squares << 15 | rows << 6 | count
  unsigned values = 0;
  unsigned rows_values = 0;
  std::uint64_t values_values = 0;

  // Adds `value` in row kRow, if bit kBit of `known` is set. In PTX, because the compiler finds the
  // predicated instructions only in this form.
  template <int kBit, int kRow>
  __device__ __forceinline__ void add(unsigned known, unsigned value) {
    constexpr unsigned kOne = static_cast<unsigned>(kRow * kRow) << 15 | kRow << 6 | 1;
#ifdef RDP_EMULATED
    if ((known >> kBit & 1) == 0) return;
    rows += kOne;
    values += value;
    rows_values += value * kRow;
    values_values += std::uint64_t{value} * value;
#else
    asm("{\n"
        "  .reg .pred p;\n"
        "  .reg .b32 bit;\n"
        "  and.b32 bit, %4, %6;\n"
        "  setp.ne.u32 p, bit, 0;\n"
        "  @p add.u32 %0, %0, %7;\n"
        "  @p add.u32 %1, %1, %5;\n"
        "  @p mad.lo.u32 %2, %5, %8, %2;\n"
        "  @p mad.wide.u32 %3, %5, %5, %3;\n"
        "}"
        : "+r"(rows), "+r"(values), "+r"(rows_values), "+l"(values_values)
        : "r"(known), "r"(value), "n"(1U << kBit), "n"(kOne), "n"(kRow));
#endif
  }
  // Adds the samples of eight rows from kRow on, of which the lowest bits of `known` say which
  // count.
  template <int kRow>
  __device__ __forceinline__ void add_chunk(unsigned known, const uint4& samples) {
    add<0, kRow>(known, samples.x & 0xFFFF);
    add<1, kRow + 1>(known, samples.x >> 16);
    add<2, kRow + 2>(known, samples.y & 0xFFFF);
    add<3, kRow + 3>(known, samples.y >> 16);
    add<4, kRow + 4>(known, samples.z & 0xFFFF);
    add<5, kRow + 5>(known, samples.z >> 16);
    add<6, kRow + 6>(known, samples.w & 0xFFFF);
    add<7, kRow + 7>(known, samples.w >> 16);
  }

  // These sums, if rows were counted from `by` rows further up in the word.
  __device__ __forceinline__ WordSums moved_down(unsigned by) const {
    const unsigned count = rows & 63;
    const unsigned moved = (rows >> 6 & 511) + by * count;
    const unsigned squares = (rows >> 15) + by * ((rows >> 6 & 511) + moved);
    return {squares << 15 | moved << 6 | count, values, rows_values + by * values, values_values};
  }
  __device__ __forceinline__ WordSums operator+(const WordSums& b) const {
    return {rows + b.rows, values + b.values, rows_values + b.rows_values,
            values_values + b.values_values};
  }

  // Of three of a word's four chunks, in four words: values < 2^21 and values_values < 2^37.
  __device__ __forceinline__ uint4 pack() const {
    return make_uint4(static_cast<unsigned>(values_values),
                      values << 8 | static_cast<unsigned>(values_values >> 32), rows_values, rows);
  }
  __device__ __forceinline__ static WordSums unpack(const uint4& packed) {
    return {packed.w, packed.y >> 8, packed.z,
            static_cast<std::uint64_t>(packed.y & 255) << 32 | packed.x};
  }

  // With rows of the column, in which the word begins in row `top`. rows_values are below
  // 32 * 1023 * 65535 < 2^31.
  __device__ __forceinline__ ColumnSquareSums in_column(unsigned top) const {
    const unsigned count = rows & 63;
    const unsigned in_word = rows >> 6 & 511;
    const unsigned from_top = in_word + top * count;
    const unsigned squares = (rows >> 15) + top * (in_word + from_top);
    return {{from_top << 11 | count, squares,
             static_cast<std::uint64_t>(values) << 36 | (rows_values + top * values)},
            values_values};
  }
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_WARP_SUMS_CUH_
