// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/align/rows.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/align/rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/filter/tolerance-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::align {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using rdp::filter::HWY_NAMESPACE::Tolerances;
using rdp::HWY_NAMESPACE::Di32;
using rdp::HWY_NAMESPACE::kLanes;
using rdp::HWY_NAMESPACE::Vi32;
using Df64 = hn::ScalableTag<double>;
using Vf64 = hn::Vec<Df64>;
using Mask64 = hn::Mask<Df64>;
// As many lanes as there are doubles.
using D32 = hn::Rebind<std::int32_t, Df64>;
using V32 = hn::Vec<D32>;
using Ds16 = hn::Rebind<std::int16_t, Df64>;
using Du16 = hn::Rebind<std::uint16_t, Df64>;
using D16 = hn::ScalableTag<std::uint16_t>;
using V16 = hn::Vec<D16>;

inline constexpr int kLanes64 = static_cast<int>(hn::MaxLanes(Df64()));
inline constexpr int kLanes16 = static_cast<int>(hn::MaxLanes(D16()));
static_assert(kLanes64 <= kRowPadding);

HWY_INLINE Vf64 set(double value) { return hn::Set(Df64(), value); }
HWY_INLINE V32 set32(int value) { return hn::Set(D32(), value); }

struct Points {
  Vf64 x, y, z;
};
struct Places {
  Vf64 u, v;  // whole numbers
  Mask64 seen;
};

// The rules of common/align/rules.h and common/image/camera.h, for the pixels of a row: the same
// operations in the same order. Unknown values are NaN.
class Projection {
 public:
  HWY_INLINE explicit Projection(const Parameters& p) : p_(p) {}

  // Depths of samples.
  HWY_INLINE Vf64 depths(const std::uint16_t* samples) const {
    const Df64 d;
    const DepthOfValue& rule = p_.source.depth;
    const Vf64 zero = hn::Zero(d);
    const Vf64 values = hn::PromoteTo(d, hn::PromoteTo(D32(), hn::LoadU(Du16(), samples)));
    const Vf64 linear = hn::Add(hn::Mul(values, set(rule.factor)), set(rule.offset));
    const Vf64 z = rule.reciprocal ? hn::Div(set(rule.numerator), linear) : linear;
    const Mask64 known =
        hn::And(hn::And(hn::Gt(values, zero), hn::Gt(linear, zero)), hn::Gt(z, zero));
    return hn::IfThenElse(known, z, set(std::numeric_limits<double>::quiet_NaN()));
  }

  // moved() and turned() of rays from `first` on.
  HWY_INLINE Points points(const RayRow& rays, int first, Vf64 z) const {
    const double* const m = p_.movement.m;
    const Vf64 x = hn::LoadU(Df64(), rays.x + first);
    const Vf64 y = rays.each_pixel ? hn::LoadU(Df64(), rays.y + first) : set(rays.y[0]);
    const auto along = [&](int i) HWY_ATTR {
      const Vf64 ray =
          hn::Add(hn::Add(hn::Mul(set(m[i]), x), hn::Mul(set(m[i + 1]), y)), set(m[i + 2]));
      return hn::Add(hn::Mul(ray, z), set(m[i + 3]));
    };
    return {along(0), along(4), along(8)};
  }

  // sample_of_depth(); 0: there is none.
  HWY_INLINE Vf64 samples(Vf64 depths) const {
    const Vf64 zero = hn::Zero(Df64());
    const Vf64 steps = hn::Floor(hn::Add(hn::Div(depths, set(p_.unit)), set(0.5)));
    const Mask64 there = hn::And(hn::Gt(depths, zero), hn::Lt(steps, set(65536.0)));
    return hn::IfThenElseZero(there, hn::Max(steps, set(1.0)));
  }

  // find_place().
  HWY_INLINE Places places(const Points& points) const {
    const CameraLens& lens = p_.target;
    Places places;
    places.seen = hn::Gt(points.z, hn::Zero(Df64()));
    Vf64 x = hn::Div(points.x, points.z);
    Vf64 y = hn::Div(points.y, points.z);
    if (!lens.distortion.none) distort(&x, &y, &places.seen);
    const auto place = [&](Vf64 at, double focal, double principal) HWY_ATTR {
      const Vf64 px = hn::Add(hn::Mul(at, set(focal)), set(principal));
      places.seen = hn::And(places.seen, hn::Le(hn::Abs(px), set(kMaxPlace)));
      return hn::Floor(hn::Add(hn::Mul(set(256.0), px), set(0.5)));
    };
    places.u = place(x, lens.focal_x, lens.principal_x);
    places.v = place(y, lens.focal_y, lens.principal_y);
    return places;
  }

