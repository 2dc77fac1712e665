// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/median.h"

#include <algorithm>
#include <cstring>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/image/median.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/exchange-inl.h"
#include "common/image/load_samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows are worked on two at a time: the side - 1 samples that the two windows of a column share are
// sorted once.
constexpr int kRowsAtOnce = 2;
constexpr int kMaxMedianSide = 5;

// The sorted columns of one output row: line[k][x] is the k-th smallest of the samples in column x.
template <typename T>
struct SortedColumns {
  T* line[kMaxMedianSide];
};

// Sorts columns x.. of rows[0..3] for the upper window (rows 0 to 2) and the lower one (1 to 3).
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void sort_columns_3(D d, const std::byte* const* rows, std::size_t x,
                               const SortedColumns<T>& upper, const SortedColumns<T>& lower) {
  const std::size_t at = x * sizeof(T);
  auto a = load_samples(d, rows[1] + at);
  auto b = load_samples(d, rows[2] + at);
  exchange(a, b);
  const auto insert = [&](const std::byte* row, const SortedColumns<T>& to) HWY_ATTR {
    const auto v = load_samples(d, row + at);
    hn::StoreU(smaller(a, v), d, to.line[0] + x);
    hn::StoreU(larger(a, smaller(b, v)), d, to.line[1] + x);
    hn::StoreU(larger(b, v), d, to.line[2] + x);
  };
  insert(rows[0], upper);
  insert(rows[3], lower);
}

// The same for rows[0..5], windows of rows 0 to 4 and 1 to 5.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void sort_columns_5(D d, const std::byte* const* rows, std::size_t x,
                               const SortedColumns<T>& upper, const SortedColumns<T>& lower) {
  const std::size_t at = x * sizeof(T);
  auto a = load_samples(d, rows[1] + at);
  auto b = load_samples(d, rows[2] + at);
  auto c = load_samples(d, rows[3] + at);
  auto e = load_samples(d, rows[4] + at);
  exchange(a, b);
  exchange(c, e);
  exchange(a, c);
  exchange(b, e);
  exchange(b, c);
  const auto insert = [&](const std::byte* row, const SortedColumns<T>& to) HWY_ATTR {
    const auto v = load_samples(d, row + at);
    hn::StoreU(smaller(a, v), d, to.line[0] + x);
    hn::StoreU(larger(a, smaller(b, v)), d, to.line[1] + x);
    hn::StoreU(larger(b, smaller(c, v)), d, to.line[2] + x);
    hn::StoreU(larger(c, smaller(e, v)), d, to.line[3] + x);
    hn::StoreU(larger(e, v), d, to.line[4] + x);
  };
  insert(rows[0], upper);
  insert(rows[5], lower);
}

// The medians of the 3x3 windows around columns x..: the middle one of the largest minimum, the
// middle median and the smallest maximum of their three sorted columns.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> median_3(D d, const SortedColumns<T>& sorted, std::size_t x) {
  const auto column = [&](int k, int offset)
                          HWY_ATTR { return hn::LoadU(d, sorted.line[k] + x + offset); };
  const auto low = larger(larger(column(0, -1), column(0, 0)), column(0, 1));
  const auto high = smaller(smaller(column(2, -1), column(2, 0)), column(2, 1));
  auto a = column(1, -1);
  auto b = column(1, 0);
  exchange(a, b);
  const auto middle = larger(a, smaller(b, column(1, 1)));
  return larger(smaller(low, middle), smaller(larger(low, middle), high));
}

// The larger two of five: the largest of all and the one before it.
template <class V>
HWY_INLINE void top_two(V a, V b, V c, V e, V f, V& second, V& first) {
  exchange(a, b);
  exchange(c, e);
  const V top = larger(b, e);
  const V next = larger(smaller(b, e), larger(a, c));
  first = larger(top, f);
  second = larger(next, smaller(top, f));
}

// The smaller two of five.
template <class V>
HWY_INLINE void bottom_two(V a, V b, V c, V e, V f, V& first, V& second) {
  exchange(a, b);
  exchange(c, e);
  const V bottom = smaller(a, c);
  const V next = smaller(larger(a, c), smaller(b, e));
  first = smaller(bottom, f);
  second = smaller(next, larger(bottom, f));
}

// Knuth's nine exchanges for five samples.
template <class V>
HWY_INLINE void sort_five(V& a, V& b, V& c, V& e, V& f) {
  exchange(a, e);
  exchange(b, f);
  exchange(a, c);
  exchange(b, e);
  exchange(a, b);
  exchange(c, f);
  exchange(b, c);
  exchange(e, f);
  exchange(c, e);
}

