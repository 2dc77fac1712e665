// SPDX-License-Identifier: LGPL-2.1-or-later
// Vectors of the paths' costs, which are bytes, and of their sums: 16-bit numbers. Included once
// for each SIMD target, by files that include hwy/foreach_target.h.
#if defined(RDP_COMMON_STEREO_PATH_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_STEREO_PATH_VECTORS_INL_H_
#undef RDP_COMMON_STEREO_PATH_VECTORS_INL_H_
#else
#define RDP_COMMON_STEREO_PATH_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace rdp::stereo {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using ByteTag = hn::ScalableTag<std::uint8_t>;
using WordTag = hn::ScalableTag<std::int16_t>;
using Bytes = hn::Vec<ByteTag>;
using Words = hn::Vec<WordTag>;
using Table = Bytes;

inline constexpr int kByteLanes = static_cast<int>(hn::MaxLanes(ByteTag()));

HWY_INLINE Bytes load(const std::uint8_t* from) { return hn::LoadU(ByteTag(), from); }
HWY_INLINE Words load(const std::int16_t* from) { return hn::LoadU(WordTag(), from); }
HWY_INLINE void store(Bytes v, std::uint8_t* to) { hn::StoreU(v, ByteTag(), to); }
HWY_INLINE void store(Words v, std::int16_t* to) { hn::StoreU(v, WordTag(), to); }
HWY_INLINE Bytes all_bytes(std::uint8_t value) { return hn::Set(ByteTag(), value); }
template <class V>
HWY_INLINE V smaller(V a, V b) {
  return hn::Min(a, b);
}
HWY_INLINE Bytes or_bits(Bytes a, Bytes b) { return hn::Or(a, b); }
HWY_INLINE Bytes sum_or_255(Bytes a, Bytes b) { return hn::SaturatedAdd(a, b); }
template <class V>
HWY_INLINE V sum(V a, V b) {
  return hn::Add(a, b);
}
HWY_INLINE Bytes less(Bytes a, Bytes b) { return hn::Sub(a, b); }
// One bit for each lane where a >= b.
HWY_INLINE Bytes bit_where_not_less(Bytes a, Bytes b, std::uint8_t bit) {
  return hn::IfThenElseZero(hn::Eq(hn::Max(a, b), a), all_bytes(bit));
}
// A table of 16 bytes; 0 for what has the highest bit.
HWY_INLINE Table load_table(const std::uint8_t* from) { return hn::LoadDup128(ByteTag(), from); }
HWY_INLINE Bytes look_up(Table table, Bytes index) { return hn::TableLookupBytesOr0(table, index); }

// The 16 bytes before each block of 16: of `v`, and the last of `before`.
HWY_INLINE Bytes blocks_before(Bytes v, Bytes before) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  return Bytes{_mm512_alignr_epi64(v.raw, before.raw, 6)};
#elif HWY_TARGET == HWY_AVX2
  return hn::ConcatLowerUpper(ByteTag(), v, before);
#else
  return before;
#endif
}
// The 16 bytes after each.
HWY_INLINE Bytes next_blocks(Bytes v, Bytes after) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  return Bytes{_mm512_alignr_epi64(after.raw, v.raw, 2)};
#elif HWY_TARGET == HWY_AVX2
  return hn::ConcatLowerUpper(ByteTag(), after, v);
#else
  return after;
#endif
}

// Every lane from the one before; 255 in the first.
HWY_INLINE Bytes from_lane_before(Bytes v) {
  return hn::CombineShiftRightBytes<15>(ByteTag(), v, blocks_before(v, all_bytes(255)));
}
// Every lane from the next one; 255 in the last.
HWY_INLINE Bytes from_next_lane(Bytes v) {
  return hn::CombineShiftRightBytes<1>(ByteTag(), next_blocks(v, all_bytes(255)), v);
}
HWY_INLINE Words from_next_lane(Words v, Words last) {
  const ByteTag d;
  const Bytes bytes = hn::BitCast(d, v);
  return hn::BitCast(
      WordTag(), hn::CombineShiftRightBytes<2>(d, next_blocks(bytes, hn::BitCast(d, last)), bytes));
}

