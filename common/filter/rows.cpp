// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/filter/rows.h"

#include <algorithm>
#include <cstring>

#include "common/filter/sample_plane.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/filter/rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/filter/tolerance-inl.h"
#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::filter {
namespace HWY_NAMESPACE {
using rdp::HWY_NAMESPACE::kLanes;
// As many 16-bit lanes as there are 32-bit ones, and a whole vector of them.
using Dhalf = hn::Rebind<std::uint16_t, Di32>;
using D16 = hn::ScalableTag<std::uint16_t>;
using V16 = hn::Vec<D16>;
using Mask16 = hn::Mask<D16>;
using Mask32 = hn::Mask<Di32>;

inline constexpr int kLanes16 = static_cast<int>(hn::MaxLanes(D16()));

HWY_INLINE Vi32 load_wide(const std::uint16_t* from) {
  return hn::PromoteTo(Di32(), hn::LoadU(Dhalf(), from));
}
// Saturates.
HWY_INLINE void store_narrow(Vi32 v, std::uint16_t* to) {
  hn::StoreU(hn::DemoteTo(Dhalf(), v), Dhalf(), to);
}

HWY_INLINE Mask16 is_most(V16 v, V16 most) { return hn::Eq(hn::Min(v, most), v); }
HWY_INLINE Mask16 is_zero(V16 v) { return hn::Eq(v, hn::Zero(D16())); }
// Adds 1 to the lanes of a mask.
HWY_INLINE V16 count(V16 sum, Mask16 mask) { return hn::Sub(sum, hn::VecFromMask(D16(), mask)); }
// Lanes do not overflow: a row has at most 16384 columns.
HWY_INLINE int sum_of(V16 counts) {
  alignas(64) std::uint16_t lanes[kLanes16];
  hn::Store(counts, D16(), lanes);
  int sum = 0;
  for (const std::uint16_t lane : lanes) sum += lane;
  return sum;
}

int read_row(const std::byte* from, SampleType type, const KnownRange& known, int width,
             std::uint16_t* to) {
  const D16 d;
  if (type == SampleType::kU16) {
    std::memcpy(to, from, 2 * static_cast<std::size_t>(width));
  } else {
    for (int x = 0; x < width; ++x) to[x] = std::to_integer<std::uint16_t>(from[x]);
  }
  std::fill(to + width, to + in_blocks(width), std::uint16_t{0});
  // Above 65535 nothing is known.
  const bool any = known.first <= known.last && known.first <= 65535;
  const V16 first = hn::Set(d, static_cast<std::uint16_t>(any ? known.first : 65535));
  const V16 last = hn::Set(d, static_cast<std::uint16_t>(any ? std::min(known.last, 65535U) : 0));
  V16 removed = hn::Zero(d);
  for (int x = 0; x < width; x += kLanes16) {
    const V16 v = hn::LoadU(d, to + x);
    const auto known_here = hn::And(is_most(first, v), is_most(v, last));
    removed = count(removed, hn::Not(hn::Or(known_here, is_zero(v))));
    hn::StoreU(hn::IfThenElseZero(known_here, v), d, to + x);
  }
  return sum_of(removed);
}

Changes compare_rows(const std::uint16_t* before, const std::uint16_t* now, int width) {
  const D16 d;
  V16 different = hn::Zero(d);
  V16 removed = hn::Zero(d);
  V16 filled = hn::Zero(d);
  for (int x = 0; x < width; x += kLanes16) {
    const V16 old = hn::LoadU(d, before + x);
    const V16 v = hn::LoadU(d, now + x);
    const auto differs = hn::Not(hn::Eq(old, v));
    different = count(different, differs);
    removed = count(removed, hn::And(differs, is_zero(v)));
    filled = count(filled, hn::And(differs, is_zero(old)));
  }
  Changes changes{0, sum_of(removed), sum_of(filled)};
  changes.changed = sum_of(different) - changes.removed - changes.filled;
  return changes;
}

void decimate_row(const std::uint16_t* const* rows, int side, int width, std::uint16_t* scratch,
                  std::uint16_t* out) {
  const D16 d;
  const int pixels = side * side;
  const std::size_t stride = in_blocks(width);
  // Samples of a block side by side in memory of their own, less 1: unknown ones are the largest.
  for (int i = 0; i < pixels; ++i) {
    const std::uint16_t* const from = rows[i / side] + i % side;
    std::uint16_t* const to = scratch + static_cast<std::size_t>(i) * stride;
    for (int x = 0; x < width; ++x) to[x] = static_cast<std::uint16_t>(from[x * side] - 1);
    std::fill(to + width, to + stride, std::uint16_t{65535});
  }
  const V16 one = hn::Set(d, 1);
  for (int x = 0; x < width; x += kLanes16) {
    const auto at_most = [&](V16 most) HWY_ATTR {
      V16 sum = hn::Zero(d);
      for (int i = 0; i < pixels; ++i) {
        const V16 v = hn::LoadU(d, scratch + static_cast<std::size_t>(i) * stride + x);
        sum = count(sum, is_most(v, most));
      }
      return sum;
    };
    // The largest number with at most `rank` samples below it, bit by bit.
    const V16 known = at_most(hn::Set(d, 65534));
    const V16 rank = hn::ShiftRight<1>(hn::SaturatedSub(known, one));
    V16 found = hn::Zero(d);
    for (int bit = 1 << 15; bit != 0; bit >>= 1) {
      const V16 higher = hn::Or(found, hn::Set(d, static_cast<std::uint16_t>(bit)));
      const V16 below = at_most(hn::Sub(higher, one));
      found = hn::IfThenElse(is_most(below, rank), higher, found);
    }
    const V16 least = hn::Set(d, static_cast<std::uint16_t>((pixels + 3) / 4));
    hn::StoreU(hn::IfThenElse(is_most(least, known), hn::Add(found, one), hn::Zero(d)), d, out + x);
  }
}

void distance_row(const std::uint16_t* row, const std::uint16_t* neighbours, int most, int width,
                  std::uint16_t* out) {
  const D16 d;
  const V16 one = hn::Set(d, 1);
  const V16 limit = hn::Set(d, static_cast<std::uint16_t>(most));
  for (int x = 0; x < width; x += kLanes16) {
    const V16 farther = hn::Min(hn::Add(hn::LoadU(d, neighbours + x), one), limit);
    hn::StoreU(hn::IfThenElseZero(is_zero(hn::LoadU(d, row + x)), farther), d, out + x);
  }
}

// Lanes of samples v that lie between two flat sides, as all ones.
HWY_INLINE Vi32 between_sides(const std::uint16_t* const* rows, int x, Vi32 v, Vi32 tolerance) {
  const Di32 d;
  const Vi32 zero = hn::Zero(d);
  const Vi32 low = hn::Sub(v, tolerance);
  const Vi32 high = hn::Add(v, tolerance);
  Vi32 found = zero;
  for (int r = 1; r <= 2; ++r) {
    const auto check = [&](int dx, int dy) HWY_ATTR {
      const auto at = [&](int steps) HWY_ATTR {
        return load_wide(rows[kFlyingReach + steps * dy] + x + steps * dx);
      };
      const Vi32 a = at(-r);
      const Vi32 b = at(r);
      const Vi32 nearest = hn::Min(a, b);
      const Vi32 farthest = hn::Max(a, b);
      const auto between =
          hn::And(hn::Gt(nearest, zero), hn::And(hn::Gt(low, nearest), hn::Gt(farthest, high)));
      const Vi32 step = hn::Sub(farthest, nearest);
      const auto is_steep = [&](Vi32 side, Vi32 outer) HWY_ATTR {
        const Vi32 slope = hn::ShiftLeftSame(hn::Abs(hn::Sub(outer, side)), r + 1);
        return hn::And(hn::Gt(outer, zero), hn::Gt(slope, step));
      };
      const auto steep = hn::Or(is_steep(a, at(-r - 1)), is_steep(b, at(r + 1)));
      found = hn::Or(found, hn::VecFromMask(d, hn::AndNot(steep, between)));
    };
    check(1, 0);
    check(0, 1);
    check(1, 1);
    check(1, -1);
  }
  return found;
}

void flying_row(const std::uint16_t* const* rows, const Tolerance& tolerance, int width,
                std::uint16_t* scratch, std::uint16_t* out) {
  const Di32 d;
  const D16 d16;
  const Tolerances tolerances(tolerance);
  const std::uint16_t* const row = rows[kFlyingReach];
  // The least and the largest value of neighbours that are alike.
  std::uint16_t* const low = scratch;
  std::uint16_t* const high = scratch + in_blocks(width);
  const Vi32 one = hn::Set(d, 1);
  for (int x = 0; x < width; x += kLanes16) {
    for (int part = x; part < x + kLanes16; part += kLanes) {
      const Vi32 v = load_wide(row + part);
      const Vi32 t = tolerances.of(v);
      store_narrow(hn::Max(hn::Sub(v, t), one), low + part);
      store_narrow(hn::Add(v, t), high + part);
    }
  }
  const V16 zero = hn::Zero(d16);
  const V16 three = hn::Set(d16, 3);
  for (int x = 0; x < width; x += kLanes16) {
    const V16 v = hn::LoadU(d16, row + x);
    const V16 least = hn::LoadU(d16, low + x);
    const V16 most = hn::LoadU(d16, high + x);
    V16 alike = zero;
    const auto look = [&](int dx, int dy) HWY_ATTR {
      const V16 q = hn::LoadU(d16, rows[kFlyingReach + dy] + x + dx);
      const auto is_alike = hn::Eq(hn::Min(hn::Max(q, least), most), q);
      alike = hn::Sub(alike, hn::VecFromMask(d16, is_alike));
    };
    for (const int dx : {-1, 0, 1}) {
      look(dx, -1);
      look(dx, 1);
    }
    look(-1, 0);
    look(1, 0);
    hn::StoreU(v, d16, out + x);
    const auto alone = hn::AndNot(hn::Eq(v, zero), hn::Not(hn::Eq(hn::Max(alike, three), alike)));
    if (HWY_LIKELY(hn::AllFalse(d16, alone))) continue;
    hn::StoreU(hn::VecFromMask(d16, alone), d16, low + x);
    for (int part = x; part < x + kLanes16; part += kLanes) {
      const Vi32 suspects = load_wide(low + part);
      if (hn::AllFalse(d, hn::Gt(suspects, hn::Zero(d)))) continue;
      const Vi32 wide = load_wide(row + part);
      const Vi32 found = hn::And(between_sides(rows, part, wide, tolerances.of(wide)), suspects);
      store_narrow(hn::IfThenElseZero(hn::Eq(found, hn::Zero(d)), wide), out + part);
    }
  }
}

// Rounds v + sum / (2 * pairs + 1), halves up. The floats are exact: a quotient that is no integer
// is 1 / 17 or more from the next one, far more than a division is off.
HWY_INLINE void write_mean(Vi32 v, Vi32 sum, Vi32 pairs, std::uint16_t* out) {
  const Di32 d;
  const hn::RebindToFloat<Di32> df;
  const Vi32 count = hn::Add(hn::Add(pairs, pairs), hn::Set(d, 1));
  const auto quotient = hn::Div(hn::ConvertTo(df, hn::Add(sum, pairs)), hn::ConvertTo(df, count));
  const Vi32 mean = hn::Add(v, hn::ConvertTo(d, hn::Floor(quotient)));
  store_narrow(hn::IfThenElseZero(hn::Gt(v, hn::Zero(d)), mean), out);
}

struct Pairs {
  const std::uint16_t* const* before;
  const std::uint16_t* const* behind;
  int radius;
};

// A vector of means of any samples.
void smooth_wide(const std::uint16_t* row, const Pairs& pairs, int x, const Tolerances& tolerances,
                 std::uint16_t* out) {
  const Di32 d;
  const Vi32 v = load_wide(row + x);
  const Vi32 t = tolerances.of(v);
  const Vi32 reach = hn::ShiftLeft<2>(t);
  const Vi32 least = hn::Max(hn::Sub(v, reach), hn::Set(d, 1));
  const Vi32 most = hn::Add(v, reach);
  Vi32 sum = hn::Zero(d);
  Vi32 taken = sum;
  for (int i = 0; i < pairs.radius; ++i) {
    const Vi32 a = load_wide(pairs.before[i] + x);
    const Vi32 b = load_wide(pairs.behind[i] + x);
    const Vi32 difference = hn::Sub(hn::Add(a, b), hn::Add(v, v));
    const auto is_bent = hn::Gt(hn::Abs(difference), t);
    const auto is_far = hn::Or(hn::Gt(least, hn::Min(a, b)), hn::Gt(hn::Max(a, b), most));
    const auto takes = hn::Not(hn::Or(is_bent, is_far));
    sum = hn::Add(sum, hn::IfThenElseZero(takes, difference));
    taken = hn::Sub(taken, hn::VecFromMask(d, takes));
  }
  write_mean(v, sum, taken, out + x);
}

// Sums of differences fit 16 bits up to this tolerance.
constexpr int kMaxNarrow = 32767 / kMaxRadius - 1;

// Two vectors of means, if no tolerance is above kMaxNarrow. Samples beyond four tolerances may
// overflow their sums, but are left out.
HWY_INLINE void smooth_narrow(const std::uint16_t* row, const Pairs& pairs, int x, V16 t,
                              std::uint16_t* out) {
  const D16 d;
  const hn::RebindToSigned<D16> di;
  const V16 v = hn::LoadU(d, row + x);
  const V16 reach = hn::ShiftLeft<2>(t);
  const V16 least = hn::Max(hn::SaturatedSub(v, reach), hn::Set(d, 1));
  const V16 most = hn::SaturatedAdd(v, reach);
  const V16 twice = hn::Add(v, v);
  V16 sum = hn::Zero(d);
  V16 taken = sum;
  for (int i = 0; i < pairs.radius; ++i) {
    const V16 a = hn::LoadU(d, pairs.before[i] + x);
    const V16 b = hn::LoadU(d, pairs.behind[i] + x);
    const V16 difference = hn::Sub(hn::Add(a, b), twice);
    const V16 bend = hn::BitCast(d, hn::Abs(hn::BitCast(di, difference)));
    const V16 too_far =
        hn::Or(hn::SaturatedSub(least, hn::Min(a, b)), hn::SaturatedSub(hn::Max(a, b), most));
    const auto takes = is_zero(hn::Or(too_far, hn::SaturatedSub(bend, t)));
    sum = hn::Add(sum, hn::IfThenElseZero(takes, difference));
    taken = count(taken, takes);
  }
  alignas(64) std::int16_t sums[kLanes16];
  alignas(64) std::uint16_t counts[kLanes16];
  hn::Store(hn::BitCast(di, sum), di, sums);
  hn::Store(taken, d, counts);
  for (int part = 0; part < kLanes16; part += kLanes) {
    const Vi32 wide =
        hn::PromoteTo(Di32(), hn::LoadU(hn::Rebind<std::int16_t, Di32>(), sums + part));
    write_mean(load_wide(row + x + part), wide, load_wide(counts + part), out + x + part);
  }
}

void smooth_row(const std::uint16_t* row, const std::uint16_t* const* before,
                const std::uint16_t* const* behind, int radius, const Tolerance& tolerance,
                int width, std::uint16_t* scratch, std::uint16_t* out) {
  const D16 d;
  const Tolerances tolerances(tolerance);
  const Pairs pairs{before, behind, radius};
  const V16 most = hn::Set(d, kMaxNarrow);
  const int end = (width + kLanes16 - 1) / kLanes16 * kLanes16;
  for (int x = 0; x < end; x += kLanes) {
    store_narrow(tolerances.of(load_wide(row + x)), scratch + x);
  }
  for (int x = 0; x < end; x += kLanes16) {
    const V16 t = hn::LoadU(d, scratch + x);
    if (HWY_LIKELY(hn::AllTrue(d, is_most(t, most)))) {
      smooth_narrow(row, pairs, x, t, out);
    } else {
      for (int part = x; part < x + kLanes16; part += kLanes) {
        smooth_wide(row, pairs, part, tolerances, out);
      }
    }
  }
}

HWY_INLINE Mask32 is_known(Vi32 v) { return hn::Gt(v, hn::Zero(Di32())); }
HWY_INLINE Vi32 mean_in(const std::uint32_t* state) {
  return hn::BitCast(Di32(), hn::ShiftRight<8>(hn::LoadU(Du32(), state)));
}
// Counts the bits of the lowest byte; the others are 0.
HWY_INLINE Vi32 count_bits(Vi32 v) {
  const Di32 d;
  const auto masked = [&](Vi32 bits, int mask) HWY_ATTR { return hn::And(bits, hn::Set(d, mask)); };
  const Vi32 pairs = hn::Sub(v, masked(hn::ShiftRight<1>(v), 0x55));
  const Vi32 fours = hn::Add(masked(pairs, 0x33), masked(hn::ShiftRight<2>(pairs), 0x33));
  return masked(hn::Add(fours, hn::ShiftRight<4>(fours)), 0xF);
}

void find_motion(const std::uint16_t* row, const std::uint32_t* state, const Tolerance& tolerance,
                 int width, const MotionRow& to) {
  const Di32 d;
  const Tolerances tolerances(tolerance);
  const Vi32 one = hn::Set(d, 1);
  for (int x = 0; x < width; x += kLanes) {
    const Vi32 c = load_wide(row + x);
    const Vi32 mean = mean_in(state + x);
    const auto known = hn::And(is_known(c), is_known(mean));
    const Vi32 limit = hn::ShiftLeft<8>(tolerances.of(c));
    const Vi32 difference = hn::Sub(hn::ShiftLeft<8>(c), mean);
    const auto moved = hn::And(known, hn::Gt(hn::Abs(difference), limit));
    const Vi32 cut = hn::Max(hn::Min(difference, limit), hn::Neg(limit));
    hn::StoreU(hn::IfThenElseZero(known, cut), d, to.difference + x);
    store_narrow(hn::IfThenElseZero(known, one), to.known + x);
    store_narrow(hn::IfThenElseZero(moved, one), to.moved + x);
  }
}

// Sums of the columns of all rows.
void sum_columns(const MotionRow* motion, int width, const MotionRow& sums) {
  const Di32 d;
  const Dhalf d16;
  for (int x = 0; x < width; x += kLanes) {
    Vi32 sum = hn::LoadU(d, motion[0].difference + x);
    auto count = hn::LoadU(d16, motion[0].known + x);
    for (int i = 1; i < kMotionRows; ++i) {
      sum = hn::Add(sum, hn::LoadU(d, motion[i].difference + x));
      count = hn::Add(count, hn::LoadU(d16, motion[i].known + x));
    }
    hn::StoreU(sum, d, sums.difference + x);
    hn::StoreU(count, d16, sums.known + x);
  }
}

// Lanes whose neighbourhood differs as noise does: 4 * |sum| <= known * 256 * tolerance.
HWY_INLINE Mask32 is_noise(const MotionRow& sums, int x, Vi32 tolerance) {
  const Di32 d;
  const Dhalf d16;
  const std::int32_t* const differences = sums.difference + x;
  const std::uint16_t* const known = sums.known + x;
  Vi32 sum = hn::LoadU(d, differences);
  auto count = hn::LoadU(d16, known);
  for (int i = 1; i <= kMotionReach; ++i) {
    sum = hn::Add(sum, hn::Add(hn::LoadU(d, differences - i), hn::LoadU(d, differences + i)));
    count = hn::Add(count, hn::Add(hn::LoadU(d16, known - i), hn::LoadU(d16, known + i)));
  }
  const Vi32 most = hn::Mul(hn::ShiftLeft<6>(tolerance), hn::PromoteTo(d, count));
  return hn::Not(hn::Gt(hn::Abs(sum), most));
}

// Lanes without movement around them, and with two neighbours or more like the old sample.
HWY_INLINE Mask32 is_supported(const TemporalRow& rows, int x, Vi32 old, Vi32 tolerance) {
  const Di32 d;
  Vi32 moved = hn::Zero(d);
  Vi32 alike = hn::Zero(d);
  const std::uint16_t* const samples[] = {rows.above, rows.row, rows.below};
  for (int i = 0; i < 3; ++i) {
    for (int dx = -1; dx <= 1; ++dx) {
      const Vi32 c = load_wide(samples[i] + x + dx);
      const auto differs = hn::Gt(hn::Abs(hn::Sub(c, old)), tolerance);
      moved = hn::Or(moved, load_wide(rows.motion[kMotionReach - 1 + i].moved + x + dx));
      alike = hn::Sub(alike, hn::VecFromMask(d, hn::AndNot(differs, is_known(c))));
    }
  }
  return hn::AndNot(is_known(moved), hn::Gt(alike, hn::Set(d, 1)));
}

// floor((256 c + floor((w + 1) / 2) - mean) / (w + 1)), w up to 7. Exact: the dividend is below
// 2^24, and so fractions of an eighth and more are left of quotients of floats.
HWY_INLINE Vi32 move_of_mean(Vi32 difference, Vi32 weight) {
  const Di32 d;
  const hn::RebindToFloat<Di32> df;
  const Vi32 divisor = hn::Add(weight, hn::Set(d, 1));
  const Vi32 dividend = hn::Add(difference, hn::ShiftRight<1>(divisor));
  const auto quotient = hn::Div(hn::ConvertTo(df, dividend), hn::ConvertTo(df, divisor));
  return hn::ConvertTo(d, hn::Floor(quotient));
}

void temporal_row(const TemporalRow& rows, const Parameters& parameters, int width) {
  const Di32 d;
  const Du32 du;
  const Tolerances tolerances(parameters.tolerance);
  const HistoryRule rule = history_rule(parameters.persistence);
  const auto set = [&](int value) HWY_ATTR { return hn::Set(d, value); };
  const Vi32 zero = hn::Zero(d);
  const Vi32 one = set(1);
  const auto sample_of = [&](Vi32 mean)
                             HWY_ATTR { return hn::ShiftRight<8>(hn::Add(mean, set(128))); };
  const bool forgets = parameters.persistence != Persistence::kAlways;
  const bool checks_motion = rows.motion != nullptr;
  if (checks_motion) sum_columns(rows.motion, width, rows.sums);
  for (int x = 0; x < width; x += kLanes) {
    const Vi32 c = load_wide(rows.row + x);
    const Vi32 state = hn::BitCast(d, hn::LoadU(du, rows.state + x));
    const Vi32 mean = mean_in(rows.state + x);
    const Vi32 history = hn::And(state, set(0xFF));
    const auto known = is_known(c);
    const Vi32 t = tolerances.of(c);
    const Vi32 difference = hn::Sub(hn::ShiftLeft<8>(c), mean);
    auto still = hn::And(
        known, hn::AndNot(hn::Gt(hn::Abs(difference), hn::ShiftLeft<8>(t)), is_known(mean)));
    if (checks_motion) still = hn::And(still, is_noise(rows.sums, x, t));
    const Vi32 weight = hn::Min(count_bits(history), set(parameters.temporal_frames - 1));
    const Vi32 moved_mean = hn::Add(mean, move_of_mean(difference, weight));
    const Vi32 shifted = hn::And(hn::Add(history, history), set(0xFF));

    // The next state of a known pixel; of an unknown one below.
    Vi32 next_mean = hn::IfThenElse(still, moved_mean, hn::ShiftLeft<8>(c));
    Vi32 next_history = hn::IfThenElse(still, hn::Or(shifted, one), one);
    Vi32 out = hn::IfThenElse(still, sample_of(moved_mean), c);
    if (!hn::AllTrue(d, known)) {
      const Vi32 old = sample_of(mean);
      const Vi32 votes = count_bits(hn::And(history, set(static_cast<int>(rule.mask))));
      auto fills = hn::AndNot(known, hn::AndNot(hn::Gt(set(rule.least), votes), is_known(mean)));
      if (checks_motion && !hn::AllFalse(d, fills)) {
        fills = hn::And(fills, is_supported(rows, x, old, tolerances.of(old)));
      }
      const auto forgotten = hn::Eq(shifted, zero);
      const Vi32 kept = forgets ? hn::IfThenZeroElse(forgotten, mean) : mean;
      next_mean = hn::IfThenElse(known, next_mean, kept);
      next_history = hn::IfThenElse(known, next_history, shifted);
      out = hn::IfThenElse(fills, old, out);
    }
    const Vi32 next = hn::Or(hn::ShiftLeft<8>(next_mean), next_history);
    hn::StoreU(hn::BitCast(du, next), du, rows.next_state + x);
    store_narrow(out, rows.out + x);
  }
}

const RowSteps* row_steps() {
  static constexpr RowSteps kSteps{read_row,   compare_rows, flying_row,   decimate_row,
                                   smooth_row, find_motion,  temporal_row, distance_row};
  return &kSteps;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::filter
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::filter {

HWY_EXPORT(row_steps);

const RowSteps& row_steps() { return *HWY_DYNAMIC_DISPATCH(row_steps)(); }

}  // namespace rdp::filter
#endif  // HWY_ONCE
