// SPDX-License-Identifier: LGPL-2.1-or-later
// The inner loop of the split, lines 2 to 4 of Algorithm 1 of the paper (see reference.h). Finds
// the sample of a segment that is farthest from the line through its ends. Included once for each
// SIMD target, by files that include hwy/foreach_target.h.
#if defined(RDP_COMMON_RDP_FARTHEST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RDP_COMMON_RDP_FARTHEST_INL_H_
#undef RDP_COMMON_RDP_FARTHEST_INL_H_
#else
#define RDP_COMMON_RDP_FARTHEST_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "common/image/lanes-inl.h"
#include "common/rdp/split_columns.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The line through the ends of a segment, as the factors of c (see reference.h): for a sample with
// row i and value y, rise * i - length * y + constant is c or -c.
struct Chord {
  std::int32_t length;
  std::int32_t rise;

  Chord(PackedSample first, PackedSample last)
      : length(packed_row(last) - packed_row(first)),
        // Both values are off by the same amount.
        rise(static_cast<std::int16_t>(last) - static_cast<std::int16_t>(first)) {}
};

// Packs the two factors like the row and value of a PackedSample. A negative lower half borrows
// from the upper one, hence the sum.
inline std::uint32_t pair_of(std::int32_t for_row, std::int32_t for_value) {
  return (static_cast<std::uint32_t>(for_row + (for_value < 0 ? 1 : 0)) << 16) +
         static_cast<std::uint32_t>(for_value);
}

// for_row * row + for_value * value in each lane.
HWY_INLINE Vi32 multiply_pairs(hn::Vec<Du32> samples, hn::Vec<Du32> factors) {
  const Di32 di32;
  // On x86 this pair of calls is one vpmaddwd, on Arm two vmull and a vpadd.
  const hn::Repartition<std::int16_t, Du32> di16;
  Vi32 odd = hn::Zero(di32);
  // The samples come second, where the instruction can take them from memory.
  const Vi32 even = hn::ReorderWidenMulAccumulate(di32, hn::BitCast(di16, factors),
                                                  hn::BitCast(di16, samples), hn::Zero(di32), odd);
  return hn::RearrangeToOddPlusEven(even, odd);
}

// Signed distances from a line, times the length of its segment. Every product sum stays within
// int32: |rise * i| <= 65535 * 16383 < 2^30 and |length * (y - 32768)| <= 2^29.
class Distance {
 public:
  Distance(Chord chord, PackedSample first)
      : factors_(hn::Set(Du32(), pair_of(chord.rise, -chord.length))),
        at_first_(multiply_pairs(hn::Set(Du32(), first), factors_)) {}

  // True if the rise can be a factor of 16 bits.
  static bool fits(Chord chord) { return chord.rise >= -32768 && chord.rise <= 32767; }

  Vi32 raw(hn::Vec<Du32> samples) const { return multiply_pairs(samples, factors_); }
  Vi32 at_first() const { return at_first_; }
  Vi32 magnitude(hn::Vec<Du32> samples) const { return hn::Abs(hn::Sub(raw(samples), at_first_)); }

 private:
  hn::Vec<Du32> factors_;
  Vi32 at_first_;
};

// Distance for any rise, in two steps.
class SteepDistance {
 public:
  SteepDistance(Chord chord, PackedSample first) {
    // The sign of c does not matter. A negative rise down to -65535 has two halves that fit.
    const std::int32_t rise = chord.rise > 0 ? -chord.rise : chord.rise;
    const std::int32_t length = chord.rise > 0 ? chord.length : -chord.length;
    factors_ = hn::Set(Du32(), pair_of(rise / 2, length));
    rest_ = hn::Set(Du32(), pair_of(rise - rise / 2, 0));
    at_first_ = raw(hn::Set(Du32(), first));
  }

  Vi32 raw(hn::Vec<Du32> samples) const {
    return hn::Add(multiply_pairs(samples, factors_), multiply_pairs(samples, rest_));
  }
  Vi32 at_first() const { return at_first_; }
  Vi32 magnitude(hn::Vec<Du32> samples) const { return hn::Abs(hn::Sub(raw(samples), at_first_)); }

 private:
  hn::Vec<Du32> factors_;
  hn::Vec<Du32> rest_;
  Vi32 at_first_;
};

struct Farthest {
  std::uint32_t index;     // of the first of the farthest samples
  std::int32_t magnitude;  // |c| there
};

// The test of reference.h; nothing in it is negative.
inline bool must_split(std::int32_t magnitude, std::int32_t length, std::uint64_t eps256) {
  return std::uint64_t{static_cast<std::uint32_t>(magnitude)} * 256 >
         eps256 * static_cast<std::uint32_t>(length);
}

// The farthest of 1..kLanes samples [begin, end).
template <class AnyDistance>
HWY_INLINE Farthest farthest_of_few(const AnyDistance& distance, const PackedSample* samples,
                                    std::uint32_t begin, std::uint32_t end) {
  const Di32 di32;
  const Vi32 c = hn::IfThenElseZero(hn::FirstN(di32, end - begin),
                                    distance.magnitude(hn::LoadU(Du32(), samples + begin)));
  const Vi32 largest = hn::MaxOfLanes(di32, c);
  return {begin + static_cast<std::uint32_t>(hn::FindKnownFirstTrue(di32, hn::Eq(c, largest))),
          hn::GetLane(largest)};
}

// |c| of kVectors neighbouring vectors.
template <int kVectors>
struct Magnitudes {
  Vi32 c[kVectors];

