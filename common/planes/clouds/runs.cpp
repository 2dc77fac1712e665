// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/runs.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/clouds/runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rdp::planes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<std::uint64_t>;
using V = hn::Vec<D>;

HWY_INLINE std::int64_t coordinate(std::uint64_t packed, int axis, int part) {
  return static_cast<std::int64_t>(packed >> (axis * part) & ((std::uint64_t{1} << part) - 1));
}

// Coordinates in the lower halves of lanes, the upper ones are 0.
struct Points {
  V x, y, z;

  HWY_INLINE Points(V packed, V mask, int part)
      : x(hn::And(packed, mask)),
        y(hn::And(hn::ShiftRightSame(packed, part), mask)),
        z(hn::And(hn::ShiftRightSame(packed, 2 * part), mask)) {}
};

HWY_INLINE V product(V a, V b) {
  const hn::Repartition<std::uint32_t, D> d;
  return hn::MulEven(hn::BitCast(d, a), hn::BitCast(d, b));
}

struct Sums {
  V x, y, z, xx, xy, xz, yy, yz, zz;

  HWY_INLINE Sums() { x = y = z = xx = xy = xz = yy = yz = zz = hn::Zero(D()); }

  HWY_INLINE void add(const Points& p) {
    x = hn::Add(x, p.x);
    y = hn::Add(y, p.y);
    z = hn::Add(z, p.z);
    xx = hn::Add(xx, product(p.x, p.x));
    xy = hn::Add(xy, product(p.x, p.y));
    xz = hn::Add(xz, product(p.x, p.z));
    yy = hn::Add(yy, product(p.y, p.y));
    yz = hn::Add(yz, product(p.y, p.z));
    zz = hn::Add(zz, product(p.z, p.z));
  }

  HWY_INLINE void add_to(Moments* m) const {
    const D d;
    const auto sum = [&](V v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, v)); };
    m->sum[0] += sum(x);
    m->sum[1] += sum(y);
    m->sum[2] += sum(z);
    m->products[0] += sum(xx);
    m->products[1] += sum(xy);
    m->products[2] += sum(xz);
    m->products[3] += sum(yy);
    m->products[4] += sum(yz);
    m->products[5] += sum(zz);
  }
};

void sum(const std::uint64_t* packed, std::size_t count, int part, Moments* moments) {
  std::size_t i = 0;
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  if (count >= 4 * lanes) {
    const V mask = hn::Set(d, (std::uint64_t{1} << part) - 1);
    Sums sums;
    for (; i + lanes <= count; i += lanes) sums.add(Points(hn::LoadU(d, packed + i), mask, part));
    sums.add_to(moments);
    moments->n += i;
  }
  for (; i < count; ++i) {
    moments->add_point(coordinate(packed[i], 0, part), coordinate(packed[i], 1, part),
                       coordinate(packed[i], 2, part));
  }
}

void sum_numbered(const std::uint64_t* packed, const std::uint16_t* numbers, std::size_t count,
                  int part, std::uint16_t number, Moments* moments) {
  std::size_t i = 0;
  const D d;
  const hn::Rebind<std::uint16_t, D> d16;
  const std::size_t lanes = hn::Lanes(d);
  if (count >= 4 * lanes) {
    const V mask = hn::Set(d, (std::uint64_t{1} << part) - 1);
    Sums sums;
    V n = hn::Zero(d);
    const V own = hn::Set(d, number);
    for (; i + lanes <= count; i += lanes) {
      const auto is_own = hn::Eq(hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<std::uint32_t, D>(),
                                                                hn::LoadU(d16, numbers + i))),
                                 own);
      sums.add(Points(hn::IfThenElseZero(is_own, hn::LoadU(d, packed + i)), mask, part));
      n = hn::Sub(n, hn::VecFromMask(d, is_own));
    }
    sums.add_to(moments);
    moments->n += hn::GetLane(hn::SumOfLanes(d, n));
  }
  for (; i < count; ++i) {
    if (numbers[i] != number) continue;
    moments->add_point(coordinate(packed[i], 0, part), coordinate(packed[i], 1, part),
                       coordinate(packed[i], 2, part));
  }
}

