// SPDX-License-Identifier: LGPL-2.1-or-later
// Samples of a frame, which need not be aligned for their type, as SIMD vectors. Included once for
// each SIMD target, by files that include hwy/foreach_target.h.
#if defined(RDP_COMMON_IMAGE_LOAD_SAMPLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_IMAGE_LOAD_SAMPLES_INL_H_
#undef RDP_COMMON_IMAGE_LOAD_SAMPLES_INL_H_
#else
#define RDP_COMMON_IMAGE_LOAD_SAMPLES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {

// One vector of samples of type hn::TFromD<D>. Only their bytes are read.
template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> load_samples(D d, const std::byte* from) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::Repartition<std::uint8_t, D> bytes;
  return hn::BitCast(d, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(from)));
}

// The reverse of load_samples(). Only the samples' bytes are written.
template <class D>
HWY_INLINE void store_samples(D /*d*/, hwy::HWY_NAMESPACE::Vec<D> v, std::byte* to) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::Repartition<std::uint8_t, D> bytes;
  hn::StoreU(hn::BitCast(bytes, v), bytes, reinterpret_cast<std::uint8_t*>(to));
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
