// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/transpose.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/image/transpose.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/load_samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Copies the rectangle sample by sample: the corners that no block of 8 x 8 covers.
template <typename T>
void transpose_plain(const DepthView& frame, int first_column, int first_row, int columns, int rows,
                     int out_column, const ColumnBlock& out) {
  for (int r = first_row; r < first_row + rows; ++r) {
    const std::byte* from = frame.row(r) + first_column * static_cast<std::ptrdiff_t>(sizeof(T));
    std::uint16_t* to = out.data + out_column * out.stride + r;
    for (int c = 0; c < columns; ++c, to += out.stride) {
      T value;
      std::memcpy(&value, from + c * sizeof(T), sizeof value);
      *to = value;
    }
  }
}

inline constexpr int kBlock = 8;  // 16-bit samples in 128 bits

// The samples of one row, as 16 bits.
template <typename T, class D>
HWY_INLINE hn::Vec<D> load_row(D d, const std::byte* from) {
  if constexpr (sizeof(T) == 1) {
    return hn::PromoteTo(d, load_samples(hn::Rebind<std::uint8_t, D>(), from));
  } else {
    return load_samples(d, from);
  }
}

// Stores each group of eight lanes at the place of its own column, kBlock columns apart.
template <class D>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, std::uint16_t* to, std::ptrdiff_t stride) {
  if constexpr (hn::MaxLanes(D()) == kBlock) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), to, stride);
    store_blocks(half, hn::UpperHalf(half, v),
                 to + static_cast<std::ptrdiff_t>(hn::MaxLanes(D()) / 2) * stride, stride);
  }
}

// Eight rows of Lanes(d) columns: three rounds of interleaving move the row number from the
// register into the lane. Interleaving stays within 128 bits, so each group of eight columns comes
// out whole.
template <typename T, class D>
HWY_INLINE void transpose_block(D d, const std::byte* from, std::ptrdiff_t row_stride,
                                std::uint16_t* to, std::ptrdiff_t stride) {
  const hn::Repartition<std::uint32_t, D> d32;
  const hn::Repartition<std::uint64_t, D> d64;
  const auto r0 = load_row<T>(d, from);
  const auto r1 = load_row<T>(d, from + row_stride);
  const auto r2 = load_row<T>(d, from + 2 * row_stride);
  const auto r3 = load_row<T>(d, from + 3 * row_stride);
  const auto r4 = load_row<T>(d, from + 4 * row_stride);
  const auto r5 = load_row<T>(d, from + 5 * row_stride);
  const auto r6 = load_row<T>(d, from + 6 * row_stride);
  const auto r7 = load_row<T>(d, from + 7 * row_stride);
  const auto lo01 = hn::BitCast(d32, hn::InterleaveLower(d, r0, r1));
  const auto hi01 = hn::BitCast(d32, hn::InterleaveUpper(d, r0, r1));
  const auto lo23 = hn::BitCast(d32, hn::InterleaveLower(d, r2, r3));
  const auto hi23 = hn::BitCast(d32, hn::InterleaveUpper(d, r2, r3));
  const auto lo45 = hn::BitCast(d32, hn::InterleaveLower(d, r4, r5));
  const auto hi45 = hn::BitCast(d32, hn::InterleaveUpper(d, r4, r5));
  const auto lo67 = hn::BitCast(d32, hn::InterleaveLower(d, r6, r7));
  const auto hi67 = hn::BitCast(d32, hn::InterleaveUpper(d, r6, r7));
  const auto finish = [&](auto upper, auto lower, std::uint16_t* column) HWY_ATTR {
    const auto a = hn::BitCast(d64, upper);
    const auto b = hn::BitCast(d64, lower);
    store_blocks(d, hn::BitCast(d, hn::InterleaveLower(d64, a, b)), column, stride);
    store_blocks(d, hn::BitCast(d, hn::InterleaveUpper(d64, a, b)), column + stride, stride);
  };
  finish(hn::InterleaveLower(d32, lo01, lo23), hn::InterleaveLower(d32, lo45, lo67), to);
  finish(hn::InterleaveUpper(d32, lo01, lo23), hn::InterleaveUpper(d32, lo45, lo67),
         to + 2 * stride);
  finish(hn::InterleaveLower(d32, hi01, hi23), hn::InterleaveLower(d32, hi45, hi67),
         to + 4 * stride);
  finish(hn::InterleaveUpper(d32, hi01, hi23), hn::InterleaveUpper(d32, hi45, hi67),
         to + 6 * stride);
}

template <typename T>
void transpose(const DepthView& frame, int first_column, int count, int prefetch_column,
               const ColumnBlock& out) {
  const int rows = frame.height;
  if (count < kBlock || rows < kBlock) {
    transpose_plain<T>(frame, first_column, 0, count, rows, 0, out);
    return;
  }
  // 64 bytes of a row are the widest piece that is worth its registers; narrower pieces cover the
  // rest of the columns, the last one by looking back.
  const hn::CappedTag<std::uint16_t, 32> wide;
  const hn::CappedTag<std::uint16_t, 16> middle;
  const hn::CappedTag<std::uint16_t, kBlock> narrow;
  for (int row = 0; row < rows; row += kBlock) {
    // The last block of rows is written a second time in part when the height is no multiple of it.
    row = row + kBlock <= rows ? row : rows - kBlock;
    const std::byte* from = frame.row(row) + first_column * static_cast<std::ptrdiff_t>(sizeof(T));
    std::uint16_t* to = out.data + row;
    if (prefetch_column >= 0) {
      const std::byte* next =
          frame.row(row) + prefetch_column * static_cast<std::ptrdiff_t>(sizeof(T));
      for (int r = 0; r < kBlock; ++r, next += frame.stride) hwy::Prefetch(next);
    }
    int column = 0;
    const auto block = [&](auto d, int c) HWY_ATTR {
      transpose_block<T>(d, from + c * static_cast<std::ptrdiff_t>(sizeof(T)), frame.stride,
                         to + c * out.stride, out.stride);
    };
    for (; column + static_cast<int>(hn::Lanes(wide)) <= count;
         column += static_cast<int>(hn::Lanes(wide))) {
      block(wide, column);
    }
    for (; column + static_cast<int>(hn::Lanes(middle)) <= count;
         column += static_cast<int>(hn::Lanes(middle))) {
      block(middle, column);
    }
    for (; column + kBlock <= count; column += kBlock) block(narrow, column);
    if (column < count) block(narrow, count - kBlock);
  }
}

void transpose_columns(const DepthView& frame, int first_column, int count, int prefetch_column,
                       const ColumnBlock& out) {
  if (frame.type == SampleType::kU8) {
    transpose<std::uint8_t>(frame, first_column, count, prefetch_column, out);
  } else {
    transpose<std::uint16_t>(frame, first_column, count, prefetch_column, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(transpose_columns);

void transpose_columns(const DepthView& frame, int first_column, int count, int prefetch_column,
                       const ColumnBlock& out) {
  HWY_DYNAMIC_DISPATCH(transpose_columns)(frame, first_column, count, prefetch_column, out);
}

}  // namespace rdp
#endif
