// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/join_columns.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/image/join_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/exchange-inl.h"
#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Exchanges of two vectors, by their numbers.
template <int kCount>
struct Network {
  struct Exchange {
    std::uint8_t low, high;
  };
  Exchange exchanges[64];
  std::size_t size = 0;

  // Batcher's odd-even merge sort (D. E. Knuth, The Art of Computer Programming, vol. 3, 5.3.4):
  // merges runs, with exchanges over half the distance in each layer. The comparators of a larger
  // network that reach beyond the vectors are left out.
  constexpr Network() : exchanges{} {
    for (int run = 1; run < kCount; run *= 2) {
      for (int distance = run; distance > 0; distance /= 2) {
        for (int i = distance % run; i + distance < kCount; ++i) {
          const bool first_of_pair = (i - distance % run) / distance % 2 == 0;
          const bool same_run = i / (2 * run) == (i + distance) / (2 * run);
          if (!first_of_pair || !same_run) continue;
          exchanges[size++] = {static_cast<std::uint8_t>(i),
                               static_cast<std::uint8_t>(i + distance)};
        }
      }
    }
  }
};

template <int kCount>
inline constexpr Network<kCount> kNetwork;

// The indices are constants, so that the vectors stay in registers.
template <int kCount, class V, std::size_t... kPlaces>
HWY_INLINE void sort_vectors([[maybe_unused]] V* v, std::index_sequence<kPlaces...>) {
  (exchange(v[kNetwork<kCount>.exchanges[kPlaces].low],
            v[kNetwork<kCount>.exchanges[kPlaces].high]),
   ...);
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
    V v[kCount];
    RDP_UNROLL
    for (int k = 0; k < kCount; ++k) {
      v[k] = hn::Load(d, columns[k] + row);
      const auto known = hn::Eq(smaller(larger(v[k], v_first), v_last), v[k]);
      known_count = hn::Sub(known_count, hn::VecFromMask(d, known));
      // An unknown sample goes to the upper end, where it cannot be told from a known 65535 and
      // need not be.
      v[k] = hn::IfThenElse(known, v[k], largest);
    }
    sort_vectors<kCount>(v, std::make_index_sequence<kNetwork<kCount>.size>());

    V joined = v[0];
    // The lower median of n known samples is number (n - 1) / 2: number k if n > 2 * k.
    RDP_UNROLL
    for (int k = 1; 2 * k < kCount; ++k) {
      const V least = hn::Set(d, static_cast<std::uint16_t>(2 * k + 1));
      joined = hn::IfThenElse(hn::Eq(larger(known_count, least), known_count), v[k], joined);
    }
    const V enough = hn::Set(d, static_cast<std::uint16_t>((kCount + 1) / 2));
    const auto is_known = hn::Eq(larger(known_count, enough), known_count);
    hn::Store(hn::IfThenElse(is_known, joined, hn::Set(d, unknown)), d, out + row);
  }
}

using Join = decltype(join<1>);

template <int... kCountsLess1>
Join* join_of(int count, std::integer_sequence<int, kCountsLess1...>) {
  static constexpr Join* kJoins[] = {&join<kCountsLess1 + 1>...};
  return kJoins[count - 1];
}

void join_columns(const std::uint16_t* const* columns, int count, int rows, const KnownRange& known,
                  std::uint16_t* out) {
  const auto height = static_cast<std::size_t>(rows);
  const std::uint16_t unknown = unknown_sample(known);
  const std::uint32_t last = std::min<std::uint32_t>(known.last, 65535);
  if (known.first > last) {
    std::fill_n(out, height, unknown);
    return;
  }
  join_of(count, std::make_integer_sequence<int, kMaxColumnWidth>())(
      columns, height, static_cast<std::uint16_t>(known.first), static_cast<std::uint16_t>(last),
      unknown, out);
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
