// SPDX-License-Identifier: LGPL-2.1-or-later
// Blocks of 16-bit samples turned from rows to columns. Included once for each SIMD target, by
// files that include hwy/foreach_target.h.
#if defined(RDP_COMMON_IMAGE_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_IMAGE_TRANSPOSE_INL_H_
#undef RDP_COMMON_IMAGE_TRANSPOSE_INL_H_
#else
#define RDP_COMMON_IMAGE_TRANSPOSE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "common/image/load_samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr int kTransposed = 8;  // 16-bit samples in 128 bits

// 8-bit or 16-bit samples as a vector of 16-bit ones.
template <typename T, class D>
HWY_INLINE hn::Vec<D> load_as_u16(D d, const std::byte* from) {
  if constexpr (sizeof(T) == 1) {
    return hn::PromoteTo(d, load_samples(hn::Rebind<std::uint8_t, D>(), from));
  } else {
    return load_samples(d, from);
  }
}

// Stores each group of eight lanes at the place of its own column, kTransposed columns apart.
template <class D>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, std::uint16_t* to, std::ptrdiff_t stride) {
  if constexpr (hn::MaxLanes(D()) == kTransposed) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), to, stride);
    store_blocks(half, hn::UpperHalf(half, v),
                 to + static_cast<std::ptrdiff_t>(hn::MaxLanes(D()) / 2) * stride, stride);
  }
}

// Eight rows of Lanes(d) columns: three rounds of interleaving move the row number from the
// register into the lane. Interleaving stays within 128 bits, so each group of eight columns comes
// out whole.
template <typename T, class D>
HWY_INLINE void transpose_block(D d, const std::byte* from, std::ptrdiff_t row_stride,
                                std::uint16_t* to, std::ptrdiff_t stride) {
  const hn::Repartition<std::uint32_t, D> d32;
  const hn::Repartition<std::uint64_t, D> d64;
  const auto r0 = load_as_u16<T>(d, from);
  const auto r1 = load_as_u16<T>(d, from + row_stride);
  const auto r2 = load_as_u16<T>(d, from + 2 * row_stride);
  const auto r3 = load_as_u16<T>(d, from + 3 * row_stride);
  const auto r4 = load_as_u16<T>(d, from + 4 * row_stride);
  const auto r5 = load_as_u16<T>(d, from + 5 * row_stride);
  const auto r6 = load_as_u16<T>(d, from + 6 * row_stride);
  const auto r7 = load_as_u16<T>(d, from + 7 * row_stride);
  const auto lo01 = hn::BitCast(d32, hn::InterleaveLower(d, r0, r1));
  const auto hi01 = hn::BitCast(d32, hn::InterleaveUpper(d, r0, r1));
  const auto lo23 = hn::BitCast(d32, hn::InterleaveLower(d, r2, r3));
  const auto hi23 = hn::BitCast(d32, hn::InterleaveUpper(d, r2, r3));
  const auto lo45 = hn::BitCast(d32, hn::InterleaveLower(d, r4, r5));
  const auto hi45 = hn::BitCast(d32, hn::InterleaveUpper(d, r4, r5));
  const auto lo67 = hn::BitCast(d32, hn::InterleaveLower(d, r6, r7));
  const auto hi67 = hn::BitCast(d32, hn::InterleaveUpper(d, r6, r7));
  const auto finish = [&](auto upper, auto lower, std::uint16_t* column) HWY_ATTR {
    const auto a = hn::BitCast(d64, upper);
    const auto b = hn::BitCast(d64, lower);
    store_blocks(d, hn::BitCast(d, hn::InterleaveLower(d64, a, b)), column, stride);
    store_blocks(d, hn::BitCast(d, hn::InterleaveUpper(d64, a, b)), column + stride, stride);
  };
  finish(hn::InterleaveLower(d32, lo01, lo23), hn::InterleaveLower(d32, lo45, lo67), to);
  finish(hn::InterleaveUpper(d32, lo01, lo23), hn::InterleaveUpper(d32, lo45, lo67),
         to + 2 * stride);
  finish(hn::InterleaveLower(d32, hi01, hi23), hn::InterleaveLower(d32, hi45, hi67),
         to + 4 * stride);
  finish(hn::InterleaveUpper(d32, hi01, hi23), hn::InterleaveUpper(d32, hi45, hi67),
         to + 6 * stride);
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
