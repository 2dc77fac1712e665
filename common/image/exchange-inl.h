// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of exchange networks: minimum and maximum of unsigned vectors. Included once for each
// SIMD target, by files that include hwy/foreach_target.h.
#if defined(RDP_COMMON_IMAGE_EXCHANGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_IMAGE_EXCHANGE_INL_H_
#undef RDP_COMMON_IMAGE_EXCHANGE_INL_H_
#else
#define RDP_COMMON_IMAGE_EXCHANGE_INL_H_
#endif

#include <hwy/highway.h>

// Before SSE4.1 x86 has no minimum of unsigned 16-bit lanes; saturated differences are much faster
// there than comparing and selecting.
#undef RDP_SATURATE_TO_COMPARE
#if HWY_TARGET == HWY_SSSE3 || (defined(HWY_SSE2) && HWY_TARGET == HWY_SSE2)
#define RDP_SATURATE_TO_COMPARE 1
#else
#define RDP_SATURATE_TO_COMPARE 0
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {

// The smaller of each pair of 8-bit or 16-bit lanes.
template <class V>
HWY_INLINE V smaller(V a, V b) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (RDP_SATURATE_TO_COMPARE && sizeof(hn::TFromV<V>) == 2) {
    return hn::Sub(a, hn::SaturatedSub(a, b));
  } else {
    return hn::Min(a, b);
  }
}

// The larger of each pair of lanes.
template <class V>
HWY_INLINE V larger(V a, V b) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (RDP_SATURATE_TO_COMPARE && sizeof(hn::TFromV<V>) == 2) {
    return hn::Add(b, hn::SaturatedSub(a, b));
  } else {
    return hn::Max(a, b);
  }
}

// Puts the smaller of each pair of lanes into `low`, the larger into `high`.
template <class V>
HWY_INLINE void exchange(V& low, V& high) {
  const V least = smaller(low, high);
  high = larger(low, high);
  low = least;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
