// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/refit.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/rdp/refit.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"
#include "common/rdp/robust_line.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Df = hn::ScalableTag<float>;
using Vf = hn::Vec<Df>;
using Vu32 = hn::Vec<Du32>;

// A vector of samples: rows and values.
struct Samples {
  Vu32 rows, values;

  explicit Samples(const PackedSample* from) {
    const Du32 d;
    const Vu32 packed = hn::LoadU(d, from);
    rows = hn::ShiftRight<16>(packed);
    values = hn::Xor(hn::And(packed, hn::Set(d, 0xFFFF)), hn::Set(d, kPackedValueBias));
  }
};

// RowLine for vectors.
class Line {
 public:
  explicit Line(const RowLine& line)
      : row_(hn::Set(Di32(), line.row)),
        value_(hn::Set(Df(), line.value)),
        slope_(hn::Set(Df(), line.slope)) {}

  // The absolute distance of samples from the line.
  Vf distance(const Samples& s) const {
    const Df df;
    const Di32 di;
    const Vf from = hn::ConvertTo(df, hn::Sub(hn::BitCast(di, s.rows), row_));
    const Vf at = hn::Add(value_, hn::Mul(slope_, from));
    return hn::Abs(hn::Sub(hn::ConvertTo(df, hn::BitCast(di, s.values)), at));
  }
  // distance_cost().
  Vi32 cost(const Samples& s) const {
    const Df df;
    const Vf size = hn::Mul(distance(s), hn::Set(df, 256.0F));
    return hn::ConvertTo(Di32(), hn::Min(size, hn::Set(df, 16777216.0F)));
  }

 private:
  Vi32 row_;
  Vf value_, slope_;
};

// Sums over up to kMaxVectors vectors, so that 32 bits do not overflow.
class Sums {
  using Du64 = hn::RepartitionToWide<Du32>;
  using Vu64 = hn::Vec<Du64>;

 public:
  static constexpr std::uint32_t kMaxVectors = 128;

  // Not by default member initialisers: such a constructor would be compiled for no SIMD target.
  Sums()
      : weights_(hn::Zero(Du32())),
        rows_(weights_),
        values_(weights_),
        rows_rows_(hn::Zero(Du64())),
        rows_values_(rows_rows_) {}

  // `weights` are 0 for samples that do not count; `rows` are below 2^14.
  void add(Vu32 weights, Vu32 rows, Vu32 values) {
    const Vu32 weighted = hn::Mul(weights, rows);  // below 2^23
    weights_ = hn::Add(weights_, weights);
    rows_ = hn::Add(rows_, weighted);
    values_ = hn::Add(values_, hn::Mul(weights, values));  // below 2^25 each
    rows_rows_ = hn::Add(rows_rows_, products(weighted, rows));
    rows_values_ = hn::Add(rows_values_, products(weighted, values));
  }

  void add_to(WeightedSums* sums) const {
    sums->weights += sum_of(weights_);
    sums->rows += sum_of(rows_);
    sums->values += sum_of(values_);
    const Du64 d;
    sums->rows_rows += static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, rows_rows_)));
    sums->rows_values += static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, rows_values_)));
  }

 private:
  // Products of the odd lanes are added to those of the even ones.
  static Vu64 products(Vu32 a, Vu32 b) {
    return hn::Add(hn::MulEven(a, b), hn::MulEven(odd_lanes(a), odd_lanes(b)));
  }
  static Vu32 odd_lanes(Vu32 v) {
    return hn::BitCast(Du32(), hn::ShiftRight<32>(hn::BitCast(Du64(), v)));
  }
  // The lanes' sum may need more than 32 bits.
  static std::int64_t sum_of(Vu32 v) {
    const Du64 d;
    const Vu64 wide = hn::BitCast(d, v);
    const Vu64 low = hn::And(wide, hn::Set(d, 0xFFFFFFFFU));
    return static_cast<std::int64_t>(
        hn::GetLane(hn::SumOfLanes(d, hn::Add(low, hn::ShiftRight<32>(wide)))));
  }

  Vu32 weights_, rows_, values_;
  Vu64 rows_rows_, rows_values_;
};

// The sums over `count` samples, weighted by their distances from `line`.
WeightedSums weighted_sums(const PackedSample* samples, std::uint32_t count, const RowLine& line,
                           float near) {
  const Df df;
  const Di32 di;
  const Du32 du;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(du));
  const Line from(line);
  const Vu32 first_row = hn::Set(du, static_cast<std::uint32_t>(packed_row(samples[0])));
  const Vf near_distance = hn::Set(df, near);
  const Vf numerator = hn::Set(df, 256.0F * near);
  WeightedSums sums;
  for (std::uint32_t begin = 0; begin < count; begin += Sums::kMaxVectors * lanes) {
    const std::uint32_t end = std::min(count, begin + Sums::kMaxVectors * lanes);
    Sums some;
    for (std::uint32_t i = begin; i < end; i += lanes) {
      const Samples s(samples + i);
      // 256 where the distance is near: the quotient is exact.
      const Vf size = hn::Max(from.distance(s), near_distance);
      const Vi32 weight = hn::Max(hn::ConvertTo(di, hn::Div(numerator, size)), hn::Set(di, 1));
      const Vu32 counted = hn::IfThenElseZero(hn::FirstN(du, end - i), hn::BitCast(du, weight));
      some.add(counted, hn::Sub(s.rows, first_row), s.values);
    }
    some.add_to(&sums);
  }
  return sums;
}

