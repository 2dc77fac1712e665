// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/rows.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/obstacles/rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::obstacles {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using rdp::HWY_NAMESPACE::Di32;
using rdp::HWY_NAMESPACE::Du32;
using rdp::HWY_NAMESPACE::kLanes;
using rdp::HWY_NAMESPACE::mask_bits;
using rdp::HWY_NAMESPACE::store_selected;
using rdp::HWY_NAMESPACE::Vi32;
using Df32 = hn::RebindToFloat<Di32>;
using D8 = hn::Rebind<std::uint8_t, Di32>;
using Df64 = hn::ScalableTag<double>;
using Dhalf = hn::Rebind<std::int32_t, Df64>;
using Vf64 = hn::Vec<Df64>;
using Mask32 = hn::Mask<Di32>;

inline constexpr int kLanes64 = static_cast<int>(hn::MaxLanes(Df64()));
static_assert(kLanes <= kRowPadding);

// Upper halves of products, rounded to nearest or down.
template <bool kRounded>
HWY_INLINE Vi32 high_product(Vi32 a, Vi32 b) {
  const Di32 d;
  const hn::RepartitionToWide<Du32> wide;
  const auto odd_lanes = [&](Vi32 v) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, v)));
  };
  auto even = hn::BitCast(wide, hn::MulEven(a, b));
  auto odd = hn::BitCast(wide, hn::MulEven(odd_lanes(a), odd_lanes(b)));
  if constexpr (kRounded) {
    const auto half = hn::Set(wide, std::uint64_t{1} << 31);
    even = hn::Add(even, half);
    odd = hn::Add(odd, half);
  }
  return hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
}

// SIMD distance_on_ground(). The float root is off by less than 1; the sign and size of the
// remainder give the correction.
HWY_INLINE Vi32 distances(Vi32 x, Vi32 y) {
  const Di32 d;
  const Df32 df;
  const auto fx = hn::ConvertTo(df, x);
  const auto fy = hn::ConvertTo(df, y);
  const Vi32 root = hn::ConvertTo(d, hn::Sqrt(hn::Add(hn::Mul(fx, fx), hn::Mul(fy, fy))));
  const Vi32 rest = hn::Sub(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(root, root));
  const Vi32 too_large = hn::VecFromMask(d, hn::Lt(rest, hn::Zero(d)));
  const Vi32 too_small = hn::VecFromMask(d, hn::Gt(rest, hn::Add(root, root)));
  return hn::Sub(hn::Add(root, too_large), too_small);
}

// Quotients, rounded down, of numbers from 0 to 2^20 by the cell's side.
class CellQuotient {
 public:
  explicit CellQuotient(std::int32_t cell)
      : inverse_(hn::Set(Df32(), 1.0F / static_cast<float>(cell))) {}
  HWY_INLINE Vi32 of(Vi32 v) const {
    // Adding 0.5 keeps quotients away from whole numbers by more than the rounding error.
    const auto middle = hn::Add(hn::ConvertTo(Df32(), v), hn::Set(Df32(), 0.5F));
    return hn::ConvertTo(Di32(), hn::Mul(middle, inverse_));
  }

 private:
  hn::Vec<Df32> inverse_;
};

struct Lanes {
  alignas(64) std::int32_t x[kLanes], y[kLanes], h[kLanes], rho[kLanes];
};

// Calls move_to_ground() for the lanes of a mask.
void move_lanes(Mask32 mask, std::int32_t camera_height, Vi32 h, Vi32* x, Vi32* y, Vi32* rho) {
  const Di32 d;
  Lanes lanes;
  hn::Store(*x, d, lanes.x);
  hn::Store(*y, d, lanes.y);
  hn::Store(h, d, lanes.h);
  hn::Store(*rho, d, lanes.rho);
  for (std::uint32_t bits = mask_bits(mask); bits != 0; bits &= bits - 1) {
    const auto i = rdp::HWY_NAMESPACE::lowest_bit(bits);
    Placed p{lanes.x[i], lanes.y[i], lanes.h[i], 0, 0, kDrop};
    move_to_ground(&p, camera_height);
    lanes.x[i] = p.x;
    lanes.y[i] = p.y;
    lanes.rho[i] = p.rho;
  }
  *x = hn::Load(d, lanes.x);
  *y = hn::Load(d, lanes.y);
  *rho = hn::Load(d, lanes.rho);
}

