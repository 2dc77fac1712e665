// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/column_medians.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/motion/column_medians.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rdp::motion {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

constexpr std::size_t kLanes = hn::MaxLanes(D());

HWY_INLINE V load(const double* from) { return hn::Load(D(), from); }
HWY_INLINE void store(V v, double* to) { hn::Store(v, D(), to); }
HWY_INLINE V difference(V a, V b) { return hn::Sub(a, b); }
HWY_INLINE V smaller(V a, V b) { return hn::Min(a, b); }
HWY_INLINE V larger(V a, V b) { return hn::Max(a, b); }

// Whole vectors: the last may be wider than the columns.
HWY_INLINE void exchange(double* a, double* b) {
  for (std::size_t c = 0; c < std::size_t{kMedianColumns}; c += kLanes) {
    const V first = load(a + c);
    const V second = load(b + c);
    store(smaller(first, second), a + c);
    store(larger(first, second), b + c);
  }
}

void sort_columns(MedianRow* rows, std::size_t count) {
  if (count < 2) return;
  std::size_t top = 1;
  while (2 * top < count) top *= 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t q = top;
    std::size_t r = 0;
    std::size_t d = p;
    for (;;) {
      // All i with (i & p) == r.
      for (std::size_t block = r; block + d < count; block += 2 * p) {
        const std::size_t end = std::min(block + p, count - d);
        for (std::size_t i = block; i < end; ++i) exchange(rows[i].at, rows[i + d].at);
      }
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
}

void middle_of_columns(const MedianRow* rows, std::size_t count, MedianRow* median,
                       MedianRow* deviation) {
  const std::size_t middle = (count - 1) / 2;
  for (std::size_t c = 0; c < std::size_t{kMedianColumns}; c += kLanes) {
    const V centre = load(rows[middle].at + c);
    // Among all middle + 1 values in a row that contain the median, finds those with the least
    // deviation: the first or the last value deviates most.
    V least = larger(difference(centre, load(rows[0].at + c)), difference(centre, centre));
    for (std::size_t i = 1; i <= middle; ++i) {
      const V below = difference(centre, load(rows[i].at + c));
      const V above = difference(load(rows[i + middle].at + c), centre);
      least = smaller(least, larger(below, above));
    }
    store(centre, median->at + c);
    store(least, deviation->at + c);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::motion
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::motion {

HWY_EXPORT(sort_columns);
HWY_EXPORT(middle_of_columns);

void sort_columns(MedianRow* rows, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(sort_columns)(rows, count);
}

void middle_of_columns(const MedianRow* rows, std::size_t count, MedianRow* median,
                       MedianRow* deviation) {
  HWY_DYNAMIC_DISPATCH(middle_of_columns)(rows, count, median, deviation);
}

}  // namespace rdp::motion
#endif  // HWY_ONCE
