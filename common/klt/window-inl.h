// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of 16-bit numbers: how they are sampled, and their sums. Included once for each SIMD
// target, by files that include hwy/foreach_target.h.
#if defined(RDP_COMMON_KLT_WINDOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_KLT_WINDOW_INL_H_
#undef RDP_COMMON_KLT_WINDOW_INL_H_
#else
#define RDP_COMMON_KLT_WINDOW_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "common/klt/picture.h"
#include "common/klt/step.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::klt {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Numbers that are stored for a row of a window: whole vectors, 0 beyond its side.
template <int kSide>
inline constexpr int kRowNumbers = kSide == 0   ? 32
                                   : kSide == 8 ? 8
                                                : 16;

// The template's samples, row by row. Side 0: known only at run time.
template <int kSide>
struct Window {
  static constexpr int kRows = kSide == 0 ? kMaxWindow : kSide;

  int side() const { return kSide == 0 ? any_side : kSide; }
  void set_side(int side) { any_side = side; }

  alignas(64) std::int16_t intensity[kRows * kRowNumbers<kSide>];
  alignas(64) std::int16_t gx[kRows * kRowNumbers<kSide>];
  alignas(64) std::int16_t gy[kRows * kRowNumbers<kSide>];
  Place start;  // 1/128 px
  int any_side;
};

// The start of a window in memory, and its place between pixels.
struct Start {
  Start(const std::int16_t* plane, const LevelView& level, int x, int y)
      : from(plane + (y >> 7) * level.stride + (x >> 7)), fx(x & 127), fy(y & 127) {}

  const std::int16_t* from;
  int fx;
  int fy;
};

template <int kSide>
HWY_INLINE Start start_of_other(const LevelView& level, const Window<kSide>& window,
                                Place displacement) {
  return {level.pixels, level, window.start.x + window_shift(displacement.x),
          window.start.y + window_shift(displacement.y)};
}

// Vectors of 16 numbers at most: a row of a window of 16.
template <int kSide>
using D16 = hn::CappedTag<std::int16_t, kSide == 8 ? 8 : 16>;
template <class D>
using D32 = hn::RepartitionToWide<D>;
template <class D>
using D64 = hn::Repartition<double, D>;

// a0 b0 + a1 b1 in the first lane, a2 b2 + a3 b3 in the second, and so on.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Vec<D32<D>> pair_products(D, V a, V b) {
  const D32<D> d32;
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  auto none = hn::Zero(d32);
  return hn::ReorderWidenMulAccumulate(d32, a, b, hn::Zero(d32), none);
#else
  const auto a2 = hn::BitCast(d32, a);
  const auto b2 = hn::BitCast(d32, b);
  const auto even = [](auto v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  return hn::Add(hn::Mul(even(a2), even(b2)),
                 hn::Mul(hn::ShiftRight<16>(a2), hn::ShiftRight<16>(b2)));
#endif
}

// A sum, with the products of two lanes more in each of its own.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Vec<D32<D>> add_products(D, hn::Vec<D32<D>> sum, V a, V b) {
  const D32<D> d32;
  auto more = hn::Zero(d32);  // stays so on x86
  sum = hn::ReorderWidenMulAccumulate(d32, a, b, sum, more);
  return hn::Add(sum, more);
}

// The values of int32 lanes as half as many doubles: exactly.
template <class D>
HWY_INLINE hn::Vec<D64<D>> to_doubles(D, hn::Vec<D32<D>> v) {
  const D64<D> d64;
  const hn::Half<D32<D>> half;
  return hn::Add(hn::PromoteTo(d64, hn::LowerHalf(half, v)),
                 hn::PromoteTo(d64, hn::UpperHalf(half, v)));
}

// The sums of two vectors' lanes, which are whole numbers below 2^53.
template <class D>
HWY_INLINE void sum_lanes(D, hn::Vec<D64<D>> a, hn::Vec<D64<D>> b, double* first, double* second) {
  const D64<D> d64;
  const auto both = hn::Add(hn::InterleaveLower(d64, a, b), hn::InterleaveUpper(d64, a, b));
  if constexpr (hn::MaxLanes(D64<D>()) == 2) {
    *first = hn::GetLane(both);
    *second = hn::GetLane(hn::Reverse(d64, both));
  } else {
    const hn::Half<D64<D>> half;
    const auto sum = hn::Add(hn::LowerHalf(half, both), hn::UpperHalf(half, both));
    *first = hn::GetLane(sum);
    *second = hn::GetLane(hn::Reverse(half, sum));
  }
}