// The medians of the 5x5 windows around columns x... Sorting the rows of a window whose columns are
// sorted keeps the columns sorted. Then sample (i, j), counted from 0, has (i + 1)(j + 1) samples
// of the window at or below it, itself included, and (5 - i)(5 - j) at or above it: the median, the
// 13th of 25, is one of the 13 samples where neither number exceeds 13, and the middle one of
// those. The remaining exchange network was found by computer search over the 162 patterns of zeros
// and ones that these 13 can have. The compiler removes unused minima and maxima.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> median_5(D d, const SortedColumns<T>& sorted, std::size_t x) {
  const auto column = [&](int k, int offset)
                          HWY_ATTR { return hn::LoadU(d, sorted.line[k] + x + offset); };
  using V = hn::Vec<D>;
  V a3, a4;
  top_two(column(0, -2), column(0, -1), column(0, 0), column(0, 1), column(0, 2), a3, a4);
  V b0 = column(1, -2), b1 = column(1, -1), b2 = column(1, 0), b3 = column(1, 1), b4 = column(1, 2);
  sort_five(b0, b1, b2, b3, b4);
  V c0 = column(2, -2), c1 = column(2, -1), c2 = column(2, 0), c3 = column(2, 1), c4 = column(2, 2);
  sort_five(c0, c1, c2, c3, c4);
  V d0 = column(3, -2), d1 = column(3, -1), d2 = column(3, 0), d3 = column(3, 1), d4 = column(3, 2);
  sort_five(d0, d1, d2, d3, d4);
  V e0, e1;
  bottom_two(column(4, -2), column(4, -1), column(4, 0), column(4, 1), column(4, 2), e0, e1);
  exchange(b3, d0);
  exchange(d0, e1);
  exchange(a4, d0);
  exchange(b2, d1);
  exchange(c3, e0);
  exchange(a4, d2);
  exchange(c2, c3);
  exchange(a4, c2);
  exchange(c3, d0);
  exchange(c1, c3);
  exchange(c2, c3);
  exchange(a3, c2);
  exchange(b4, d1);
  exchange(b4, c2);
  exchange(c2, c3);
  return c2;
}

template <int kSide, typename T>
void median_rows_of(const DepthView& in, int first_row, int end_row, const MutableDepthView& out,
                    MedianScratch* scratch) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto width = static_cast<std::size_t>(in.width);
  // Rows narrower than a vector are copied into buffers of a vector's width.
  const std::size_t work_width = std::max(width, lanes);
  constexpr std::size_t kBorder = GrowBuffer<std::byte>::kAlignment / sizeof(T);
  static_assert(kBorder >= kMaxMedianSide / 2);
  const std::size_t line = (work_width + 2 * kBorder + kBorder - 1) / kBorder * kBorder;
  constexpr int kInputRows = kSide - 1 + kRowsAtOnce;
  constexpr int kLines = kRowsAtOnce * kSide;
  T* memory = reinterpret_cast<T*>(
      scratch->memory.ensure((kLines * line + (kInputRows + 1) * lanes) * sizeof(T)));
  SortedColumns<T> sorted[kRowsAtOnce];
  for (int i = 0; i < kLines; ++i) sorted[i / kSide].line[i % kSide] = memory + i * line + kBorder;
  T* const narrow_rows = memory + kLines * line;
  T* const narrow_out = narrow_rows + kInputRows * lanes;
  if (width < lanes) std::memset(narrow_rows, 0, kInputRows * lanes * sizeof(T));

  for (int row = first_row; row < end_row; row += kRowsAtOnce) {
    const std::byte* rows[kInputRows];
    for (int i = 0; i < kInputRows; ++i) {
      rows[i] = in.row(std::clamp(row - kSide / 2 + i, 0, in.height - 1));
      if (width < lanes) {
        T* copy = narrow_rows + i * lanes;
        std::memcpy(copy, rows[i], width * sizeof(T));
        rows[i] = reinterpret_cast<const std::byte*>(copy);
      }
    }
    // The last vector of a row is aligned to the row's end and repeats some columns.
    for (std::size_t x = 0; x < work_width; x += lanes) {
      const std::size_t start = std::min(x, work_width - lanes);
      if constexpr (kSide == 3) {
        sort_columns_3(d, rows, start, sorted[0], sorted[1]);
      } else {
        sort_columns_5(d, rows, start, sorted[0], sorted[1]);
      }
    }
    for (int r = 0; r < std::min(kRowsAtOnce, end_row - row); ++r) {
      for (int k = 0; k < kSide; ++k) {
        T* samples = sorted[r].line[k];
        for (std::size_t i = 1; i <= kSide / 2; ++i) {
          *(samples - i) = samples[0];
          samples[width - 1 + i] = samples[width - 1];
        }
      }
      std::byte* to = width < lanes ? reinterpret_cast<std::byte*>(narrow_out) : out.row(row + r);
      for (std::size_t x = 0; x < work_width; x += lanes) {
        const std::size_t start = std::min(x, work_width - lanes);
        if constexpr (kSide == 3) {
          store_samples(d, median_3(d, sorted[r], start), to + start * sizeof(T));
        } else {
          store_samples(d, median_5(d, sorted[r], start), to + start * sizeof(T));
        }
      }
      if (width < lanes) std::memcpy(out.row(row + r), narrow_out, width * sizeof(T));
    }
  }
}

void median_rows(const DepthView& in, int side, int first_row, int end_row,
                 const MutableDepthView& out, MedianScratch* scratch) {
  if (in.type == SampleType::kU8) {
    if (side == 3) {
      median_rows_of<3, std::uint8_t>(in, first_row, end_row, out, scratch);
    } else {
      median_rows_of<5, std::uint8_t>(in, first_row, end_row, out, scratch);
    }
  } else {
    if (side == 3) {
      median_rows_of<3, std::uint16_t>(in, first_row, end_row, out, scratch);
    } else {
      median_rows_of<5, std::uint16_t>(in, first_row, end_row, out, scratch);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(median_rows);

void median_rows(const DepthView& in, int side, int first_row, int end_row,
                 const MutableDepthView& out, MedianScratch* scratch) {
  HWY_DYNAMIC_DISPATCH(median_rows)(in, side, first_row, end_row, out, scratch);
}

}  // namespace rdp
#endif  // HWY_ONCE
