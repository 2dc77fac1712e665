// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/disparity_row.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/stereo/disparity_row.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::stereo {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using rdp::HWY_NAMESPACE::Di32;
using rdp::HWY_NAMESPACE::kLanes;
using rdp::HWY_NAMESPACE::Vi32;

static_assert(kLanes <= kDisparityRowSlack);

// a / b, rounded down, for 0 <= a < 2^20 and 0 < b < 2^20. Exact: both are floats, and where b does
// not divide a, the quotient is 1 / b or more below the next integer, which is more than the 2^-23
// of its own size that a division of floats is off at most, in any rounding mode.
HWY_INLINE Vi32 quotient(Vi32 a, Vi32 b) {
  const hn::RebindToFloat<Di32> df;
  return hn::ConvertTo(Di32(), hn::Div(hn::ConvertTo(df, a), hn::ConvertTo(df, b)));
}

void disparity_row(const PathRow& found, const Parameters& parameters, std::uint16_t* disparity,
                   std::uint8_t* confidence) {
  const Di32 d;
  const hn::Rebind<std::int16_t, Di32> d16;
  const hn::Rebind<std::uint16_t, Di32> du16;
  const hn::Rebind<std::uint8_t, Di32> du8;
  const auto set = [&](int value) HWY_ATTR { return hn::Set(d, value); };
  const auto read = [&](const std::int16_t* from)
                        HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(d16, from)); };
  const Vi32 zero = hn::Zero(d);
  const Vi32 one = set(1);
  const Vi32 last_column = set(found.width - 1);
  for (int x = 0; x < found.width; x += kLanes) {
    const Vi32 best = read(found.best + x);
    const Vi32 sum = read(found.best_sum + x);
    const Vi32 second = read(found.second_sum + x);
    const Vi32 a = hn::Sub(read(found.sum_before + x), sum);
    const Vi32 b = hn::Sub(read(found.sum_after + x), sum);
    const Vi32 both = hn::Add(a, b);
    const Vi32 fraction =
        quotient(hn::Add(hn::ShiftLeft<8>(a), hn::ShiftRight<1>(both)), hn::Max(both, one));
    const Vi32 whole_256 = hn::ShiftLeft<8>(best);
    const Vi32 value = hn::IfThenElse(hn::Eq(both, zero), whole_256,
                                      hn::Sub(hn::Add(whole_256, fraction), set(128)));
    const Vi32 margin = quotient(hn::Mul(hn::Sub(second, sum), set(255)), hn::Max(second, one));

    const Vi32 whole = hn::ShiftRight<8>(hn::Add(value, set(128)));
    const Vi32 in_right = hn::Sub(hn::Iota(d, x - parameters.min_disparity), whole);
    auto known = hn::Not(hn::Lt(in_right, zero));
    known = hn::AndNot(hn::Gt(in_right, last_column), known);
    if (parameters.uniqueness > 0) {
      const Vi32 allowed = hn::Mul(second, set(100 - parameters.uniqueness));
      known = hn::AndNot(hn::Lt(allowed, hn::Mul(sum, set(100))), known);
      known = hn::AndNot(hn::Eq(second, sum), known);
    }
    known = hn::AndNot(hn::Lt(margin, set(parameters.min_confidence)), known);
    if (parameters.max_left_right >= 0) {
      // Lanes beyond the row may have anything: they read the last column.
      const Vi32 at = hn::Min(hn::Max(in_right, zero), last_column);
      const Vi32 of_right = hn::GatherIndex(d, found.right_disparity, at);
      known = hn::AndNot(hn::Gt(hn::Abs(hn::Sub(of_right, whole)), set(parameters.max_left_right)),
                         known);
    }
    const Vi32 stored =
        hn::Max(one, hn::Add(value, set(kDisparityOne * first_sample(parameters.min_disparity))));
    hn::StoreU(hn::DemoteTo(du16, hn::IfThenElseZero(known, stored)), du16, disparity + x);
    hn::StoreU(hn::DemoteTo(du8, margin), du8, confidence + x);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::stereo
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::stereo {

HWY_EXPORT(disparity_row);

void disparity_row(const PathRow& found, const Parameters& parameters, const std::byte* left_mask,
                   const std::byte* right_mask, std::uint16_t* disparity,
                   std::uint8_t* confidence) {
  HWY_DYNAMIC_DISPATCH(disparity_row)(found, parameters, disparity, confidence);
  if (left_mask != nullptr) {
    hide_row(left_mask, found.width, reinterpret_cast<std::byte*>(disparity));
  }
  if (right_mask == nullptr) return;
  const int origin = sample_origin(parameters.min_disparity);
  for (int x = 0; x < found.width; ++x) {
    // Known is only what matches a pixel inside of the right view.
    if (disparity[x] == 0) continue;
    const int in_right = x - origin - (disparity[x] + kDisparityOne / 2) / kDisparityOne;
    if (right_mask[in_right] == std::byte{0}) disparity[x] = 0;
  }
}

void hide_row(const std::byte* left_mask, int width, std::byte* disparity) {
  for (int x = 0; x < width; ++x) {
    if (left_mask[x] == std::byte{0}) std::memset(disparity + std::ptrdiff_t{2} * x, 0, 2);
  }
}

}  // namespace rdp::stereo
#endif  // HWY_ONCE