  // places() of rays from `first` on.
  HWY_INLINE Places places_of(const RayRow& rays, int first, Vf64 z) const {
    return places(points(rays, first, z));
  }

 private:
  HWY_INLINE void distort(Vf64* x, Vf64* y, Mask64* seen) const {
    const Distortion& d = p_.target.distortion;
    const Vf64 one = set(1.0);
    const Vf64 two = set(2.0);
    const Vf64 xx = hn::Mul(*x, *x);
    const Vf64 yy = hn::Mul(*y, *y);
    const Vf64 r2 = hn::Add(xx, yy);
    *seen = hn::And(*seen, hn::Le(r2, set(d.reach)));
    for (int i = 0; i < d.gaps; ++i) {
      const Mask64 in_gap = hn::And(hn::Gt(r2, set(d.gap[i].from)), hn::Lt(r2, set(d.gap[i].to)));
      *seen = hn::AndNot(in_gap, *seen);
    }
    const auto polynomial = [&](double a, double b, double c) HWY_ATTR {
      Vf64 sum = hn::Add(hn::Mul(set(c), r2), set(b));
      sum = hn::Add(hn::Mul(sum, r2), set(a));
      return hn::Add(one, hn::Mul(sum, r2));
    };
    const Vf64 radial = hn::Div(polynomial(d.k1, d.k2, d.k3), polynomial(d.k4, d.k5, d.k6));
    const auto tangential = [&](double p, Vf64 q) HWY_ATTR {
      return hn::Mul(set(p), hn::Add(r2, hn::Mul(hn::Mul(two, q), q)));
    };
    const auto mixed = [&](double p) HWY_ATTR { return hn::Mul(hn::Mul(set(2.0 * p), *x), *y); };
    const Vf64 shift_x = hn::Add(mixed(d.p1), tangential(d.p2, *x));
    const Vf64 shift_y = hn::Add(tangential(d.p1, *y), mixed(d.p2));
    *x = hn::Add(hn::Mul(*x, radial), shift_x);
    *y = hn::Add(hn::Mul(*y, radial), shift_y);
  }

  const Parameters& p_;
};

// Whole numbers of the lanes of a mask; else 0.
HWY_INLINE V32 integers(Mask64 mask, Vf64 v) {
  return hn::DemoteTo(D32(), hn::IfThenElseZero(mask, v));
}
HWY_INLINE void store_signed(V32 v, std::int16_t* to) {
  hn::StoreU(hn::DemoteTo(Ds16(), v), Ds16(), to);
}
// The same without a sign.
HWY_INLINE void store_unsigned(V32 v, std::uint16_t* to) {
  hn::StoreU(hn::DemoteTo(Du16(), v), Du16(), to);
}

struct Spans {
  V32 first, end;
};

// span_of() cut at a frame's side; `fits` loses what is too long or beside the frame.
HWY_INLINE Spans spans_of(V32 least, V32 most, int side, hn::Mask<D32>* fits) {
  const V32 first = hn::ShiftRight<8>(hn::Add(least, set32(255 - kGrown)));
  const V32 end = hn::ShiftRight<8>(hn::Add(most, set32(255 + kGrown)));
  const Spans cut{hn::Max(first, hn::Zero(D32())), hn::Min(end, set32(side))};
  const auto is_short = hn::Gt(set32(kMaxSpan + 1), hn::Sub(end, first));
  *fits = hn::And(*fits, hn::And(is_short, hn::Gt(cut.end, cut.first)));
  return cut;
}

