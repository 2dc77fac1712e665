// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/join_columns.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/image/join_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/exchange-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One comparator of the sorting network: of vectors number kLow and kHigh, where there are as many.
template <int kCount, int kLow, int kHigh, class V>
HWY_INLINE void exchange_if(V& low, V& high) {
  static_assert(kLow < kHigh);
  if constexpr (kHigh < kCount) exchange(low, high);
}

// Batcher's odd-even merge sort of 16 vectors (D. E. Knuth, The Art of Computer Programming, vol.
// 3, 5.3.4), layer by layer. With fewer vectors the missing ones would be at the upper end before
// and after, so that the comparators that touch them do nothing and are left out. No array: vectors
// of unknown size cannot be elements of one.
template <int kCount, class V>
HWY_INLINE void sort_vectors(V& v0, V& v1, V& v2, V& v3, V& v4, V& v5, V& v6, V& v7, V& v8, V& v9,
                             V& v10, V& v11, V& v12, V& v13, V& v14, V& v15) {
  exchange_if<kCount, 0, 1>(v0, v1);
  exchange_if<kCount, 2, 3>(v2, v3);
  exchange_if<kCount, 4, 5>(v4, v5);
  exchange_if<kCount, 6, 7>(v6, v7);
  exchange_if<kCount, 8, 9>(v8, v9);
  exchange_if<kCount, 10, 11>(v10, v11);
  exchange_if<kCount, 12, 13>(v12, v13);
  exchange_if<kCount, 14, 15>(v14, v15);

  exchange_if<kCount, 0, 2>(v0, v2);
  exchange_if<kCount, 1, 3>(v1, v3);
  exchange_if<kCount, 4, 6>(v4, v6);
  exchange_if<kCount, 5, 7>(v5, v7);
  exchange_if<kCount, 8, 10>(v8, v10);
  exchange_if<kCount, 9, 11>(v9, v11);
  exchange_if<kCount, 12, 14>(v12, v14);
  exchange_if<kCount, 13, 15>(v13, v15);

  exchange_if<kCount, 0, 4>(v0, v4);
  exchange_if<kCount, 1, 2>(v1, v2);
  exchange_if<kCount, 3, 7>(v3, v7);
  exchange_if<kCount, 5, 6>(v5, v6);
  exchange_if<kCount, 8, 12>(v8, v12);
  exchange_if<kCount, 9, 10>(v9, v10);
  exchange_if<kCount, 11, 15>(v11, v15);
  exchange_if<kCount, 13, 14>(v13, v14);

  exchange_if<kCount, 0, 8>(v0, v8);
  exchange_if<kCount, 1, 5>(v1, v5);
  exchange_if<kCount, 2, 6>(v2, v6);
  exchange_if<kCount, 7, 15>(v7, v15);
  exchange_if<kCount, 9, 13>(v9, v13);
  exchange_if<kCount, 10, 14>(v10, v14);

  exchange_if<kCount, 2, 4>(v2, v4);
  exchange_if<kCount, 3, 5>(v3, v5);
  exchange_if<kCount, 10, 12>(v10, v12);
  exchange_if<kCount, 11, 13>(v11, v13);

  exchange_if<kCount, 1, 2>(v1, v2);
  exchange_if<kCount, 3, 4>(v3, v4);
  exchange_if<kCount, 5, 6>(v5, v6);
  exchange_if<kCount, 9, 10>(v9, v10);
  exchange_if<kCount, 11, 12>(v11, v12);
  exchange_if<kCount, 13, 14>(v13, v14);

  exchange_if<kCount, 1, 9>(v1, v9);
  exchange_if<kCount, 2, 10>(v2, v10);
  exchange_if<kCount, 3, 11>(v3, v11);
  exchange_if<kCount, 4, 12>(v4, v12);
  exchange_if<kCount, 5, 13>(v5, v13);
  exchange_if<kCount, 6, 14>(v6, v14);

  exchange_if<kCount, 4, 8>(v4, v8);
  exchange_if<kCount, 5, 9>(v5, v9);
  exchange_if<kCount, 6, 10>(v6, v10);
  exchange_if<kCount, 7, 11>(v7, v11);

  exchange_if<kCount, 2, 4>(v2, v4);
  exchange_if<kCount, 3, 5>(v3, v5);
  exchange_if<kCount, 6, 8>(v6, v8);
  exchange_if<kCount, 7, 9>(v7, v9);
  exchange_if<kCount, 10, 12>(v10, v12);
  exchange_if<kCount, 11, 13>(v11, v13);

  exchange_if<kCount, 1, 2>(v1, v2);
  exchange_if<kCount, 3, 4>(v3, v4);
  exchange_if<kCount, 5, 6>(v5, v6);
  exchange_if<kCount, 7, 8>(v7, v8);
  exchange_if<kCount, 9, 10>(v9, v10);
  exchange_if<kCount, 11, 12>(v11, v12);
  exchange_if<kCount, 13, 14>(v13, v14);
}