  template <class AnyDistance>
  HWY_INLINE Magnitudes(const AnyDistance& distance, const PackedSample* samples) {
    RDP_UNROLL
    for (int i = 0; i < kVectors; ++i) {
      c[i] = distance.magnitude(hn::LoadU(Du32(), samples + i * kLanes));
    }
  }

  HWY_INLINE Vi32 largest() const {
    Vi32 result = c[0];
    RDP_UNROLL
    for (int i = 1; i < kVectors; ++i) result = hn::Max(result, c[i]);
    return result;
  }

  // One bit for each sample, the first one lowest.
  HWY_INLINE std::uint64_t equal_to(Vi32 value) const {
    std::uint64_t bits = 0;
    RDP_UNROLL
    for (int i = 0; i < kVectors; ++i) {
      bits |= static_cast<std::uint64_t>(mask_bits(hn::Eq(c[i], value))) << (i * kLanes);
    }
    return bits;
  }
};

// The farthest of up to kVectors * kLanes samples, more than half as many. Half of the vectors are
// aligned to the end, so that none reaches beyond it; a sample that is met twice does no harm. Each
// lane remembers the first vector that held its maximum.
template <int kVectors>
HWY_INLINE Farthest farthest_of_some(const Distance& distance, const PackedSample* samples,
                                     std::uint32_t begin, std::uint32_t end) {
  const Di32 di32;
  constexpr int kFront = (kVectors + 1) / 2;
  const std::uint32_t back = end - kVectors * kLanes;
  const auto start = [&](int i) { return (i < kFront ? begin : back) + i * kLanes; };
  Vi32 largest = distance.magnitude(hn::LoadU(Du32(), samples + begin));
  Vi32 where = hn::Zero(di32);
  RDP_UNROLL
  for (int i = 1; i < kVectors; ++i) {
    const Vi32 c = distance.magnitude(hn::LoadU(Du32(), samples + start(i)));
    where = hn::IfThenElse(hn::Gt(c, largest), hn::Set(di32, i * kLanes), where);
    largest = hn::Max(largest, c);
  }
  const Vi32 magnitude = hn::MaxOfLanes(di32, largest);
  // Indices as if the back half followed the front half: their order is right, and a sample in both
  // counts as in front.
  const Vi32 index = hn::IfThenElse(hn::Eq(largest, magnitude), hn::Add(where, hn::Iota(di32, 0)),
                                    hn::Set(di32, kVectors * kLanes));
  const auto first = static_cast<std::uint32_t>(hn::GetLane(hn::MinOfLanes(di32, index)));
  return {(first < kFront * kLanes ? begin : back) + first, hn::GetLane(magnitude)};
}

inline constexpr int kGroup = 4;  // vectors
inline constexpr std::uint32_t kGroupSamples = kGroup * kLanes;

// The farthest of at least kGroupSamples samples. Each lane remembers only the first group of
// vectors that held its maximum; that group is then searched again. The last group is aligned to
// the end.
template <class AnyDistance>
HWY_INLINE Farthest farthest_of_many(const AnyDistance& distance, const PackedSample* samples,
                                     std::uint32_t begin, std::uint32_t end) {
  const Di32 di32;
  const std::uint32_t back = end - kGroupSamples;
  Vi32 largest = Magnitudes<kGroup>(distance, samples + begin).largest();
  Vi32 where = hn::Set(di32, static_cast<std::int32_t>(begin));
  const auto look = [&](std::uint32_t i) HWY_ATTR {
    const Vi32 c = Magnitudes<kGroup>(distance, samples + i).largest();
    where = hn::IfThenElse(hn::Gt(c, largest), hn::Set(di32, static_cast<std::int32_t>(i)), where);
    largest = hn::Max(largest, c);
  };
  for (std::uint32_t i = begin + kGroupSamples; i < back; i += kGroupSamples) look(i);
  look(back);
  const Vi32 magnitude = hn::MaxOfLanes(di32, largest);
  // If several lanes have the magnitude, the one that met it first wins.
  HWY_ALIGN std::int32_t lanes[kLanes];
  hn::Store(where, di32, lanes);
  std::uint64_t candidates = mask_bits(hn::Eq(largest, magnitude));
  std::int32_t group = lanes[lowest_bit(candidates)];
  while (HWY_UNLIKELY((candidates &= candidates - 1) != 0)) {
    group = std::min(group, lanes[lowest_bit(candidates)]);
  }
  const auto first = static_cast<std::uint32_t>(group);
  return {first + lowest_bit(Magnitudes<kGroup>(distance, samples + first).equal_to(magnitude)),
          hn::GetLane(magnitude)};
}

// The farthest of any number of samples from a line whose rise does not fit 16 bits. Rare in real
// frames, hence kept out of the fast loops.
inline HWY_NOINLINE Farthest farthest_from_steep(Chord chord, const PackedSample* samples,
                                                 std::uint32_t first, std::uint32_t last) {
  const SteepDistance distance(chord, samples[first]);
  std::uint32_t begin = first + 1;
  if (last - begin >= kGroupSamples) return farthest_of_many(distance, samples, begin, last);
  Farthest farthest{begin, 0};
  for (; begin < last; begin += kLanes) {
    const Farthest next =
        farthest_of_few(distance, samples, begin, std::min<std::uint32_t>(begin + kLanes, last));
    if (next.magnitude > farthest.magnitude) farthest = next;
  }
  return farthest;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
