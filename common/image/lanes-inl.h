// SPDX-License-Identifier: LGPL-2.1-or-later
// Operations on vectors of 32-bit lanes and their masks that Highway 1.0 lacks or implements too
// slowly. Included once for each SIMD target, by files that include hwy/foreach_target.h.
#if defined(RDP_COMMON_IMAGE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_IMAGE_LANES_INL_H_
#undef RDP_COMMON_IMAGE_LANES_INL_H_
#else
#define RDP_COMMON_IMAGE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#ifndef RDP_UNROLL
#define RDP_UNROLL _Pragma("GCC unroll 16")
// Targets with an instruction that moves the lanes of a mask to the front: AVX-512 and its
// successors, which have lower numbers.
#define RDP_HAS_COMPRESS (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Du32 = hn::ScalableTag<std::uint32_t>;
using Di32 = hn::ScalableTag<std::int32_t>;
using Vi32 = hn::Vec<Di32>;

inline constexpr int kLanes = static_cast<int>(hn::MaxLanes(Du32()));

// The bits of a mask of int32 lanes.
template <class M>
HWY_INLINE std::uint32_t mask_bits(M mask) {
  std::uint8_t bytes[8];
  hn::StoreMaskBits(Di32(), mask, bytes);
  if constexpr (kLanes <= 8) {
    return bytes[0];
  } else {
    std::uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return bits;
  }
}

#if !RDP_HAS_COMPRESS
// Tables that move the lanes of a mask to the front: indices of lanes, as bytes.
struct SelectionTable {
  alignas(64) std::uint8_t lanes[1 << kLanes][kLanes];
};

constexpr SelectionTable make_selection_table() {
  SelectionTable table{};
  for (int mask = 0; mask < 1 << kLanes; ++mask) {
    int count = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) != 0) table.lanes[mask][count++] = static_cast<std::uint8_t>(lane);
    }
  }
  return table;
}

inline constexpr SelectionTable kSelectionTable = make_selection_table();
#endif

// Stores the lanes of a mask side by side and returns their number. The rest of the vector is
// stored, too, with arbitrary values. Without a compress instruction, Highway's Compress uses
// tables, which GCC 12 copies to the stack for each call.
HWY_INLINE std::uint32_t store_selected(Vi32 v, hn::Mask<Di32> mask, std::uint32_t* out) {
  const Du32 du32;
  const Di32 di32;
#if RDP_HAS_COMPRESS
  hn::StoreU(hn::BitCast(du32, hn::Compress(v, mask)), du32, out);
  return static_cast<std::uint32_t>(hn::CountTrue(di32, mask));
#else
  const std::uint32_t bits = mask_bits(mask);
  const hn::Rebind<std::uint8_t, Di32> du8;
  const Vi32 lanes = hn::PromoteTo(di32, hn::LoadU(du8, kSelectionTable.lanes[bits]));
  hn::StoreU(hn::BitCast(du32, hn::TableLookupLanes(v, hn::IndicesFromVec(di32, lanes))), du32,
             out);
  return static_cast<std::uint32_t>(hwy::PopCount(bits));
#endif
}

// The place of the lowest set bit; there must be one.
HWY_INLINE std::uint32_t lowest_bit(std::uint64_t bits) {
  return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