// The cheapest cut between two lines, from `first` to `last`; in a tie, the nearest to `was`.
std::uint32_t best_cut(const PackedSample* samples, const RowLine& above, const RowLine& below,
                       std::uint32_t first, std::uint32_t was, std::uint32_t last) {
  const int row = packed_row(samples[was]);
  while (row - packed_row(samples[first]) > kCutReach) ++first;
  while (packed_row(samples[last]) - row > kCutReach) --last;
  // The extra cost of a sample above the cut instead of below it.
  const Di32 di;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(di));
  HWY_ALIGN std::int32_t more[2 * kCutReach + kPackedSlack];
  const Line upper(above);
  const Line lower(below);
  for (std::uint32_t i = first; i < last; i += lanes) {
    const Samples s(samples + i);
    hn::StoreU(hn::Sub(upper.cost(s), lower.cost(s)), di, more + (i - first));
  }
  // Searches away from `was` in both directions; of equal costs, the nearest wins, then the upper
  // one.
  std::uint32_t best = was;
  std::int32_t least = 0;
  std::int32_t cost = 0;
  for (std::uint32_t i = was; i-- > first;) {
    cost -= more[i - first];
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  const int moved = row - packed_row(samples[best]);
  cost = 0;
  for (std::uint32_t i = was; i < last; ++i) {
    cost += more[i - first];
    const bool nearer = best < was && packed_row(samples[i + 1]) - row < moved;
    if (cost < least || (cost == least && nearer)) {
      least = cost;
      best = i + 1;
    }
  }
  return best;
}

// The first sample from `from` to `end` that is not above `row`; there is one.
std::uint32_t at_or_below(const PackedSample* samples, std::uint32_t from, std::uint32_t end,
                          int row) {
  const int above = row - packed_row(samples[from]);
  if (above <= 0) return from;
  // If no row in between is unknown, the result is `most`; otherwise it comes before.
  const std::uint32_t most = std::min(from + static_cast<std::uint32_t>(above), end - 1);
  if (packed_row(samples[most]) == row) return most;
  const PackedSample* const found =
      std::lower_bound(samples + from, samples + most, static_cast<PackedSample>(row) << 16);
  return static_cast<std::uint32_t>(found - samples);
}

void refit(const PackedSample* samples, std::uint32_t sample_count, float near, Segment* segments,
           std::uint32_t segment_count) {
  std::uint32_t begin = 0;
  std::uint32_t start = 0;  // of the segment before its cuts are moved
  std::uint32_t middle = 0;
  const auto middle_from = [&](std::uint32_t from, const Segment& s) {
    return at_or_below(samples, from, sample_count, (s.first_row + s.last_row) / 2);
  };
  if (segment_count > 0) middle = middle_from(0, segments[0]);
  for (std::uint32_t s = 0; s < segment_count; ++s) {
    RowLine line = line_of(segments[s]);
    std::uint32_t end = sample_count;
    if (s + 1 < segment_count) {
      const Segment& next = segments[s + 1];
      start = at_or_below(samples, middle, sample_count, next.first_row);
      const std::uint32_t next_middle = middle_from(start, next);
      end = best_cut(samples, line, line_of(next), middle + 1, start, next_middle);
      middle = next_middle;
    }
    const int row = packed_row(samples[begin]);
    const int rows = packed_row(samples[end - 1]) - row;
    Segment& segment = segments[s];
    segment.first_row = static_cast<std::uint16_t>(row);
    segment.last_row = static_cast<std::uint16_t>(row + rows);
    for (int pass = 0; pass < kRobustPasses; ++pass) {
      const RobustLine fitted(weighted_sums(samples + begin, end - begin, line, near));
      line = fitted.from_row(row);
      segment.first_value = fitted.rounded_value(0);
      segment.last_value = fitted.rounded_value(rows);
    }
    begin = end;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(refit);

void refit(const PackedSample* samples, std::uint32_t sample_count, const SegmentRules& rules,
           Segment* segments, std::uint32_t segment_count) {
  HWY_DYNAMIC_DISPATCH(refit)(samples, sample_count, rules.near, segments, segment_count);
}

}  // namespace rdp
#endif  // HWY_ONCE