Span cover_row(const SourceRow& row, const Parameters& p, int target_width, int target_height,
               const CoverRow& out, Counts* counts) {
  const Df64 d;
  const D32 d32;
  const Projection projection(p);
  const bool four = has_roll(p.movement);
  V32 first_row = set32(target_height);
  V32 end_row = hn::Zero(d32);
  for (int i = 0; i < row.width; i += kLanes64) {
    const Vf64 z = projection.depths(row.samples + i);
    const Mask64 known = hn::Gt(z, hn::Zero(d));
    counts->known += static_cast<std::int64_t>(hn::CountTrue(d, known));
    const Vf64 samples = projection.samples(projection.points(row.centres, i, z).z);
    const Places a = projection.places_of(row.upper, i, z);
    const Places b = projection.places_of(row.lower, i + 1, z);
    Mask64 seen = hn::And(hn::Gt(samples, hn::Zero(d)), hn::And(a.seen, b.seen));
    Vf64 least_u = hn::Min(a.u, b.u), most_u = hn::Max(a.u, b.u);
    Vf64 least_v = hn::Min(a.v, b.v), most_v = hn::Max(a.v, b.v);
    if (four) {
      const Places c = projection.places_of(row.upper, i + 1, z);
      const Places e = projection.places_of(row.lower, i, z);
      seen = hn::And(seen, hn::And(c.seen, e.seen));
      least_u = hn::Min(least_u, hn::Min(c.u, e.u));
      least_v = hn::Min(least_v, hn::Min(c.v, e.v));
      most_u = hn::Max(most_u, hn::Max(c.u, e.u));
      most_v = hn::Max(most_v, hn::Max(c.v, e.v));
    }
    const V32 sample = integers(seen, samples);
    auto fits = hn::Gt(sample, hn::Zero(d32));
    const Spans columns =
        spans_of(integers(seen, least_u), integers(seen, most_u), target_width, &fits);
    const Spans rows =
        spans_of(integers(seen, least_v), integers(seen, most_v), target_height, &fits);
    counts->landed += static_cast<std::int64_t>(hn::CountTrue(d32, fits));
    store_signed(columns.first, out.first_column + i);
    store_signed(columns.end, out.end_column + i);
    store_signed(hn::IfThenElseZero(fits, rows.first), out.first_row + i);
    store_signed(hn::IfThenElseZero(fits, rows.end), out.end_row + i);
    store_unsigned(hn::Sub(sample, hn::IfThenElseZero(fits, set32(1))), out.sample + i);
    first_row = hn::Min(first_row, hn::IfThenElse(fits, rows.first, first_row));
    end_row = hn::Max(end_row, hn::IfThenElseZero(fits, rows.end));
  }
  alignas(64) std::int32_t lanes[2 * kLanes64];
  hn::Store(first_row, d32, lanes);
  hn::StoreU(end_row, d32, lanes + kLanes64);
  return {*std::min_element(lanes, lanes + kLanes64),
          *std::max_element(lanes + kLanes64, lanes + 2 * kLanes64)};
}

void place_row(const SourceRow& row, const Parameters& p, int target_width, int target_height,
               const PlaceRow& out) {
  const Projection projection(p);
  const V32 zero = hn::Zero(D32());
  const V32 none = set32(-1);
  for (int i = 0; i < row.width; i += kLanes64) {
    const Points centres = projection.points(row.centres, i, projection.depths(row.samples + i));
    const Places places = projection.places(centres);
    const V32 sample = integers(places.seen, projection.samples(centres.z));
    const auto pixels = [&](Vf64 at) HWY_ATTR {
      return hn::ShiftRight<8>(hn::Add(integers(places.seen, at), set32(128)));
    };
    const V32 x = pixels(places.u);
    const V32 y = pixels(places.v);
    const auto beyond = [&](V32 v, int side) HWY_ATTR {
      return hn::Or(hn::Gt(zero, v), hn::Gt(v, set32(side - 1)));
    };
    const auto nowhere =
        hn::Or(hn::Eq(sample, zero), hn::Or(beyond(x, target_width), beyond(y, target_height)));
    store_signed(x, out.column + i);
    store_signed(hn::IfThenElse(nowhere, none, y), out.row + i);
    store_unsigned(sample, out.sample + i);
  }
}

// As many columns as are mostly covered at most, without their neighbours'.
using Dfew = hn::CappedTag<std::uint16_t, 8>;
inline constexpr int kFew = static_cast<int>(hn::MaxLanes(Dfew()));

// Pixels side by side cover the same columns. Loads that overlap what was stored just before have
// to wait for it: so pixels that follow each other are kApart columns apart.
constexpr int kApart = 16;

void paint_row(const CoverRow& cover, int width, const Span& rows, std::uint16_t* first,
               std::ptrdiff_t stride) {
  const Dfew d;
  // Zeros for lanes that count, from a place on; ones for all others.
  alignas(64) std::uint16_t edge[2 * kFew];
  std::fill_n(edge, kFew, std::uint16_t{0});
  std::fill_n(edge + kFew, kFew, std::uint16_t{65535});
  for (int start = 0; start < std::min(kApart, width); ++start) {
    for (int i = start; i < width; i += kApart) {
      const int end_row = std::min<int>(cover.end_row[i], rows.end);
      const int first_row = std::max<int>(cover.first_row[i], rows.first);
      if (first_row >= end_row) continue;
      const int end_column = cover.end_column[i];
      const auto sample = hn::Set(d, cover.sample[i]);
      for (int x = cover.first_column[i]; x < end_column; x += kFew) {
        const int count = std::min(end_column - x, kFew);
        const auto nearer = hn::Or(sample, hn::LoadU(d, edge + kFew - count));
        std::uint16_t* to = first + first_row * stride + x;
        for (int y = first_row; y < end_row; ++y, to += stride) {
          hn::StoreU(hn::Min(hn::LoadU(d, to), nearer), d, to);
        }
      }
    }
  }
}