template <class D>
HWY_INLINE double sum_lanes(D d, hn::Vec<D64<D>> v) {
  double sum, ignored;
  sum_lanes(d, v, v, &sum, &ignored);
  return sum;
}

// 1 in the lanes of columns of the window, from column `first` on; else 0.
template <class D>
HWY_INLINE hn::Vec<D> lanes_of_window(D d, int side, int first) {
  return hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(side - first)), hn::Set(d, 1));
}

// Bilinear samples of intensities, row by row.
template <class D>
struct Rows {
  HWY_INLINE Rows(D, const Start& start)
      : across(hn::Set(D(), static_cast<std::int16_t>(start.fx << 8))),
        down(hn::BitCast(D(), hn::Set(D32<D>(), start.fy << 16 | (128 - start.fy)))) {}

  // A row interpolated between columns, as 128 p + 2: (b - a) is a multiple of 128, so that nothing
  // is rounded.
  HWY_INLINE hn::Vec<D> row(const std::int16_t* from) const {
    const D d;
    const auto a = hn::LoadU(d, from);
    return hn::Add(a, hn::MulFixedPoint15(hn::Sub(hn::LoadU(d, from + 1), a), across));
  }
  HWY_INLINE hn::Vec<D> between(hn::Vec<D> above, hn::Vec<D> below) const {
    const D d;
    const auto low = pair_products(d, hn::InterleaveLower(d, above, below), down);
    const auto high = pair_products(d, hn::InterleaveUpper(d, above, below), down);
    return hn::ReorderDemote2To(d, hn::ShiftRight<9>(low), hn::ShiftRight<9>(high));
  }

  hn::Vec<D> across;
  hn::Vec<D> down;
};

// Bilinear samples of gradients, whose weights are products.
template <class D>
struct SlopeRows {
  HWY_INLINE explicit SlopeRows(const Start& start)
      : above(weights(start.fx, 128 - start.fy)), below(weights(start.fx, start.fy)) {}

  static HWY_INLINE hn::Vec<D> weights(int fx, int fy) {
    return hn::BitCast(D(), hn::Set(D32<D>(), fx * fy << 16 | (128 - fx) * fy));
  }

  struct Row {
    hn::Vec<D> low;
    hn::Vec<D> high;
  };
  static HWY_INLINE Row row(const std::int16_t* from) {
    const D d;
    const auto a = hn::LoadU(d, from);
    const auto b = hn::LoadU(d, from + 1);
    return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)};
  }
  HWY_INLINE hn::Vec<D> between(const Row& upper, const Row& lower) const {
    const D d;
    const auto half = hn::Set(D32<D>(), 8192);
    const auto low =
        hn::Add(pair_products(d, upper.low, above), pair_products(d, lower.low, below));
    const auto high =
        hn::Add(pair_products(d, upper.high, above), pair_products(d, lower.high, below));
    return hn::ReorderDemote2To(d, hn::ShiftRight<14>(hn::Add(low, half)),
                                hn::ShiftRight<14>(hn::Add(high, half)));
  }

  hn::Vec<D> above;
  hn::Vec<D> below;
};

// The number of rows of products that int32 sums hold: 16 of two intensities of 8160 each.
inline constexpr int kSummedRows = 16;

