// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/message_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/heightmap/message_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::heightmap {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using ByteTag = hn::ScalableTag<std::uint8_t>;
using SignedTag = hn::ScalableTag<std::int8_t>;
using Bytes = hn::Vec<ByteTag>;
using ByteMask = hn::Mask<ByteTag>;

inline constexpr std::ptrdiff_t kByteLanes = static_cast<std::ptrdiff_t>(hn::MaxLanes(ByteTag()));

HWY_INLINE Bytes load(const std::uint8_t* from) { return hn::LoadU(ByteTag(), from); }
HWY_INLINE void store(Bytes v, std::uint8_t* to) { hn::StoreU(v, ByteTag(), to); }
HWY_INLINE Bytes all_bytes(int value) {
  return hn::Set(ByteTag(), static_cast<std::uint8_t>(value));
}

// Labels beyond the heights that a rise can reach.
inline constexpr int kMaxRise = 2;
// Scratch for the upward and downward pass of one direction.
inline constexpr std::ptrdiff_t kScratch = (kMaxHeights + 2 * kMaxRise) * kByteLanes;

// The way down: e(l) = min(up(l), e(l + 1) + step), and the message is e(l - rise).
struct WayDown {
  int heights;
  std::ptrdiff_t stride;
  Bytes step;
  Bytes most;  // c
};

template <bool kRises, bool kFalls>
HWY_INLINE void shift_by_at_most_one(const WayDown& way, const std::uint8_t* up, ByteMask rises,
                                     ByteMask falls, std::uint8_t* out) {
  std::ptrdiff_t l = way.heights - 1;
  Bytes here = load(up + l * kByteLanes);
  Bytes above = hn::Add(here, way.step);
  for (; l >= 0; --l) {
    const Bytes stepped = hn::Add(here, way.step);
    const Bytes below = l == 0 ? stepped : hn::Min(load(up + (l - 1) * kByteLanes), stepped);
    Bytes e = here;
    if constexpr (kRises) e = hn::IfThenElse(rises, below, e);
    if constexpr (kFalls) e = hn::IfThenElse(falls, above, e);
    store(hn::SaturatedSub(way.most, e), out + l * way.stride);
    above = here;
    here = below;
  }
}

// Supports rises of two labels, too. `up` has room for kMaxRise labels on both sides.
HWY_NOINLINE void shift_by_any(const WayDown& way, std::uint8_t* up, const std::int8_t* rises,
                               std::uint8_t* out) {
  const std::ptrdiff_t last = way.heights - 1;
  Bytes e = load(up + last * kByteLanes);
  for (std::ptrdiff_t l = last - 1; l >= -kMaxRise; --l) {
    e = hn::Add(e, way.step);
    if (l >= 0) e = hn::Min(e, load(up + l * kByteLanes));
    store(e, up + l * kByteLanes);
  }
  e = load(up + last * kByteLanes);
  for (std::ptrdiff_t l = last + 1; l <= last + kMaxRise; ++l) {
    e = hn::Add(e, way.step);
    store(e, up + l * kByteLanes);
  }
  const auto rise = hn::LoadU(SignedTag(), rises);
  ByteMask masks[2 * kMaxRise + 1];
  for (int o = -kMaxRise; o <= kMaxRise; ++o) {
    masks[o + kMaxRise] =
        hn::RebindMask(ByteTag(), hn::Eq(rise, hn::Set(SignedTag(), static_cast<std::int8_t>(o))));
  }
  for (std::ptrdiff_t l = 0; l <= last; ++l) {
    e = load(up + l * kByteLanes);
    for (int o = -kMaxRise; o <= kMaxRise; ++o) {
      if (o == 0) continue;
      e = hn::IfThenElse(masks[o + kMaxRise], load(up + (l - o) * kByteLanes), e);
    }
    store(hn::SaturatedSub(way.most, e), out + l * way.stride);
  }
}