// Loads samples stored minus 1; unknown ones become 65536.
HWY_INLINE Vi32 load_samples(const std::uint16_t* from) {
  const Di32 d;
  return hn::Add(hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint16_t, Di32>(), from)),
                 hn::Set(d, 1));
}

// without_crack() of a vector.
HWY_INLINE Vi32 without_cracks(Vi32 sample, Vi32 left, Vi32 right, Vi32 above, Vi32 below,
                               const Tolerances& tolerances) {
  const Di32 d;
  const Vi32 unknown = hn::Set(d, 65536);
  const auto between = [&](Vi32 a, Vi32 b) HWY_ATTR {
    const Vi32 low = hn::Min(a, b);
    const Vi32 high = hn::Max(a, b);
    const auto differ =
        hn::Or(hn::Eq(high, unknown), hn::Gt(hn::Sub(high, low), tolerances.of(low)));
    return hn::IfThenElse(differ, unknown,
                          hn::ShiftRight<1>(hn::Add(hn::Add(a, b), hn::Set(d, 1))));
  };
  const Vi32 nearest = hn::Min(between(left, right), between(above, below));
  const auto behind = hn::Gt(sample, hn::Add(nearest, tolerances.of(nearest)));
  const auto fills = hn::And(hn::Gt(unknown, nearest), hn::Or(hn::Eq(sample, unknown), behind));
  return hn::IfThenElse(fills, nearest, sample);
}

void fill_cracks(const std::uint16_t* above, const std::uint16_t* row, const std::uint16_t* below,
                 int width, const filter::Tolerance& tolerance, std::uint16_t* out) {
  const D16 d;
  const Di32 d32;
  const Tolerances tolerances(tolerance);
  const V16 one = hn::Set(d, 1);
  const V16 unknown = hn::Set(d, kUnknownLessOne);
  for (int x = 0; x < width; x += kLanes16) {
    const V16 sample = hn::LoadU(d, row + x);
    const auto between = [&](const std::uint16_t* a, const std::uint16_t* b) HWY_ATTR {
      const V16 first = hn::LoadU(d, a);
      const V16 second = hn::LoadU(d, b);
      const auto lacks = hn::Eq(hn::Max(first, second), unknown);
      return hn::Or(hn::AverageRound(first, second), hn::VecFromMask(d, lacks));
    };
    // Nothing is filled where the sample is no more than 1, the least tolerance, behind.
    const V16 nearest = hn::Min(between(row + x - 1, row + x + 1), between(above + x, below + x));
    const V16 most = hn::SaturatedAdd(nearest, one);
    const auto stays = hn::Eq(hn::Min(sample, most), sample);
    const auto hole = hn::And(hn::Eq(sample, unknown), hn::Not(hn::Eq(nearest, unknown)));
    if (HWY_LIKELY(hn::AllTrue(d, hn::AndNot(hole, stays)))) {
      hn::StoreU(hn::Add(sample, one), d, out + x);
      continue;
    }
    for (int part = x; part < x + kLanes16; part += kLanes) {
      const Vi32 filled = without_cracks(load_samples(row + part), load_samples(row + part - 1),
                                         load_samples(row + part + 1), load_samples(above + part),
                                         load_samples(below + part), tolerances);
      hn::StoreU(
          hn::DemoteTo(hn::Rebind<std::uint16_t, Di32>(), hn::And(filled, hn::Set(d32, 65535))),
          hn::Rebind<std::uint16_t, Di32>(), out + part);
    }
  }
}

const RowSteps* find_row_steps() {
  static constexpr RowSteps kSteps{cover_row, place_row, paint_row, fill_cracks};
  return &kSteps;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::align {

HWY_EXPORT(find_row_steps);

const RowSteps& row_steps() { return *HWY_DYNAMIC_DISPATCH(find_row_steps)(); }

}  // namespace rdp::align
#endif
