// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/points.h"

#include <algorithm>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/clouds/points.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rdp::planes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
constexpr std::size_t kBlock = 512;
constexpr std::size_t kMaxLanes = 64;  // of any vector

// Some points, one axis after the other, padded with unknown points.
struct Block {
  HWY_ALIGN float at[3][kBlock + kMaxLanes];
};

void load_block(const CloudView& cloud, std::size_t first, std::size_t count, Block* block) {
  const std::byte* from = cloud.data + first * cloud.step + cloud.offset;
  std::size_t i = 0;
  const F d;
  if (cloud.step == 3 * sizeof(float) && reinterpret_cast<std::uintptr_t>(from) % 4 == 0) {
    const auto* const values = reinterpret_cast<const float*>(from);
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
      hn::Vec<F> x, y, z;
      hn::LoadInterleaved3(d, values + 3 * i, x, y, z);
      hn::Store(x, d, block->at[0] + i);
      hn::Store(y, d, block->at[1] + i);
      hn::Store(z, d, block->at[2] + i);
    }
  }
  for (; i < count; ++i) {
    float v[3];
    std::memcpy(v, from + i * cloud.step, sizeof v);
    for (int k = 0; k < 3; ++k) block->at[k][i] = v[k];
  }
  for (int k = 0; k < 3; ++k) {
    std::fill_n(block->at[k] + count, kMaxLanes, std::numeric_limits<float>::quiet_NaN());
  }
}

// SIMD version of has_place().
HWY_INLINE hn::Mask<F> known_places(const Block& block, std::size_t i, bool zero_is_unknown) {
  const F d;
  const auto zero = hn::Zero(d);
  const auto x = hn::Load(d, block.at[0] + i);
  const auto y = hn::Load(d, block.at[1] + i);
  const auto z = hn::Load(d, block.at[2] + i);
  const auto finite = hn::And(hn::Eq(hn::Sub(x, x), zero),
                              hn::And(hn::Eq(hn::Sub(y, y), zero), hn::Eq(hn::Sub(z, z), zero)));
  if (!zero_is_unknown) return finite;
  return hn::AndNot(hn::And(hn::Eq(x, zero), hn::And(hn::Eq(y, zero), hn::Eq(z, zero))), finite);
}

void find_range(const CloudView& cloud, std::size_t first, std::size_t end, bool zero_is_unknown,
                PointRange* range) {
  const F d;
  hn::Vec<F> least[3], greatest[3];
  for (int k = 0; k < 3; ++k) {
    least[k] = hn::Set(d, range->least[k]);
    greatest[k] = hn::Set(d, range->greatest[k]);
  }
  Block block;
  for (; first < end; first += kBlock) {
    const std::size_t count = std::min(kBlock, end - first);
    load_block(cloud, first, count, &block);
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      hn::Vec<F> v[3];
      for (int k = 0; k < 3; ++k) v[k] = hn::Load(d, block.at[k] + i);
      const auto known = known_places(block, i, zero_is_unknown);
      range->finite += static_cast<std::int64_t>(hn::CountTrue(d, known));
      for (int k = 0; k < 3; ++k) {
        least[k] = hn::IfThenElse(hn::And(known, hn::Lt(v[k], least[k])), v[k], least[k]);
        greatest[k] = hn::IfThenElse(hn::And(known, hn::Gt(v[k], greatest[k])), v[k], greatest[k]);
      }
    }
  }
  for (int k = 0; k < 3; ++k) {
    range->least[k] = hn::GetLane(hn::MinOfLanes(d, least[k]));
    range->greatest[k] = hn::GetLane(hn::MaxOfLanes(d, greatest[k]));
  }
}

void count_values(const CloudView& cloud, std::size_t first, std::size_t end, bool zero_is_unknown,
                  int axis, float least, float scale, std::uint32_t* counts) {
  const F d;
  const hn::RebindToSigned<F> di;
  Block block;
  HWY_ALIGN std::int32_t bins[kBlock + kMaxLanes];
  for (; first < end; first += kBlock) {
    const std::size_t count = std::min(kBlock, end - first);
    load_block(cloud, first, count, &block);
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto v = hn::Load(d, block.at[axis] + i);
      const auto known = known_places(block, i, zero_is_unknown);
      auto bin = hn::Mul(hn::Sub(v, hn::Set(d, least)), hn::Set(d, scale));
      bin = hn::Min(bin, hn::Set(d, static_cast<float>(kValueBins - 1)));
      bin = hn::IfThenElse(known, bin, hn::Set(d, static_cast<float>(kValueBins)));
      hn::Store(hn::ConvertTo(di, bin), di, bins + i);
    }
    for (std::size_t i = 0; i < count; ++i) ++counts[bins[i]];
  }
}

using D = hn::ScalableTag<double>;
using I = hn::Rebind<std::int32_t, D>;
using U = hn::Rebind<std::uint32_t, D>;
using U64 = hn::Rebind<std::uint64_t, D>;
using FHalf = hn::Rebind<float, D>;