int place_row(const DepthRow& row, const FrameRules& rules, const std::uint8_t* inside,
              std::uint8_t* states, std::uint8_t* classes, const ObstacleRow& out) {
  const Di32 d;
  const D8 d8;
  const auto set = [&](std::int32_t value) HWY_ATTR { return hn::Set(d, value); };
  const Vi32 zero = hn::Zero(d);
  const CellQuotient by_cell(rules.cell);
  const Vi32 tolerance = set(rules.tolerance << 8);
  const Vi32 cell_side = set(rules.cell);
  alignas(64) std::int32_t cells[kLanes];
  int count = 0;
  for (int i = 0; i < rules.width; i += kLanes) {
    const Vi32 z = hn::LoadU(d, row.z + i);
    const Mask32 known = hn::Gt(z, zero);
    if (hn::AllFalse(d, known)) {
      hn::StoreU(hn::DemoteTo(d8, zero), d8, classes + i);
      continue;
    }
    const Vi32 shifted = hn::ShiftLeft<8>(z);
    const auto along = [&](int k) HWY_ATTR {
      const Vi32 ray = hn::Add(hn::LoadU(d, row.columns[k] + i), set(row.row[k]));
      return high_product<true>(shifted, hn::ShiftLeft<8>(ray));
    };
    Vi32 x = along(0);
    Vi32 y = along(1);
    const Vi32 h = hn::Add(set(rules.camera_height), along(2));
    Vi32 rho = distances(x, y);
    const Vi32 margin = high_product<false>(hn::ShiftLeft<8>(rho), tolerance);
    const Vi32 low = hn::Add(set(rules.min_height), margin);
    const Mask32 is_low = hn::Gt(low, h);
    const Vi32 high_kind =
        hn::IfThenElse(hn::Gt(h, set(rules.max_height)), set(kAbove), set(kObstacle));
    const Vi32 low_kind = hn::IfThenElse(hn::Gt(h, hn::Sub(zero, low)), set(kGround), set(kBelow));
    Vi32 kind = hn::IfThenElse(is_low, low_kind, high_kind);
    if (rules.drop_depth > 0) {
      const Vi32 deep = hn::Sub(zero, hn::Add(set(rules.drop_depth), margin));
      const Mask32 drops = hn::And(known, hn::AndNot(hn::Gt(h, deep), is_low));
      if (!hn::AllFalse(d, drops)) {
        kind = hn::IfThenElse(drops, set(kDrop), kind);
        move_lanes(drops, rules.camera_height, h, &x, &y, &rho);
      }
    }
    const Vi32 from_x = hn::Sub(x, set(rules.x0));
    const Vi32 from_y = hn::Sub(y, set(rules.y0));
    Mask32 placed = hn::And(known, hn::Gt(set(rules.range), rho));
    placed = hn::AndNot(hn::Lt(from_x, zero), placed);
    const Vi32 column = by_cell.of(from_x);
    const Vi32 cell_row = by_cell.of(from_y);
    const Vi32 cell = hn::Add(hn::Mul(cell_row, set(rules.columns)), column);
    // Unplaced samples go to a dummy cell after the last one.
    const Vi32 none = set(rules.cells());
    if (inside != nullptr) {
      hn::Store(hn::IfThenElse(placed, cell, none), d, cells);
      for (std::int32_t& each : cells) each = inside[each];
      placed = hn::And(placed, hn::Gt(hn::Load(d, cells), zero));
    }
    kind = hn::IfThenElseZero(placed, kind);
    hn::StoreU(hn::DemoteTo(d8, kind), d8, classes + i);
    const Mask32 ground = hn::Eq(kind, set(kGround));
    if (!hn::AllFalse(d, ground)) {
      hn::Store(hn::IfThenElse(ground, cell, none), d, cells);
      for (const std::int32_t each : cells) {
        // Other threads store the same.
        __atomic_store_n(states + each, static_cast<std::uint8_t>(kFree), __ATOMIC_RELAXED);
      }
    }
    const Mask32 drops = hn::Eq(kind, set(kDrop));
    const Mask32 taken = hn::Or(hn::Eq(kind, set(kObstacle)), drops);
    if (hn::AllFalse(d, taken)) continue;
    const auto part = [&](Vi32 from, Vi32 cells_before) HWY_ATTR {
      return by_cell.of(hn::ShiftLeft<3>(hn::Sub(from, hn::Mul(cells_before, cell_side))));
    };
    const Vi32 parts = hn::Add(hn::ShiftLeft<3>(part(from_y, cell_row)), part(from_x, column));
    const Vi32 mark = hn::Add(hn::ShiftLeft<16>(parts), hn::Iota(d, i));
    const auto store = [&](Vi32 v, std::int32_t* to) HWY_ATTR {
      return store_selected(v, taken, reinterpret_cast<std::uint32_t*>(to + count));
    };
    store(cell, out.cell);
    store(x, out.x);
    store(y, out.y);
    store(rho, out.rho);
    store(hn::IfThenZeroElse(drops, h), out.h);
    count += static_cast<int>(store(mark, out.mark));
  }
  return count;
}

