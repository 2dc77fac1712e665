// SPDX-License-Identifier: LGPL-2.1-or-later
// Tolerances of vectors of samples. Included once for each SIMD target, by files that include
// hwy/foreach_target.h.
#if defined(RDP_COMMON_FILTER_TOLERANCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_FILTER_TOLERANCE_INL_H_
#undef RDP_COMMON_FILTER_TOLERANCE_INL_H_
#else
#define RDP_COMMON_FILTER_TOLERANCE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "common/filter/rules.h"
#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::filter {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using rdp::HWY_NAMESPACE::Di32;
using rdp::HWY_NAMESPACE::Du32;
using rdp::HWY_NAMESPACE::Vi32;
using Vu32 = hn::Vec<Du32>;

// The upper halves of products.
HWY_INLINE Vu32 high_product(Vu32 a, Vu32 b) {
  const Du32 d;
  const hn::RepartitionToWide<Du32> wide;
  const auto odd_lanes = [&](Vu32 v) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, v)));
  };
  const Vu32 even = hn::BitCast(d, hn::ShiftRight<32>(hn::MulEven(a, b)));
  const Vu32 odd = hn::BitCast(d, hn::MulEven(odd_lanes(a), odd_lanes(b)));
  return hn::OddEven(odd, even);
}

// tolerance_of() of samples, cut off above all numbers that are compared with it, so that products
// fit.
class Tolerances {
 public:
  HWY_INLINE explicit Tolerances(const Tolerance& tolerance)
      : least_(hn::Set(Du32(), std::min(tolerance.least, kMost))),
        per_square_(hn::Set(Du32(), tolerance.per_square)) {}

  HWY_INLINE Vi32 of(Vi32 v) const {
    const Du32 d;
    const Vu32 samples = hn::BitCast(d, v);
    const Vu32 scaled = high_product(hn::Mul(samples, samples), per_square_);
    return hn::BitCast(Di32(), hn::Max(least_, hn::Min(scaled, hn::Set(d, kMost))));
  }

 private:
  // Larger than 4 * 65535: four times the mean of differences is compared with a tolerance.
  static constexpr std::uint32_t kMost = (1 << 18) - 1;

  Vu32 least_;
  Vu32 per_square_;
};

}  // namespace HWY_NAMESPACE
}  // namespace rdp::filter
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