// The minima of the blocks of 16 bytes.
template <class D>
HWY_INLINE auto least_block(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) > 16) {
    const hn::Half<D> half;
    return least_block(half, hn::Min(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    return v;
  }
}

// The least of all lanes, in all lanes.
HWY_INLINE Bytes least(Bytes v) {
  const auto block = least_block(ByteTag(), v);
  const hn::CappedTag<std::uint8_t, 16> d;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  // The minimum of each two bytes as 16-bit numbers, for which x86 has a minimum instruction.
  const hn::Repartition<std::uint16_t, decltype(d)> d16;
  const auto pairs = hn::Min(block, hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(d16, block))));
  const __m128i one = _mm_minpos_epu16(pairs.raw);
#if HWY_TARGET <= HWY_AVX3
  return Bytes{_mm512_broadcastb_epi8(one)};
#elif HWY_TARGET == HWY_AVX2
  return Bytes{_mm256_broadcastb_epi8(one)};
#else
  return hn::TableLookupBytes(Bytes{one}, hn::Zero(d));
#endif
#else
  auto m = hn::Min(block, hn::CombineShiftRightBytes<8>(d, block, block));
  m = hn::Min(m, hn::CombineShiftRightBytes<4>(d, m, m));
  m = hn::Min(m, hn::CombineShiftRightBytes<2>(d, m, m));
  return hn::Min(m, hn::CombineShiftRightBytes<1>(d, m, m));
#endif
}

// The least of numbers that are not negative.
HWY_INLINE int least_number(Words v) {
  const auto block = least_block(WordTag(), v);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  return _mm_cvtsi128_si32(_mm_minpos_epu16(block.raw)) & 0xFFFF;
#else
  const hn::CappedTag<std::int16_t, 8> d;
  const hn::Repartition<std::uint8_t, decltype(d)> d8;
  const auto moved = [&](auto lanes, auto bytes) HWY_ATTR {
    const auto b = hn::BitCast(d8, lanes);
    return hn::BitCast(d, hn::CombineShiftRightBytes<bytes.value>(d8, b, b));
  };
  auto m = hn::Min(block, moved(block, std::integral_constant<int, 8>()));
  m = hn::Min(m, moved(m, std::integral_constant<int, 4>()));
  m = hn::Min(m, moved(m, std::integral_constant<int, 2>()));
  return hn::GetLane(m);
#endif
}

// The first lane that has the value; one does.
HWY_INLINE int first_lane_of(Words v, int value) {
  const auto found = hn::Eq(v, hn::Set(WordTag(), static_cast<std::int16_t>(value)));
  return static_cast<int>(hn::FindFirstTrue(WordTag(), found));
}
HWY_INLINE int first_lane(Words v) { return hn::GetLane(v); }

HWY_INLINE Words even_lanes(Bytes v) {
  return hn::And(hn::BitCast(WordTag(), v), hn::Set(WordTag(), 255));
}
HWY_INLINE Words odd_lanes(Bytes v) {
  const hn::RebindToUnsigned<WordTag> unsigned_tag;
  return hn::BitCast(WordTag(), hn::ShiftRight<8>(hn::BitCast(unsigned_tag, v)));
}

// a + 2 * b + c.
HWY_INLINE Words with_twice(Words a, Words b, Words c) {
  return hn::Add(hn::Add(a, c), hn::Add(b, b));
}
// A sixteenth of each of up to 16 * 255, rounded up; even lanes and odd ones together.
HWY_INLINE Bytes sixteenths(Words even, Words odd) {
  const WordTag d;
  const Words round = hn::Set(d, 15);
  const Words low = hn::ShiftRight<4>(hn::Add(even, round));
  // Four bits up make 8 of the four down and the lane's place; the lower ones are cut off.
  const Words high = hn::AndNot(hn::Set(d, 255), hn::ShiftLeft<4>(hn::Add(odd, round)));
  return hn::BitCast(ByteTag(), hn::Or(low, high));
}

// `a` if sum_a <= sum_b, else `b`.
HWY_INLINE Words choose(Words sum_a, Words sum_b, Words a, Words b) {
  return hn::IfThenElse(hn::Gt(sum_a, sum_b), b, a);
}

inline constexpr int kWordLanes = kByteLanes / 2;

}  // namespace HWY_NAMESPACE
}  // namespace rdp::stereo
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