template <Light kLight, int kSide>
HWY_INLINE void read_template(const LevelView& level, Place centre, Window<kSide>* window,
                              TemplateSums* sums) {
  using D = D16<kSide>;
  const D d;
  const D32<D> d32;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  const int side = window->side();
  window->start = {window_start(centre.x, side), window_start(centre.y, side)};
  const Start pixels(level.pixels, level, window->start.x, window->start.y);
  const Start slopes_x(level.gx, level, window->start.x, window->start.y);
  const Start slopes_y(level.gy, level, window->start.x, window->start.y);
  const Rows<D> rows(d, pixels);
  const SlopeRows<D> slopes(slopes_x);

  const auto zero = hn::Zero(D64<D>());
  auto gxx = zero, gxy = zero, gyy = zero, gx = zero, gy = zero;
  auto ii = zero, gxi = zero, gyi = zero, i = zero;
  for (int first = 0; first < side; first += kLanes) {
    const auto ones = lanes_of_window(d, side, first);
    const auto mask = hn::MaskFromVec(hn::Neg(ones));
    auto pixel_row = rows.row(pixels.from + first);
    auto x_row = slopes.row(slopes_x.from + first);
    auto y_row = slopes.row(slopes_y.from + first);
    for (int row = 0; row < side;) {
      auto sxx = hn::Zero(d32), sxy = hn::Zero(d32), syy = hn::Zero(d32), sx = hn::Zero(d32);
      auto sy = hn::Zero(d32), sii = hn::Zero(d32), sxi = hn::Zero(d32), syi = hn::Zero(d32);
      auto si = hn::Zero(d32);
      const int end = side - row < kSummedRows ? side : row + kSummedRows;
      for (; row < end; ++row) {
        const std::ptrdiff_t next = (row + 1) * level.stride + first;
        const auto next_pixels = rows.row(pixels.from + next);
        const auto next_x = slopes.row(slopes_x.from + next);
        const auto next_y = slopes.row(slopes_y.from + next);
        auto intensity = rows.between(pixel_row, next_pixels);
        auto x = slopes.between(x_row, next_x);
        auto y = slopes.between(y_row, next_y);
        pixel_row = next_pixels;
        x_row = next_x;
        y_row = next_y;
        if (kSide % kLanes != 0 || kSide == 0) {
          intensity = hn::IfThenElseZero(mask, intensity);
          x = hn::IfThenElseZero(mask, x);
          y = hn::IfThenElseZero(mask, y);
        }
        const int at = row * kRowNumbers<kSide> + first;
        hn::Store(intensity, d, window->intensity + at);
        hn::Store(x, d, window->gx + at);
        hn::Store(y, d, window->gy + at);
        sxx = add_products(d, sxx, x, x);
        sxy = add_products(d, sxy, x, y);
        syy = add_products(d, syy, y, y);
        if constexpr (kLight == Light::kNone) continue;
        sx = add_products(d, sx, x, ones);
        sy = add_products(d, sy, y, ones);
        if constexpr (kLight == Light::kBias) continue;
        si = add_products(d, si, intensity, ones);
        sii = add_products(d, sii, intensity, intensity);
        sxi = add_products(d, sxi, x, intensity);
        syi = add_products(d, syi, y, intensity);
      }
      gxx = hn::Add(gxx, to_doubles(d, sxx));
      gxy = hn::Add(gxy, to_doubles(d, sxy));
      gyy = hn::Add(gyy, to_doubles(d, syy));
      gx = hn::Add(gx, to_doubles(d, sx));
      gy = hn::Add(gy, to_doubles(d, sy));
      if constexpr (kLight != Light::kGainBias) continue;
      i = hn::Add(i, to_doubles(d, si));
      ii = hn::Add(ii, to_doubles(d, sii));
      gxi = hn::Add(gxi, to_doubles(d, sxi));
      gyi = hn::Add(gyi, to_doubles(d, syi));
    }
  }
  const auto whole = [&](auto a, auto b, std::int64_t* first, std::int64_t* second) {
    double x, y;
    sum_lanes(d, a, b, &x, &y);
    *first = static_cast<std::int64_t>(x);
    *second = static_cast<std::int64_t>(y);
  };
  std::int64_t ignored;
  whole(gxx, gyy, &sums->gxx, &sums->gyy);
  whole(gxy, zero, &sums->gxy, &ignored);
  if constexpr (kLight == Light::kNone) return;
  whole(gx, gy, &sums->gx, &sums->gy);
  if constexpr (kLight == Light::kBias) return;
  whole(i, ii, &sums->i, &sums->ii);
  whole(gxi, gyi, &sums->gxi, &sums->gyi);
}

