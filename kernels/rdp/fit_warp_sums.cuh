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

// 0xFFFF in the lower half where bit 0 of `known` is set, and in the upper half where bit 1 is; the
// same of bits 2 and 3. Other bits of `known` are 0.
struct HalfMasks {
  unsigned first, second;

  __device__ __forceinline__ explicit HalfMasks(unsigned known) {
#ifdef RDP_EMULATED
    const auto half = [&](int bit) { return (known >> bit & 1) != 0 ? 0xFFFFU : 0U; };
    first = half(1) << 16 | half(0);
    second = half(3) << 16 | half(2);
#else
    // Bits 0 to 3 become the signs of bytes 0 to 3, of which each selector with 8 makes a whole
    // byte.
    const unsigned signs = known * 0x10204080U;
    asm("prmt.b32 %0, %1, %1, 0x9988;" : "=r"(first) : "r"(signs));
    asm("prmt.b32 %0, %1, %1, 0xBBAA;" : "=r"(second) : "r"(signs));
#endif
  }
};

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
// below 496 * 65535 < 2^25.
struct WordSums {
  unsigned values = 0;
  unsigned rows_values = 0;
  std::uint64_t values_values = 0;

  // Adds the samples of eight rows, of which the lowest bits of `known` say which count. The first
  // one is row kRow of the word.
  template <int kRow>
  __device__ __forceinline__ void add_chunk(unsigned known, const uint4& samples) {
    add_four<kRow>(known & 15, samples.x, samples.y);
    add_four<kRow + 4>(known >> 4 & 15, samples.z, samples.w);
  }

  // These sums, if rows were counted from `by` rows further up in the word.
  __device__ __forceinline__ WordSums moved_down(unsigned by) const {
    return {values, rows_values + by * values, values_values};
  }
  __device__ __forceinline__ WordSums operator+(const WordSums& b) const {
    return {values + b.values, rows_values + b.rows_values, values_values + b.values_values};
  }

  __device__ __forceinline__ uint4 pack() const {
    return make_uint4(values, rows_values, static_cast<unsigned>(values_values),
                      static_cast<unsigned>(values_values >> 32));
  }
  __device__ __forceinline__ static WordSums unpack(const uint4& packed) {
    return {packed.x, packed.y, static_cast<std::uint64_t>(packed.w) << 32 | packed.z};
  }

  // With rows of the column, in which the word begins in row `top`: of the rows whose bits are set
  // in `known`. rows_values are below 32 * 1023 * 65535 < 2^31.
  __device__ __forceinline__ ColumnSquareSums in_column(unsigned top, unsigned known) const {
    const auto count = static_cast<unsigned>(__popc(known));
    const unsigned in_word = rows_of(known);
    const unsigned from_top = in_word + top * count;
    return {{from_top << 11 | count, squares_of(known) + top * (in_word + from_top),
             static_cast<std::uint64_t>(values) << 36 | (rows_values + top * values)},
            values_values};
  }

 private:
  template <int kRow>
  __device__ __forceinline__ void add_four(unsigned known, unsigned first, unsigned second) {
    constexpr unsigned kOnes = 0x01010101U;
    constexpr unsigned kRows = kRow * kOnes + 0x03020100U;
    const HalfMasks masks(known);
    first &= masks.first;
    second &= masks.second;
    values = add_products<2>(second, kOnes, add_products<0>(first, kOnes, values));
    rows_values = add_products<2>(second, kRows, add_products<0>(first, kRows, rows_values));
    add_square(first & 0xFFFF);
    add_square(first >> 16);
    add_square(second & 0xFFFF);
    add_square(second >> 16);
  }
  __device__ __forceinline__ void add_square(unsigned value) {
    values_values += static_cast<std::uint64_t>(value) * value;
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