void guess_bearings(const std::int32_t* x, const std::int32_t* y, int count,
                    const BearingGuess& guess, std::int32_t* out) {
  const Di32 d;
  const Df32 df;
  for (int i = 0; i < count; i += kLanes) {
    const Vi32 xs = hn::LoadU(d, x + i);
    const Vi32 ys = hn::LoadU(d, y + i);
    const auto fy = hn::ConvertTo(df, ys);
    const auto share = hn::Div(fy, hn::Add(hn::ConvertTo(df, xs), hn::Abs(fy)));
    const auto place = hn::Mul(hn::Sub(share, hn::Set(df, guess.first)), hn::Set(df, guess.scale));
    const auto last = hn::Set(df, static_cast<float>(guess.size - 1));
    const Vi32 entry = hn::ConvertTo(d, hn::Min(hn::Max(place, hn::Zero(df)), last));
    hn::StoreU(hn::IfThenElse(hn::Gt(xs, hn::Zero(d)), entry, hn::Set(d, -1)), d, out + i);
  }
}

// Products and sums of a row are whole numbers below 2^53.
void sum_ground_row(const GroundRow& row, std::int32_t camera_height, const GroundBand& band,
                    GroundSums* sums) {
  const Df64 d;
  const Dhalf half;
  const auto load = [&](const std::int32_t* from)
                        HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(half, from)); };
  const Vf64 zero = hn::Zero(d);
  const Vf64 one = hn::Set(d, 1.0);
  const Vf64 per_65536 = hn::Set(d, 1.0 / 65536.0);
  const Vf64 own_ray = hn::Set(d, row.row);
  const Vf64 height = hn::Set(d, camera_height + 0.5);
  const Vf64 slope = hn::Set(d, band.slope / 65536.0);
  const Vf64 base = hn::Set(d, band.base);
  const Vf64 step = hn::Set(d, kLanes64 * row.step_x);
  Vf64 x = hn::Add(hn::Mul(hn::PromoteTo(d, hn::Iota(half, 0)), hn::Set(d, row.step_x)),
                   hn::Set(d, row.first_x));
  Vf64 n = zero, sum_x = zero, sum_u = zero, sum_xx = zero, sum_xu = zero, below = zero;
  for (int i = 0; i < row.count; i += kLanes64) {
    const Vf64 z = load(row.z + i);
    const Vf64 ray = hn::Add(load(row.columns + i), own_ray);
    const Vf64 h = hn::Floor(hn::Add(hn::Mul(hn::Mul(z, ray), per_65536), height));
    const Vf64 most = hn::Add(base, hn::Floor(hn::Mul(z, slope)));
    const auto known = hn::Gt(z, zero);
    const auto under = hn::And(known, hn::Lt(h, hn::Neg(most)));
    const auto used =
        hn::And(hn::And(known, hn::Ge(h, hn::Neg(most))), hn::Le(hn::Add(h, h), most));
    const Vf64 used_x = hn::IfThenElseZero(used, x);
    const Vf64 used_u = hn::IfThenElseZero(used, load(row.u + i));
    n = hn::Add(n, hn::IfThenElseZero(used, one));
    below = hn::Add(below, hn::IfThenElseZero(under, one));
    sum_x = hn::Add(sum_x, used_x);
    sum_u = hn::Add(sum_u, used_u);
    sum_xx = hn::Add(sum_xx, hn::Mul(used_x, used_x));
    sum_xu = hn::Add(sum_xu, hn::Mul(used_x, used_u));
    x = hn::Add(x, step);
  }
  const auto all = [&](Vf64 v) HWY_ATTR {
    alignas(64) double lanes[kLanes64];
    hn::Store(v, d, lanes);
    double sum = 0.0;
    for (const double lane : lanes) sum += lane;
    return static_cast<std::int64_t>(sum);
  };
  sums->n += all(n);
  sums->x += all(sum_x);
  sums->u += all(sum_u);
  sums->xx += all(sum_xx);
  sums->xu += all(sum_xu);
  sums->below += all(below);
}