template <Light kLight, int kSide>
HWY_INLINE ResidualSums residual_sums(const LevelView& level, const Window<kSide>& window,
                                      Place displacement) {
  using D = D16<kSide>;
  const D d;
  const D32<D> d32;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  const int side = window.side();
  const Start start = start_of_other(level, window, displacement);
  const Rows<D> rows(d, start);
  const auto zero = hn::Zero(D64<D>());
  auto rgx = zero, rgy = zero, r = zero, ri = zero;
  for (int first = 0; first < side; first += kLanes) {
    const auto ones = lanes_of_window(d, side, first);
    auto pixel_row = rows.row(start.from + first);
    for (int row = 0; row < side;) {
      auto sx = hn::Zero(d32), sy = hn::Zero(d32), sr = hn::Zero(d32), si = hn::Zero(d32);
      const int end = side - row < kSummedRows ? side : row + kSummedRows;
      while (row < end) {
        // Four differences of 8160 fit 16 bits.
        auto few = hn::Zero(d);
        const int stop = kSide == 0 && end - row < 4 ? end : row + 4;
        _Pragma("GCC unroll 4") for (; row < stop; ++row) {
          const auto next = rows.row(start.from + (row + 1) * level.stride + first);
          const int at = row * kRowNumbers<kSide> + first;
          const auto i = hn::Load(d, window.intensity + at);
          const auto difference = hn::Sub(rows.between(pixel_row, next), i);
          pixel_row = next;
          sx = add_products(d, sx, difference, hn::Load(d, window.gx + at));
          sy = add_products(d, sy, difference, hn::Load(d, window.gy + at));
          if constexpr (kLight != Light::kNone) few = hn::Add(few, difference);
          if constexpr (kLight == Light::kGainBias) si = add_products(d, si, difference, i);
        }
        if constexpr (kLight != Light::kNone) sr = add_products(d, sr, few, ones);
      }
      rgx = hn::Add(rgx, to_doubles(d, sx));
      rgy = hn::Add(rgy, to_doubles(d, sy));
      if constexpr (kLight != Light::kNone) r = hn::Add(r, to_doubles(d, sr));
      if constexpr (kLight == Light::kGainBias) ri = hn::Add(ri, to_doubles(d, si));
    }
  }
  ResidualSums sums{};
  sum_lanes(d, rgx, rgy, &sums.rgx, &sums.rgy);
  if constexpr (kLight != Light::kNone) sum_lanes(d, r, ri, &sums.r, &sums.ri);
  return sums;
}

template <int kSide>
HWY_INLINE std::int64_t sum_of_differences(const LevelView& level, const Window<kSide>& window,
                                           Place displacement, LightChange change) {
  using D = D16<kSide>;
  const D d;
  const D32<D> d32;
  const hn::Half<D> half;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  const int side = window.side();
  const Start start = start_of_other(level, window, displacement);
  const Rows<D> rows(d, start);
  const auto gain = hn::Set(d32, change.gain);
  const auto bias = hn::Set(d32, change.bias);
  auto sum = hn::Zero(d32);  // at most 248 differences a lane: see difference_of()
  for (int first = 0; first < side; first += kLanes) {
    const auto ones = lanes_of_window(d, side, first);
    auto pixel_row = rows.row(start.from + first);
    for (int row = 0; row < side; ++row) {
      const auto next = rows.row(start.from + (row + 1) * level.stride + first);
      const auto i = hn::Load(d, window.intensity + row * kRowNumbers<kSide> + first);
      const auto difference = hn::Sub(rows.between(pixel_row, next), i);
      pixel_row = next;
      const auto add = [&](auto r, auto intensity, auto one) {
        const auto expected =
            hn::ShiftRight<8>(hn::Add(hn::Mul(gain, intensity), hn::Set(d32, 128)));
        const auto left = hn::Sub(hn::Sub(hn::ShiftLeft<4>(r), bias), expected);
        sum = hn::Add(sum, hn::And(hn::Abs(left), hn::Neg(one)));
      };
      const auto wide_low = [&](auto v) { return hn::PromoteTo(d32, hn::LowerHalf(half, v)); };
      const auto wide_high = [&](auto v) { return hn::PromoteTo(d32, hn::UpperHalf(half, v)); };
      add(wide_low(difference), wide_low(i), wide_low(ones));
      add(wide_high(difference), wide_high(i), wide_high(ones));
    }
  }
  return static_cast<std::int64_t>(sum_lanes(d, to_doubles(d, sum)));
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::klt
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
