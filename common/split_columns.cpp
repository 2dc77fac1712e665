// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/split_columns.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/split_columns.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

// The split of a whole group of columns, breadth first. A depth-first split of one column waits for
// each result before it knows what to do next, and its branches (split or not? how many vectors?)
// are as unpredictable as the data. Here the segments to be looked at stand in lists, each list for
// one range of lengths:
// - the next segment does not depend on the last one, so the processor overlaps their latencies;
// - a list's loop has a fixed number of vectors and no branch on the data: whether a segment splits
//   only decides whether its halves, which are always written, are counted in;
// - the vertices are marks on the samples, so they come out in order whatever the order of the
// work. The result does not depend on the order, because each segment is looked at on its own.
HWY_BEFORE_NAMESPACE();
namespace rdp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#ifndef RDP_UNROLL
#define RDP_UNROLL _Pragma("GCC unroll 8")
#endif

using Du32 = hn::ScalableTag<std::uint32_t>;
using Di32 = hn::ScalableTag<std::int32_t>;
using Vi32 = hn::Vec<Di32>;

inline constexpr int kLanes = static_cast<int>(hn::MaxLanes(Du32()));

// The line through the ends of a segment, as the factors of c (see reference.h): for a sample with
// row i and value y, rise * i - length * y + constant is c or -c.
struct Line {
  std::int32_t length;
  std::int32_t rise;

  Line(PackedSample first, PackedSample last)
      : length(packed_row(last) - packed_row(first)),
        rise(packed_value(last) - packed_value(first)) {}
};

inline std::uint32_t pair_of(std::int32_t for_row, std::int32_t for_value) {
  return static_cast<std::uint32_t>(for_row) << 16 |
         (static_cast<std::uint32_t>(for_value) & 0xFFFF);
}

// for_row * row + for_value * value in each lane.
HWY_INLINE Vi32 multiply_pairs(hn::Vec<Du32> samples, hn::Vec<Du32> factors) {
  const Di32 di32;
#if HWY_TARGET == HWY_SCALAR
  const auto low = [](hn::Vec<Du32> v) HWY_ATTR {
    return hn::ShiftRight<16>(hn::BitCast(Di32(), hn::ShiftLeft<16>(v)));
  };
  const auto high = [](hn::Vec<Du32> v)
                        HWY_ATTR { return hn::ShiftRight<16>(hn::BitCast(Di32(), v)); };
  (void)di32;
  return hn::Add(hn::Mul(low(samples), low(factors)), hn::Mul(high(samples), high(factors)));
#else
  // On x86 this pair of calls is one vpmaddwd, on Arm two vmull and a vpadd.
  const hn::Repartition<std::int16_t, Du32> di16;
  Vi32 odd = hn::Zero(di32);
  const Vi32 even = hn::ReorderWidenMulAccumulate(di32, hn::BitCast(di16, samples),
                                                  hn::BitCast(di16, factors), hn::Zero(di32), odd);
  return hn::RearrangeToOddPlusEven(even, odd);
#endif
}

// Signed distances from a line, times the length of its segment. Every product sum stays within
// int32: |rise * i| <= 65535 * 16383 < 2^30 and |length * (y - 32768)| <= 2^29.
class Distance {
 public:
  Distance(Line line, PackedSample first)
      : factors_(hn::Set(Du32(), pair_of(line.rise, -line.length))),
        at_first_(multiply_pairs(hn::Set(Du32(), first), factors_)) {}

  // Whether the rise can be a factor of 16 bits.
  static bool fits(Line line) { return line.rise >= -32768 && line.rise <= 32767; }

  Vi32 raw(hn::Vec<Du32> samples) const { return multiply_pairs(samples, factors_); }
  Vi32 at_first() const { return at_first_; }
  Vi32 magnitude(hn::Vec<Du32> samples) const { return hn::Abs(hn::Sub(raw(samples), at_first_)); }

 private:
  hn::Vec<Du32> factors_;
  Vi32 at_first_;
};