// The joined samples of rows [0, rows). first <= last.
template <int kCount>
void join(const std::uint16_t* const* columns, std::size_t rows, std::uint16_t first,
          std::uint16_t last, std::uint16_t unknown, std::uint16_t* out) {
  const hn::CappedTag<std::uint16_t, 32> d;  // the columns' padding holds 64 bytes
  using V = hn::Vec<decltype(d)>;
  const V v_first = hn::Set(d, first);
  const V v_last = hn::Set(d, last);
  const V largest = hn::Set(d, 0xFFFF);
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    V known_count = hn::Zero(d);
    // An unknown sample goes to the upper end, where it cannot be told from a known 65535 and need
    // not be.
    const auto load = [&](int column) HWY_ATTR {
      if (column >= kCount) return largest;
      const V v = hn::Load(d, columns[column] + row);
      const auto known = hn::Eq(smaller(larger(v, v_first), v_last), v);
      known_count = hn::Sub(known_count, hn::VecFromMask(d, known));
      return hn::IfThenElse(known, v, largest);
    };
    V v0 = load(0), v1 = load(1), v2 = load(2), v3 = load(3), v4 = load(4), v5 = load(5);
    V v6 = load(6), v7 = load(7), v8 = load(8), v9 = load(9), v10 = load(10), v11 = load(11);
    V v12 = load(12), v13 = load(13), v14 = load(14), v15 = load(15);
    sort_vectors<kCount>(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15);

    V joined = v0;
    // The lower median of n known samples is number (n - 1) / 2: number k if n > 2 * k.
    const auto take = [&](int k, const V& v) HWY_ATTR {
      if (2 * k >= kCount) return;
      const V least = hn::Set(d, static_cast<std::uint16_t>(2 * k + 1));
      joined = hn::IfThenElse(hn::Eq(larger(known_count, least), known_count), v, joined);
    };
    take(1, v1);
    take(2, v2);
    take(3, v3);
    take(4, v4);
    take(5, v5);
    take(6, v6);
    take(7, v7);
    const V enough = hn::Set(d, static_cast<std::uint16_t>((kCount + 1) / 2));
    const auto is_known = hn::Eq(larger(known_count, enough), known_count);
    hn::Store(hn::IfThenElse(is_known, joined, hn::Set(d, unknown)), d, out + row);
  }
}

void join_columns(const std::uint16_t* const* columns, int count, int rows, const KnownRange& known,
                  std::uint16_t* out) {
  const auto height = static_cast<std::size_t>(rows);
  const std::uint16_t unknown = unknown_sample(known);
  if (known.first > std::min<std::uint32_t>(known.last, 65535)) {
    std::fill_n(out, height, unknown);
    return;
  }
  const auto first = static_cast<std::uint16_t>(known.first);
  const auto last = static_cast<std::uint16_t>(std::min<std::uint32_t>(known.last, 65535));
  switch (count) {
    case 1:
      return join<1>(columns, height, first, last, unknown, out);
    case 2:
      return join<2>(columns, height, first, last, unknown, out);
    case 3:
      return join<3>(columns, height, first, last, unknown, out);
    case 4:
      return join<4>(columns, height, first, last, unknown, out);
    case 5:
      return join<5>(columns, height, first, last, unknown, out);
    case 6:
      return join<6>(columns, height, first, last, unknown, out);
    case 7:
      return join<7>(columns, height, first, last, unknown, out);
    case 8:
      return join<8>(columns, height, first, last, unknown, out);
    case 9:
      return join<9>(columns, height, first, last, unknown, out);
    case 10:
      return join<10>(columns, height, first, last, unknown, out);
    case 11:
      return join<11>(columns, height, first, last, unknown, out);
    case 12:
      return join<12>(columns, height, first, last, unknown, out);
    case 13:
      return join<13>(columns, height, first, last, unknown, out);
    case 14:
      return join<14>(columns, height, first, last, unknown, out);
    case 15:
      return join<15>(columns, height, first, last, unknown, out);
    case 16:
      return join<16>(columns, height, first, last, unknown, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(join_columns);

void join_columns(const std::uint16_t* const* columns, int count, int rows, const KnownRange& known,
                  std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(join_columns)(columns, count, rows, known, out);
}

}  // namespace rdp
#endif  // HWY_ONCE
