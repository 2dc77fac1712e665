// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/place_rows.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/heightmap/place_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rdp::heightmap {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::ScalableTag<double>;
using Doubles = hn::Vec<DoubleTag>;
inline constexpr int kDoubleLanes = static_cast<int>(hn::MaxLanes(DoubleTag()));

HWY_INLINE Doubles all(double value) { return hn::Set(DoubleTag(), value); }

// As row_times().
HWY_INLINE Doubles row_of(const double* row, Doubles x, Doubles y) {
  return hn::Add(hn::Add(hn::Mul(all(row[0]), x), hn::Mul(all(row[1]), y)), all(row[2]));
}

void place_rows(const Geometry& geometry, const Sight& sight, const Plane* planes, int count,
                int row, int first, int end, std::int32_t* out, std::ptrdiff_t stride) {
  const DoubleTag d;
  const hn::Rebind<std::int32_t, DoubleTag> di;
  const Doubles zero = hn::Zero(d);
  const Doubles half = all(0.5);
  const Doubles y = all(row);
  const Doubles width = all(sight.width);
  const Doubles height = all(sight.height);
  const auto columns = hn::Set(di, sight.width);
  for (int x0 = first; x0 < end; x0 += kDoubleLanes) {
    const Doubles x = hn::Add(hn::Iota(d, 0.0), all(x0));
    const Doubles side = row_of(geometry.horizon, x, y);
    const Doubles a[3] = {row_of(sight.h0.m[0], x, y), row_of(sight.h0.m[1], x, y),
                          row_of(sight.h0.m[2], x, y)};
    const Doubles b[3] = {row_of(sight.h1.m[0], x, y), row_of(sight.h1.m[1], x, y),
                          row_of(sight.h1.m[2], x, y)};
    for (int i = 0; i < count; ++i) {
      const Doubles h = all(planes[i].height);
      const Doubles w = hn::Add(a[2], hn::Mul(h, b[2]));
      const auto seen = planes[i].determinant < 0.0 ? hn::And(hn::Lt(side, zero), hn::Lt(w, zero))
                                                    : hn::And(hn::Gt(side, zero), hn::Gt(w, zero));
      // Within the picture, truncation equals floor().
      Doubles u = hn::Add(hn::Div(hn::Add(a[0], hn::Mul(h, b[0])), w), half);
      Doubles v = hn::Add(hn::Div(hn::Add(a[1], hn::Mul(h, b[1])), w), half);
      const auto within = hn::And(hn::And(hn::Ge(u, zero), hn::Lt(u, width)),
                                  hn::And(hn::Ge(v, zero), hn::Lt(v, height)));
      const auto known = hn::And(seen, within);
      u = hn::IfThenElse(known, u, all(kOutside));
      v = hn::IfThenElseZero(known, v);
      const auto place = hn::Add(hn::Mul(hn::DemoteTo(di, v), columns), hn::DemoteTo(di, u));
      std::int32_t* const to = out + i * stride + (x0 - first);
      if (x0 + kDoubleLanes <= end) {
        hn::StoreU(place, di, to);
      } else {
        alignas(64) std::int32_t rest[kDoubleLanes];
        hn::Store(place, di, rest);
        std::copy_n(rest, end - x0, to);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::heightmap
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::heightmap {

HWY_EXPORT(place_rows);

void place_rows(const Geometry& geometry, const Sight& sight, const Plane* planes, int count,
                int row, int first, int end, std::int32_t* out, std::ptrdiff_t stride) {
  HWY_DYNAMIC_DISPATCH(place_rows)
  (geometry, sight, planes, count, row, first, end, out, stride);
}

}  // namespace rdp::heightmap
#endif  // HWY_ONCE