bool label(const std::uint64_t* packed, std::size_t count, int part,
           const CellCandidate* candidates, int candidate_count, std::uint16_t* numbers) {
  std::size_t i = 0;
  bool same = true;
  // Distances have 32 bits, in the lower halves of lanes.
  const D d;
  const hn::Repartition<std::int32_t, D> d32;
  const hn::Rebind<std::uint16_t, D> d16;
  const std::size_t lanes = hn::Lanes(d);
  if (count >= lanes) {
    const V mask = hn::Set(d, (std::uint64_t{1} << part) - 1);
    const V low = hn::Set(d, 0xffffffffu);
    const auto set = [&](std::int32_t v) HWY_ATTR { return hn::Set(d32, v); };
    const V nobody = hn::Set(d, std::uint64_t{0xffffffffu});
    V first = nobody;  // the number of the first point; none yet
    V unlike = hn::Zero(d);
    for (; i + lanes <= count; i += lanes) {
      const Points p(hn::LoadU(d, packed + i), mask, part);
      const auto x = hn::BitCast(d32, p.x);
      const auto y = hn::BitCast(d32, p.y);
      const auto z = hn::BitCast(d32, p.z);
      // Distances are not below 0, so they compare as unsigned numbers of 64 bits, too.
      V best = hn::Set(d, std::uint64_t{0x80000000u});
      V number = hn::Zero(d);
      for (int c = 0; c < candidate_count; ++c) {
        const CellPlaneView& plane = candidates[c].plane;
        const auto sum =
            hn::Add(hn::Add(hn::Mul(set(plane.normal[0]), x), hn::Mul(set(plane.normal[1]), y)),
                    hn::Add(hn::Mul(set(plane.normal[2]), z), set(plane.offset)));
        const V distance = hn::And(hn::BitCast(d, hn::Abs(sum)), low);
        const V limit = hn::Set(d, static_cast<std::uint64_t>(plane.limit));
        const auto nearer = hn::AndNot(hn::Gt(distance, limit), hn::Lt(distance, best));
        best = hn::IfThenElse(nearer, distance, best);
        number = hn::IfThenElse(nearer, hn::Set(d, candidates[c].number), number);
      }
      if (i == 0) first = hn::Set(d, hn::GetLane(number));
      unlike = hn::Or(unlike, hn::Xor(number, first));
      hn::StoreU(
          hn::DemoteTo(d16, hn::BitCast(hn::Rebind<std::int32_t, D>(),
                                        hn::TruncateTo(hn::Rebind<std::uint32_t, D>(), number))),
          d16, numbers + i);
    }
    same = hn::AllTrue(d, hn::Eq(unlike, hn::Zero(d)));
  }
  for (; i < count; ++i) {
    const auto x = static_cast<std::int32_t>(coordinate(packed[i], 0, part));
    const auto y = static_cast<std::int32_t>(coordinate(packed[i], 1, part));
    const auto z = static_cast<std::int32_t>(coordinate(packed[i], 2, part));
    std::int32_t best = INT32_MAX;
    std::uint16_t number = 0;
    for (int c = 0; c < candidate_count; ++c) {
      const std::int32_t distance = view_distance(candidates[c].plane, x, y, z);
      if (distance > candidates[c].plane.limit || distance >= best) continue;
      best = distance;
      number = candidates[c].number;
    }
    numbers[i] = number;
    same = same && number == numbers[0];
  }
  return same;
}

RunFunctions functions() { return {&sum, &sum_numbered, &label}; }

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(functions);

RunFunctions run_functions() { return HWY_DYNAMIC_DISPATCH(functions)(); }

Moments translated(const Moments& m, const CellCorner& corner) {
  std::uint64_t c[3];
  for (int i = 0; i < 3; ++i) c[i] = static_cast<std::uint64_t>(std::int64_t{corner.at[i]});
  Moments result;
  result.n = m.n;
  for (int i = 0; i < 3; ++i) result.sum[i] = m.sum[i] + m.n * c[i];
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j, ++k) {
      result.products[k] = m.products[k] + c[i] * m.sum[j] + c[j] * m.sum[i] + m.n * c[i] * c[j];
    }
  }
  return result;
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
