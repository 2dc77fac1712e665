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

// 0xFFFF in the lower half where bit kBit of `bits` is set, and in the upper half where the next
// one is. kBit is even.
template <int kBit>
__device__ __forceinline__ unsigned mask_pair(unsigned bits) {
#ifdef RDP_EMULATED
  return ((bits >> kBit & 1) != 0 ? 0xFFFFU : 0U) | ((bits >> kBit & 2) != 0 ? 0xFFFF0000U : 0U);
#else
  // Each of the bits becomes the sign of its byte, of which selectors from 8 on make whole bytes.
  // The numbers with the signs serve all four bytes.
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

  // Adds the samples of chunk kChunk of eight rows, of which that byte of `known` says which count.
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

  // With rows of the column, in which the word begins in row `top`: of the rows whose bits are set
  // in `known`. rows_values are below 32 * 1023 * 65535 < 2^31.
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

  // The bits of a number that have an odd number, one whose second bit is set, and so on: sums over
  // the numbers of bits are sums over these.
  template <int kBit>
  __device__ __forceinline__ static unsigned with(unsigned bits) {
    constexpr unsigned kMasks[] = {0xAAAAAAAAU, 0xCCCCCCCCU, 0xF0F0F0F0U, 0xFF00FF00U, 0xFFFF0000U};
    return bits & kMasks[kBit];
  }
  template <int kBit>
  __device__ __forceinline__ static unsigned count_with(unsigned bits) {
    return static_cast<unsigned>(__popc(static_cast<int>(with<kBit>(bits))));
  }
  // The sum of the numbers of the bits that are set.
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

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_WARP_SUMS_CUH_
