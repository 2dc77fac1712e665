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

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {

// The smaller of each pair of 8-bit or 16-bit lanes.
template <class V>
HWY_INLINE V smaller(V a, V b) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::Min(a, b);
}

// The larger of each pair of lanes.
template <class V>
HWY_INLINE V larger(V a, V b) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::Max(a, b);
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