std::int64_t cost_of_sides(const SidePoints& points, const Sides& sides) {
  const Df64 d;
  const auto set = [&](auto value) HWY_ATTR { return hn::Set(d, static_cast<double>(value)); };
  const Vf64 cosine = set(sides.direction.cosine);
  const Vf64 sine = set(sides.direction.sine);
  const Vf64 per_unit = set(1.0 / 16384.0);
  Vf64 sum = hn::Zero(d);
  double rest = 0.0;
  const auto costs = [&](Vf64 x, Vf64 y, Vf64 count) HWY_ATTR {
    const Vf64 u = hn::Add(hn::Mul(cosine, x), hn::Mul(sine, y));
    const Vf64 w = hn::Sub(hn::Mul(cosine, y), hn::Mul(sine, x));
    const Vf64 along = hn::Min(hn::Sub(u, set(sides.u0)), hn::Sub(set(sides.u1), u));
    const Vf64 across = hn::Min(hn::Sub(w, set(sides.w0)), hn::Sub(set(sides.w1), w));
    const Vf64 nearest = hn::Max(hn::Min(along, across), hn::Zero(d));
    return hn::Mul(count, hn::Floor(hn::Mul(nearest, per_unit)));
  };
  std::int64_t i = 0;
  for (; i + kLanes64 <= points.size; i += kLanes64) {
    sum = hn::Add(sum, costs(hn::LoadU(d, points.x + i), hn::LoadU(d, points.y + i),
                             hn::LoadU(d, points.count + i)));
  }
  for (; i < points.size; ++i) {
    rest += hn::GetLane(costs(set(points.x[i]), set(points.y[i]), set(points.count[i])));
  }
  alignas(64) double lanes[kLanes64];
  hn::Store(sum, d, lanes);
  for (const double lane : lanes) rest += lane;
  return static_cast<std::int64_t>(rest);
}

int see_row(const CellRow& row, const CellView& view, const FrameRules& rules,
            const SeenCells& out) {
  const Df64 d;
  const auto set = [&](double value) HWY_ATTR { return hn::Set(d, value); };
  const double y = rules.y0 + row.row * rules.cell + 0.5 * rules.cell;
  const double range = rules.range;
  // The contributions of y, rounded as in pixel_of_cell().
  const Vf64 squares = set(y * y);
  Vf64 beside[3];
  for (int k = 0; k < 3; ++k) beside[k] = set(view.r[1][k] * y);
  int count = 0;
  for (int i = 0; i < rules.columns; i += kLanes64) {
    bool any = false;
    for (int lane = 0; lane < kLanes64; ++lane) any |= row.states[i + lane] == kUnseen;
    if (!any) continue;
    const auto number = hn::PromoteTo(d, hn::Iota(Dhalf(), i));
    const Vf64 x =
        hn::Add(hn::Add(set(rules.x0), hn::Mul(number, set(rules.cell))), set(0.5 * rules.cell));
    auto seen = hn::Lt(hn::Add(hn::Mul(x, x), squares), set(range * range));
    const auto along = [&](int k) HWY_ATTR {
      return hn::Sub(hn::Add(hn::Mul(set(view.r[0][k]), x), beside[k]),
                     set(view.r[2][k] * view.camera_height));
    };
    const Vf64 depth = along(2);
    seen = hn::And(seen, hn::Gt(depth, hn::Zero(d)));
    if (hn::AllFalse(d, seen)) continue;
    const auto pixel = [&](int k, double focal, double principal) HWY_ATTR {
      const Vf64 at = hn::Add(hn::Mul(hn::Div(along(k), depth), set(focal)), set(principal));
      return hn::Add(at, set(0.5));
    };
    const auto within = [&](Vf64 at, double end) HWY_ATTR {
      return hn::And(hn::Ge(at, hn::Zero(d)), hn::Lt(at, set(end)));
    };
    const Vf64 u = pixel(0, view.focal_x, view.principal_x);
    seen = hn::And(seen, within(u, rules.width));
    if (hn::AllFalse(d, seen)) continue;
    const Vf64 v = pixel(1, view.focal_y, view.principal_y);
    seen = hn::And(seen, within(v, rules.height));
    if (hn::AllFalse(d, seen)) continue;
    alignas(64) double us[kLanes64], vs[kLanes64], depths[kLanes64], marks[kLanes64];
    hn::Store(u, d, us);
    hn::Store(v, d, vs);
    hn::Store(depth, d, depths);
    hn::Store(hn::IfThenElseZero(seen, set(1.0)), d, marks);
    for (int lane = 0; lane < kLanes64 && i + lane < rules.columns; ++lane) {
      if (marks[lane] == 0.0 || row.states[i + lane] != kUnseen) continue;
      out.cell_column[count] = i + lane;
      out.column[count] = static_cast<std::int32_t>(us[lane]);
      out.row[count] = static_cast<std::int32_t>(vs[lane]);
      out.depth[count++] = depths[lane];
    }
  }
  return count;
}

const RowSteps* row_steps() {
  static constexpr RowSteps kSteps{place_row, guess_bearings, sum_ground_row, cost_of_sides,
                                   see_row};
  return &kSteps;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::obstacles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::obstacles {

HWY_EXPORT(row_steps);

const RowSteps& row_steps() { return *HWY_DYNAMIC_DISPATCH(row_steps)(); }

}  // namespace rdp::obstacles
#endif  // HWY_ONCE