// The messages of a vector of pixels to one neighbour each. `least`: of the heights' h.
HWY_INLINE void send(const SendingRow& row, Direction to, std::ptrdiff_t i, std::uint8_t* up,
                     Bytes least, Bytes unknown) {
  std::uint8_t* const out = row.out[to] + i;
  // h is at most 220 for heights. For `unknown` it may saturate at 255 without effect: the smallest
  // h of the heights plus a jump is below it.
  const Bytes jump = load(row.jumps[to] + i);
  const Bytes most =
      hn::Min(hn::Add(least, all_bytes(row.max_jump)), hn::SaturatedAdd(unknown, jump));
  const Bytes of_unknown = hn::Min(unknown, hn::Add(least, jump));
  store(hn::Add(hn::Sub(most, of_unknown), all_bytes(kMaxJump)), out + row.heights * row.stride);

  const WayDown way{row.heights, row.stride, all_bytes(row.smoothness), most};
  const SignedTag tag;
  const std::int8_t* const rises = row.rises[to] + i;
  const auto rise = hn::LoadU(tag, rises);
  const auto up_one = hn::Eq(rise, hn::Set(tag, std::int8_t{1}));
  const auto down_one = hn::Eq(rise, hn::Set(tag, std::int8_t{-1}));
  const bool any_up = !hn::AllFalse(tag, up_one);
  const bool any_down = !hn::AllFalse(tag, down_one);
  const ByteMask ups = hn::RebindMask(ByteTag(), up_one);
  const ByteMask downs = hn::RebindMask(ByteTag(), down_one);
  if (!hn::AllFalse(tag, hn::Gt(hn::Abs(rise), hn::Set(tag, std::int8_t{1})))) {
    shift_by_any(way, up, rises, out);
  } else if (any_up && any_down) {
    shift_by_at_most_one<true, true>(way, up, ups, downs, out);
  } else if (any_up) {
    shift_by_at_most_one<true, false>(way, up, ups, downs, out);
  } else if (any_down) {
    shift_by_at_most_one<false, true>(way, up, ups, downs, out);
  } else {
    shift_by_at_most_one<false, false>(way, up, ups, downs, out);
  }
}

// Pixels without incoming messages: h is the same for all neighbours.
void send_first(const SendingRow& row) {
  alignas(64) std::uint8_t scratch[kScratch];
  std::uint8_t* const up = scratch + kMaxRise * kByteLanes;
  const Bytes step = all_bytes(row.smoothness);
  for (std::ptrdiff_t i = 0; i < row.count; i += kByteLanes) {
    for (int to = 0; to < kDirections; ++to) {
      if (row.out[to] == nullptr) continue;
      Bytes way = load(row.costs + i);
      Bytes least = way;
      store(way, up);
      for (std::ptrdiff_t l = 1; l < row.heights; ++l) {
        const Bytes h = load(row.costs + l * row.stride + i);
        way = hn::Min(h, hn::Add(way, step));
        least = hn::Min(least, h);
        store(way, up + l * kByteLanes);
      }
      send(row, static_cast<Direction>(to), i, up, least,
           load(row.costs + row.heights * row.stride + i));
    }
  }
}