// The same for any rise, in two steps.
class SteepDistance {
 public:
  SteepDistance(Line line, PackedSample first) {
    // The sign of c does not matter. A negative rise down to -65535 has two halves that fit.
    const std::int32_t rise = line.rise > 0 ? -line.rise : line.rise;
    const std::int32_t length = line.rise > 0 ? line.length : -line.length;
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

inline bool must_split(std::int32_t magnitude, std::int32_t length, std::int64_t eps256) {
  return std::int64_t{magnitude} * 256 > eps256 * length;
}

HWY_INLINE std::int32_t largest_lane(Vi32 v) { return hn::GetLane(hn::MaxOfLanes(Di32(), v)); }

// The bits of a mask of int32 lanes.
template <class M>
HWY_INLINE std::uint32_t mask_bits(M mask) {
  if constexpr (kLanes == 1) {
    return hn::CountTrue(Di32(), mask) != 0;
  } else {
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

HWY_INLINE std::uint32_t lowest_bit(std::uint64_t bits) {
  return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
}

// The farthest of kHalf * kLanes .. 2 * kHalf * kLanes samples. The second half looks back from the
// end; where the two overlap, the first is asked first.
template <int kHalf>
HWY_INLINE Farthest farthest_of_halves(const Distance& distance, const PackedSample* samples,
                                       std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t back = end - kHalf * kLanes;
  const Magnitudes<kHalf> front_half(distance, samples + begin);
  const Magnitudes<kHalf> back_half(distance, samples + back);
  const Vi32 largest = hn::MaxOfLanes(Di32(), hn::Max(front_half.largest(), back_half.largest()));
  const std::uint64_t in_front = front_half.equal_to(largest);
  const std::uint64_t in_back = back_half.equal_to(largest);
  return {(in_front != 0 ? begin : back) + lowest_bit(in_front != 0 ? in_front : in_back),
          hn::GetLane(largest)};
}

inline constexpr int kGroup = 4;  // vectors
inline constexpr std::uint32_t kGroupSamples = kGroup * kLanes;

// The farthest of at least kGroupSamples samples, in two steps: the largest lanes of each group of
// vectors are kept, so that only one group has to be searched.
template <class AnyDistance>
HWY_INLINE Farthest farthest_of_many(const AnyDistance& distance, const PackedSample* samples,
                                     std::uint32_t begin, std::uint32_t end) {
  const Di32 di32;
  HWY_ALIGN std::int32_t group_lanes[(kMaxSide / kGroupSamples + 1) * kLanes];
  const std::uint32_t back = end - kGroupSamples;
  std::int32_t* lanes = group_lanes;
  Vi32 largest = hn::Zero(di32);
  const auto look = [&](std::uint32_t i) HWY_ATTR {
    const Vi32 of_group = Magnitudes<kGroup>(distance, samples + i).largest();
    hn::Store(of_group, di32, lanes);
    lanes += kLanes;
    largest = hn::Max(largest, of_group);
  };
  std::uint32_t i = begin;
  for (; i < back; i += kGroupSamples) look(i);
  look(back);
  largest = hn::MaxOfLanes(di32, largest);
  lanes = group_lanes;
  i = begin;
  while (hn::AllFalse(di32, hn::Eq(hn::Load(di32, lanes), largest))) {
    lanes += kLanes;
    i += kGroupSamples;
  }
  i = i < back ? i : back;
  return {i + lowest_bit(Magnitudes<kGroup>(distance, samples + i).equal_to(largest)),
          hn::GetLane(largest)};
}

// The farthest of any number of samples from a line whose rise does not fit 16 bits. Rare in real
// frames, hence kept out of the fast loops.
HWY_NOINLINE Farthest farthest_from_steep(Line line, const PackedSample* samples,
                                          std::uint32_t first, std::uint32_t last) {
  const SteepDistance distance(line, samples[first]);
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

// The segments of a list are first | last << 16, indices into the group's samples.
struct Lists {
  std::uint32_t* begin[SplitScratch::kLists];
  std::size_t size[SplitScratch::kLists];
};

// Which list a segment with `between` samples between its ends belongs to; any if there are none.
HWY_INLINE std::uint32_t list_of(std::uint32_t between) {
  const std::uint32_t vectors = (between - 1) / kLanes;  // less one
  const std::uint32_t bits =
      32 - static_cast<std::uint32_t>(hwy::Num0BitsAboveMS1Bit_Nonzero32(2 * vectors + 1));
  return std::min<std::uint32_t>(bits - 1, SplitScratch::kLists - 1);
}

// Looks at all segments of list kList, and at those that come to it meanwhile. Those that split
// mark their vertex and put their halves into this and the shorter lists.
template <int kList>
void split_list(const PackedSample* HWY_RESTRICT samples, std::int64_t eps256,
                std::uint8_t* HWY_RESTRICT is_vertex, Lists* HWY_RESTRICT lists) {
  for (std::size_t next = 0; next < lists->size[kList]; ++next) {
    const std::uint32_t segment = lists->begin[kList][next];
    const std::uint32_t first = segment & 0xFFFF;
    const std::uint32_t last = segment >> 16;
    const Line line(samples[first], samples[last]);
    Farthest farthest;
    if (HWY_UNLIKELY(!Distance::fits(line))) {
      farthest = farthest_from_steep(line, samples, first, last);
    } else {
      const Distance distance(line, samples[first]);
      if constexpr (kList == 0) {
        farthest = farthest_of_few(distance, samples, first + 1, last);
      } else if constexpr (kList < SplitScratch::kLists - 1) {
        farthest = farthest_of_halves<1 << (kList - 1)>(distance, samples, first + 1, last);
      } else {
        farthest = farthest_of_many(distance, samples, first + 1, last);
      }
    }
    const std::uint32_t split = must_split(farthest.magnitude, line.length, eps256);
    is_vertex[farthest.index] = static_cast<std::uint8_t>(split);
    const auto put = [&](std::uint32_t from, std::uint32_t to) HWY_ATTR {
      const std::uint32_t between = to - from - 1;
      const std::uint32_t list = kList == 0 ? 0 : list_of(between);
      lists->begin[list][lists->size[list]] = from | to << 16;
      lists->size[list] += split & static_cast<std::uint32_t>(between != 0);
    };
    put(first, farthest.index);
    put(farthest.index, last);
  }
  lists->size[kList] = 0;
}

// Writes the known samples of a column to `out` and returns their number.
HWY_INLINE std::uint32_t pack_known(const std::uint16_t* column, int rows, const KnownRange& known,
                                    PackedSample* out) {
  const Du32 du32;
  const hn::Rebind<std::uint16_t, Du32> du16;
  const auto lowest = hn::Set(du32, known.first);
  const auto span = hn::Set(du32, known.last - known.first + 1);
  auto row = hn::Or(hn::ShiftLeft<16>(hn::Iota(du32, 0)), hn::Set(du32, kPackedValueBias));
  const auto next_rows = hn::Set(du32, static_cast<std::uint32_t>(kLanes) << 16);
  std::uint32_t count = 0;
  const auto pack = [&](int r, auto limit) HWY_ATTR {
    const auto value = hn::PromoteTo(du32, hn::LoadU(du16, column + r));
    auto is_known = hn::Lt(hn::Sub(value, lowest), span);
    if constexpr (limit.value) {
      is_known = hn::And(is_known, hn::FirstN(du32, static_cast<std::size_t>(rows - r)));
    }
    hn::StoreU(hn::Compress(hn::Xor(value, row), is_known), du32, out + count);
    count += static_cast<std::uint32_t>(hn::CountTrue(du32, is_known));
    row = hn::Add(row, next_rows);
  };
  int r = 0;
  for (; r + kLanes <= rows; r += kLanes) pack(r, std::false_type());
  if (r < rows) pack(r, std::true_type());
  return count;
}

// Writes the marked ones of `count` samples to `out` and returns their number.
HWY_INLINE std::uint32_t collect_vertices(const PackedSample* samples,
                                          const std::uint8_t* is_vertex, std::uint32_t count,
                                          PackedSample* out) {
  const Du32 du32;
  const hn::Rebind<std::uint8_t, Du32> du8;
  std::uint32_t vertices = 0;
  for (std::uint32_t i = 0; i < count; i += kLanes) {
    const auto mark = hn::PromoteTo(du32, hn::LoadU(du8, is_vertex + i));
    const auto is_marked = hn::Ne(mark, hn::Zero(du32));
    hn::StoreU(hn::Compress(hn::LoadU(du32, samples + i), is_marked), du32, out + vertices);
    vertices += static_cast<std::uint32_t>(hn::CountTrue(du32, is_marked));
  }
  return vertices;
}

std::size_t split_columns(const ColumnBlock& columns, int count, int rows, const KnownRange& known,
                          std::int64_t eps256, SplitScratch* scratch, PackedSample* vertices,
                          std::uint32_t* vertex_counts) {
  if (known.first > known.last) {
    std::fill_n(vertex_counts, count, 0U);
    return 0;
  }
  PackedSample* samples = scratch->samples();
  std::uint8_t* is_vertex = scratch->is_vertex();
  Lists lists;
  for (int i = 0; i < SplitScratch::kLists; ++i) {
    lists.begin[i] = scratch->list(i);
    lists.size[i] = 0;
  }
  std::size_t total = 0;
  for (int group = 0; group < count; group += scratch->columns()) {
    const int group_columns = std::min(scratch->columns(), count - group);
    for (int c = 0; c < group_columns; ++c) {
      const auto base = static_cast<std::uint32_t>(c * scratch->stride());
      const std::uint32_t known_count =
          pack_known(columns.data + (group + c) * columns.stride, rows, known, samples + base);
      vertex_counts[group + c] = known_count;
      std::memset(is_vertex + base, 0, known_count + kPackedSlack);
      if (known_count == 0) continue;
      is_vertex[base] = 1;
      is_vertex[base + known_count - 1] = 1;
      if (known_count < 3) continue;
      const std::uint32_t list = list_of(known_count - 2);
      lists.begin[list][lists.size[list]++] = base | (base + known_count - 1) << 16;
    }
    split_list<4>(samples, eps256, is_vertex, &lists);
    split_list<3>(samples, eps256, is_vertex, &lists);
    split_list<2>(samples, eps256, is_vertex, &lists);
    split_list<1>(samples, eps256, is_vertex, &lists);
    split_list<0>(samples, eps256, is_vertex, &lists);
    for (int c = 0; c < group_columns; ++c) {
      const std::ptrdiff_t base = c * scratch->stride();
      std::uint32_t* column_count = vertex_counts + group + c;
      *column_count =
          collect_vertices(samples + base, is_vertex + base, *column_count, vertices + total);
      total += *column_count;
    }
  }
  return total;
}

}  // namespace rdp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(split_columns);

void SplitScratch::prepare(int rows) {
  // As many columns at a time as stay in the first-level cache with their marks and lists; indices
  // of 16 bits reach all of them, and the one column of a taller frame.
  constexpr std::ptrdiff_t kSamples = 6144;
  static_assert(kMaxSide + 2 * kPackedSlack <= 65536);
  constexpr std::ptrdiff_t kLine = 64 / sizeof(PackedSample);
  stride_ = ((rows + kPackedSlack + kLine - 1) / kLine | 1) * kLine;
  columns_ = static_cast<int>(std::max<std::ptrdiff_t>(1, kSamples / stride_));
  const std::ptrdiff_t samples = std::max(kSamples, stride_);
  // Each split takes a sample away from those that can be between ends, so no list ever takes more
  // segments than there are samples; one more place is written to before it is known to be needed.
  list_stride_ = samples + kLine;
  samples_.ensure(static_cast<std::size_t>(samples));
  is_vertex_.ensure(static_cast<std::size_t>(samples));
  lists_.ensure(static_cast<std::size_t>(kLists * list_stride_));
}

std::size_t split_columns(const ColumnBlock& columns, int count, int rows, const KnownRange& known,
                          std::int64_t eps256, SplitScratch* scratch, PackedSample* vertices,
                          std::uint32_t* vertex_counts) {
  return HWY_DYNAMIC_DISPATCH(split_columns)(columns, count, rows, known, eps256, scratch, vertices,
                                             vertex_counts);
}

}  // namespace rdp
#endif