// spread_bits().
HWY_INLINE hn::Vec<U> spread(hn::Vec<U> v) {
  const U d;
  v = hn::And(hn::Or(v, hn::ShiftLeft<8>(v)), hn::Set(d, 0x0000f00fu));
  v = hn::And(hn::Or(v, hn::ShiftLeft<4>(v)), hn::Set(d, 0x000c30c3u));
  return hn::And(hn::Or(v, hn::ShiftLeft<2>(v)), hn::Set(d, 0x00249249u));
}

void pack(const CloudView& cloud, std::size_t first, std::size_t end, const CloudRules& rules,
          std::uint64_t* packed) {
  const FHalf df;
  const D dd;
  const I di;
  const U du;
  const U64 d64;
  const PointPacking packing(rules);
  const auto zero = hn::Zero(df);
  const auto scale = hn::Set(dd, rules.scale);
  const auto half = hn::Set(di, (1 << rules.bits) >> 1);
  const auto last = hn::Set(di, (1 << rules.depth) - 1);
  const auto unused = hn::Set(d64, packing.unused());
  Block block;
  HWY_ALIGN std::uint64_t result[kMaxLanes];
  for (; first < end; first += kBlock, packed += kBlock) {
    const std::size_t count = std::min(kBlock, end - first);
    load_block(cloud, first, count, &block);
    for (std::size_t i = 0; i < count; i += hn::Lanes(df)) {
      hn::Vec<FHalf> v[3];
      for (int k = 0; k < 3; ++k) v[k] = hn::Load(df, block.at[k] + i);
      // NaN and infinities are out of all bounds.
      auto used = hn::And(hn::Ge(v[0], hn::Set(df, rules.low[0])),
                          hn::Le(v[0], hn::Set(df, rules.high[0])));
      for (int k = 1; k < 3; ++k) {
        used = hn::And(used, hn::And(hn::Ge(v[k], hn::Set(df, rules.low[k])),
                                     hn::Le(v[k], hn::Set(df, rules.high[k]))));
      }
      if (rules.zero_is_unknown) {
        used = hn::AndNot(
            hn::And(hn::Eq(v[0], zero), hn::And(hn::Eq(v[1], zero), hn::Eq(v[2], zero))), used);
      }
      auto key = hn::Zero(du);
      auto parts = hn::Zero(d64);
      for (int k = 2; k >= 0; --k) {
        // Unused values may be too large for an integer.
        const auto place = hn::PromoteTo(dd, hn::IfThenElseZero(used, v[k]));
        const auto units = hn::Mul(hn::Sub(place, hn::Set(dd, rules.centre[k])), scale);
        const auto whole = hn::Add(hn::DemoteTo(di, hn::Round(units)), half);
        const auto row = hn::Min(hn::ShiftRightSame(whole, rules.cell_bits()), last);
        const auto part = hn::Sub(whole, hn::ShiftLeftSame(row, rules.cell_bits()));
        key = hn::Or(hn::ShiftLeft<1>(key), spread(hn::BitCast(du, row)));
        parts = hn::Or(hn::ShiftLeftSame(parts, packing.part),
                       hn::PromoteTo(d64, hn::BitCast(du, part)));
      }
      const auto both = hn::Or(hn::ShiftLeftSame(hn::PromoteTo(d64, key), 3 * packing.part), parts);
      const auto ones = hn::IfThenElseZero(used, hn::Set(df, 1.0f));
      const auto is_used = hn::Ne(hn::PromoteTo(d64, hn::BitCast(du, ones)), hn::Zero(d64));
      const auto all = hn::IfThenElse(is_used, both, unused);
      if (i + hn::Lanes(df) <= count) {
        hn::StoreU(all, d64, packed + i);
      } else {
        hn::Store(all, d64, result);
        std::copy_n(result, count - i, packed + i);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(find_range);
HWY_EXPORT(count_values);
HWY_EXPORT(pack);

PointRange::PointRange() {
  std::fill_n(least, 3, std::numeric_limits<float>::infinity());
  std::fill_n(greatest, 3, -std::numeric_limits<float>::infinity());
}

void PointRange::add(const PointRange& other) {
  finite += other.finite;
  for (int k = 0; k < 3; ++k) {
    least[k] = std::min(least[k], other.least[k]);
    greatest[k] = std::max(greatest[k], other.greatest[k]);
  }
}

PointRange range_of_points(const CloudView& cloud, std::size_t first, std::size_t end,
                           bool zero_is_unknown) {
  PointRange range;
  HWY_DYNAMIC_DISPATCH(find_range)(cloud, first, end, zero_is_unknown, &range);
  return range;
}

void count_values(const CloudView& cloud, std::size_t first, std::size_t end, bool zero_is_unknown,
                  int axis, float least, float scale, std::uint32_t counts[kValueBins + 1]) {
  HWY_DYNAMIC_DISPATCH(count_values)
  (cloud, first, end, zero_is_unknown, axis, least, scale, counts);
}

void pack_points(const CloudView& cloud, std::size_t first, std::size_t end,
                 const CloudRules& rules, std::uint64_t* packed) {
  HWY_DYNAMIC_DISPATCH(pack)(cloud, first, end, rules, packed);
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