void send_row(const SendingRow& row) {
  if (row.in[0] == nullptr) {
    send_first(row);
    return;
  }
  alignas(64) std::uint8_t scratch[kDirections * kScratch];
  std::uint8_t* const up[kDirections] = {scratch + kMaxRise * kByteLanes,
                                         scratch + kScratch + kMaxRise * kByteLanes,
                                         scratch + 2 * kScratch + kMaxRise * kByteLanes,
                                         scratch + 3 * kScratch + kMaxRise * kByteLanes};
  const Bytes step = all_bytes(row.smoothness);
  // Three messages of heights may take so much from the costs; of `unknown` they add as much more.
  const Bytes base = all_bytes(3 * kMaxJump);
  const std::ptrdiff_t stride = row.stride;
  for (std::ptrdiff_t i = 0; i < row.count; i += kByteLanes) {
    const std::uint8_t* const costs = row.costs + i;
    const std::uint8_t* const left = row.in[kLeft] + i;
    const std::uint8_t* const right = row.in[kRight] + i;
    const std::uint8_t* const above = row.in[kAbove] + i;
    const std::uint8_t* const below = row.in[kBelow] + i;
    Bytes way[kDirections];
    Bytes least[kDirections];
    RDP_UNROLL
    for (int to = 0; to < kDirections; ++to) {
      way[to] = all_bytes(255 - 15);
      least[to] = all_bytes(255);
    }
    for (std::ptrdiff_t l = 0; l < row.heights; ++l) {
      const std::ptrdiff_t at = l * stride;
      const Bytes in[kDirections] = {load(left + at), load(right + at), load(above + at),
                                     load(below + at)};
      // Modulo 256; right again once one of the messages is added back.
      const Bytes all =
          hn::Sub(hn::Add(load(costs + at), base),
                  hn::Add(hn::Add(in[kLeft], in[kRight]), hn::Add(in[kAbove], in[kBelow])));
      RDP_UNROLL
      for (int to = 0; to < kDirections; ++to) {
        const Bytes h = hn::Add(all, in[to]);
        way[to] = hn::Min(h, hn::Add(way[to], step));
        least[to] = hn::Min(least[to], h);
        store(way[to], up[to] + l * kByteLanes);
      }
    }
    const std::ptrdiff_t last = row.heights * stride;
    const Bytes in[kDirections] = {load(left + last), load(right + last), load(above + last),
                                   load(below + last)};
    const Bytes cost = load(costs + last);
    const Bytes all = hn::Add(hn::Add(in[kLeft], in[kRight]), hn::Add(in[kAbove], in[kBelow]));
    for (int to = 0; to < kDirections; ++to) {
      if (row.out[to] == nullptr) continue;
      const Bytes others = hn::Sub(all, in[to]);
      const Bytes unknown = hn::SaturatedAdd(cost, hn::Sub(all_bytes(6 * kMaxJump), others));
      send(row, static_cast<Direction>(to), i, up[to], least[to], unknown);
    }
  }
}

void decide_row(const DecidingRow& row) {
  const bool told = row.in[0] != nullptr;
  for (std::ptrdiff_t i = 0; i < row.count; i += kByteLanes) {
    Bytes best = all_bytes(255);
    Bytes label = all_bytes(row.heights);
    Bytes label_cost = label;
    for (std::ptrdiff_t l = 0; l <= row.heights; ++l) {
      const std::ptrdiff_t at = l * row.stride + i;
      const Bytes cost = load(row.costs + at);
      Bytes belief = cost;
      if (told) {
        const Bytes all = hn::Add(hn::Add(load(row.in[kLeft] + at), load(row.in[kRight] + at)),
                                  hn::Add(load(row.in[kAbove] + at), load(row.in[kBelow] + at)));
        // Beliefs of heights are at most 251: a saturated one never wins.
        const int base = l == row.heights ? 8 * kMaxJump : 4 * kMaxJump;
        belief = hn::SaturatedAdd(cost, hn::Sub(all_bytes(base), all));
      }
      const Bytes smaller = hn::Min(best, belief);
      const ByteMask stays = hn::Eq(smaller, best);
      label = hn::IfThenElse(stays, label, all_bytes(static_cast<int>(l)));
      label_cost = hn::IfThenElse(stays, label_cost, cost);
      best = smaller;
    }
    store(label, row.labels + i);
    store(label_cost, row.label_costs + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::heightmap
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::heightmap {

HWY_EXPORT(send_row);
HWY_EXPORT(decide_row);

void send_row(const SendingRow& row) { HWY_DYNAMIC_DISPATCH(send_row)(row); }
void decide_row(const DecidingRow& row) { HWY_DYNAMIC_DISPATCH(decide_row)(row); }

}  // namespace rdp::heightmap
#endif  // HWY_ONCE
