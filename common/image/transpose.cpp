// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/transpose.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/image/transpose.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/transpose-inl.h"

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

template <typename T>
void transpose(const DepthView& frame, int first_column, int count, int prefetch_column,
               const ColumnBlock& out) {
  const int rows = frame.height;
  if (count < kTransposed || rows < kTransposed) {
    transpose_plain<T>(frame, first_column, 0, count, rows, 0, out);
    return;
  }
  // 64 bytes of a row are the widest piece that is worth its registers; narrower pieces cover the
  // rest of the columns, the last one by looking back.
  const hn::CappedTag<std::uint16_t, 32> wide;
  const hn::CappedTag<std::uint16_t, 16> middle;
  const hn::CappedTag<std::uint16_t, kTransposed> narrow;
  for (int row = 0; row < rows; row += kTransposed) {
    // The last block of rows is aligned to the end, and overlaps the previous one if need be.
    row = row + kTransposed <= rows ? row : rows - kTransposed;
    const std::byte* from = frame.row(row) + first_column * static_cast<std::ptrdiff_t>(sizeof(T));
    std::uint16_t* to = out.data + row;
    if (prefetch_column >= 0) {
      const std::byte* next =
          frame.row(row) + prefetch_column * static_cast<std::ptrdiff_t>(sizeof(T));
      for (int r = 0; r < kTransposed; ++r, next += frame.stride) hwy::Prefetch(next);
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
    for (; column + kTransposed <= count; column += kTransposed) block(narrow, column);
    if (column < count) block(narrow, count - kTransposed);
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
