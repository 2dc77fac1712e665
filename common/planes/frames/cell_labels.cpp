// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/cell_labels.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/frames/cell_labels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::planes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::int32_t, kCell>;
using D16 = hn::Rebind<std::uint16_t, D32>;
using V32 = hn::Vec<D32>;
constexpr int kLanes32 = static_cast<int>(hn::MaxLanes(D32()));

// a * b >> 28 of depths and rays.
HWY_INLINE V32 scaled_product(V32 a, V32 b) {
  const D32 d;
  const hn::Repartition<std::uint64_t, D32> d64;
  const auto odd = [&](V32 v)
                       HWY_ATTR { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, v))); };
  const V32 low = hn::BitCast(d, hn::ShiftRight<28>(hn::BitCast(d64, hn::MulEven(a, b))));
  const V32 high = hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(d64, hn::MulEven(odd(a), odd(b)))));
  return hn::OddEven(high, low);
}

using DPlanes = hn::CappedTag<std::uint16_t, 8>;
constexpr int kPlaneLanes = static_cast<int>(hn::MaxLanes(DPlanes()));
static_assert(kPlaneLanes == 8);

HWY_INLINE std::uint16_t least_lane(hn::Vec<DPlanes> v) {
  const DPlanes d;
  v = hn::Min(v, hn::ShiftRightLanes<4>(d, v));
  v = hn::Min(v, hn::ShiftRightLanes<2>(d, v));
  v = hn::Min(v, hn::ShiftRightLanes<1>(d, v));
  return hn::GetLane(v);
}

void find_planes_around(const std::uint16_t* owners, const std::uint16_t* of_rest,
                        std::ptrdiff_t stride, int columns, std::uint16_t* planes,
                        std::int32_t* ends) {
  const DPlanes d;
  constexpr int kSide = 2 * kAround + 1;
  constexpr int kParts = (kSide + kPlaneLanes - 1) / kPlaneLanes;
  static constexpr std::uint16_t kBeyond[8] = {0, 0, 0, 0, 0, kNoPlane, kNoPlane, kNoPlane};
  std::int32_t end = 0;
  for (int column = 0; column < columns; ++column) {
    hn::Vec<DPlanes> around[2 * kSide * kParts];
    int count = 0;
    for (const std::uint16_t* const map : {owners, of_rest}) {
      if (map == nullptr) continue;
      for (int row = -kAround; row <= kAround; ++row) {
        for (int part = 0; part < kSide; part += kPlaneLanes) {
          const std::uint16_t* const from = map + row * stride + column - kAround + part;
          around[count++] = hn::Or(hn::LoadU(d, from), hn::LoadU(d, kBeyond + part));
        }
      }
    }
    // The smallest number that is at least `next`: smaller ones wrap around to the largest.
    for (std::uint16_t next = 0;; ++next) {
      const auto from = hn::Set(d, next);
      auto least = hn::Sub(hn::Set(d, kNoPlane), from);
      for (int i = 0; i < count; ++i) least = hn::Min(least, hn::Sub(around[i], from));
      next = static_cast<std::uint16_t>(next + least_lane(least));
      if (next == kNoPlane) break;
      planes[end++] = next;
    }
    ends[column] = end;
  }
}

bool label_cell(const std::int32_t* depth, std::ptrdiff_t depth_stride, int x, int y, int rows,
                const Candidate* candidates, int count, std::uint16_t* labels,
                std::ptrdiff_t label_stride, std::int32_t* left) {
  const D32 d;
  const V32 zero = hn::Zero(d);
  V32 any = zero;
  for (int part = 0; part < kCell; part += kLanes32) {
    V32 best[kCell];
    V32 label[kCell];
    for (int row = 0; row < rows; ++row) {
      best[row] = hn::Set(d, INT32_MAX);
      label[row] = zero;
    }
    for (int i = 0; i < count; ++i) {
      const PixelPlane& plane = candidates[i].plane;
      const V32 of_column =
          hn::Mul(hn::Iota(d, part), hn::Set(d, static_cast<std::int32_t>(plane.b >> 12)));
      const V32 away = hn::Set(d, plane.distance);
      const V32 limit = hn::Set(d, candidates[i].limit);
      const V32 own = hn::Set(d, std::int32_t{candidates[i].label});
      for (int row = 0; row < rows; ++row) {
        const V32 z = hn::LoadU(d, depth + row * depth_stride + part);
        const V32 along = hn::Add(hn::Set(d, ray_along(plane, x, y + row, x)), of_column);
        const V32 distance = hn::Abs(hn::Sub(scaled_product(z, along), away));
        const auto nearer = hn::AndNot(hn::Gt(distance, limit), hn::Lt(distance, best[row]));
        best[row] = hn::IfThenElse(nearer, distance, best[row]);
        label[row] = hn::IfThenElse(nearer, own, label[row]);
      }
    }
    for (int row = 0; row < rows; ++row) {
      const V32 z = hn::LoadU(d, depth + row * depth_stride + part);
      const V32 of_known = hn::IfThenElseZero(hn::Gt(z, zero), label[row]);
      hn::StoreU(hn::DemoteTo(D16(), of_known), D16(), labels + row * label_stride + part);
      const V32 rest = hn::IfThenElseZero(hn::Eq(of_known, zero), z);
      any = hn::Or(any, rest);
      hn::StoreU(rest, d, left + row * kCell + part);
    }
  }
  return !hn::AllTrue(d, hn::Eq(any, zero));
}

// The label that at least five of the eight neighbours of each pixel have, else its own. If such a
// label exists, each of its bits is the majority of the eight.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V majority(D d, const std::uint16_t* at, std::ptrdiff_t stride, V own) {
  const V near[8] = {hn::LoadU(d, at - stride - 1), hn::LoadU(d, at - stride),
                     hn::LoadU(d, at - stride + 1), hn::LoadU(d, at - 1),
                     hn::LoadU(d, at + 1),          hn::LoadU(d, at + stride - 1),
                     hn::LoadU(d, at + stride),     hn::LoadU(d, at + stride + 1)};
  // Bitwise full adder of three: `two` is the carry, `odd` the sum.
  const auto two = [](V a, V b, V c)
                       HWY_ATTR { return hn::Or(hn::And(a, b), hn::And(c, hn::Or(a, b))); };
  const auto odd = [](V a, V b, V c) HWY_ATTR { return hn::Xor(a, hn::Xor(b, c)); };
  const V first = two(near[0], near[1], near[2]);
  const V second = two(near[3], near[4], near[5]);
  const V third = hn::And(near[6], near[7]);
  const V fourth = two(odd(near[0], near[1], near[2]), odd(near[3], near[4], near[5]),
                       hn::Xor(near[6], near[7]));
  // Two of the four carries mean at least four set bits. If five neighbours share a label, its set
  // bits have at least five, its clear bits at most three.
  const V most = hn::Or(hn::Or(hn::And(first, second), hn::And(third, fourth)),
                        hn::And(hn::Or(first, second), hn::Or(third, fourth)));
  const hn::RebindToSigned<D> di;
  auto alike = hn::Zero(di);  // minus the number of equal neighbours
  for (int i = 0; i < 8; ++i) {
    alike = hn::Add(alike, hn::BitCast(di, hn::VecFromMask(d, hn::Eq(near[i], most))));
  }
  const auto enough = hn::RebindMask(d, hn::Lt(alike, hn::Set(di, std::int16_t{-4})));
  const auto no_label = hn::Or(hn::Eq(most, hn::Zero(d)), hn::Eq(most, hn::Set(d, kOutside)));
  return hn::IfThenElse(hn::AndNot(no_label, enough), most, own);
}

void smooth_row(const std::uint16_t* labels, std::ptrdiff_t stride, const std::int32_t* depth,
                int width, std::uint16_t* smoothed) {
  const hn::CappedTag<std::uint16_t, 16> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto outside = hn::Set(d, kOutside);
  for (int x = 0; x < width; x += lanes) {
    const auto own = hn::LoadU(d, labels + x);
    hn::StoreU(own, d, smoothed + x);
    const auto alike = [&](std::ptrdiff_t offset) HWY_ATTR {
      const auto near = hn::LoadU(d, labels + x + offset);
      return hn::Or(hn::Eq(near, own), hn::Eq(near, outside));
    };
    const auto all = hn::And(hn::And(alike(-1), alike(1)), hn::And(alike(-stride), alike(stride)));
    if (hn::AllTrue(d, all)) continue;
    const auto major = hn::IfThenElse(all, own, majority(d, labels + x, stride, own));
    if (hn::AllTrue(d, hn::Eq(major, own))) continue;
    std::uint16_t others[16];
    hn::StoreU(major, d, others);
    for (int i = 0; i < lanes && x + i < width; ++i) {
      if (depth[x + i] != 0) smoothed[x + i] = others[i];
    }
  }
}

int find_ends(const std::uint16_t* labels, int width, std::int32_t* ends) {
  const hn::CappedTag<std::uint16_t, 16> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int count = 0;
  for (int x = 1; x <= width; x += lanes) {
    const auto differs = hn::Ne(hn::LoadU(d, labels + x), hn::LoadU(d, labels + x - 1));
    if (hn::AllFalse(d, differs)) continue;
    std::uint16_t of_lane[16];
    hn::StoreU(hn::VecFromMask(d, differs), d, of_lane);
    for (int i = 0; i < lanes; ++i) {
      ends[count] = x + i;
      count += of_lane[i] & 1;
    }
  }
  // Ends after the row do not count.
  while (count > 0 && ends[count - 1] > width) --count;
  return count;
}

void find_whole_cells(const std::uint16_t* labels, std::ptrdiff_t stride, int cells,
                      std::uint8_t* whole) {
  const hn::CappedTag<std::uint16_t, kCell> d;
  for (int cell = 0; cell < cells; ++cell) {
    const std::uint16_t* const at = labels + cell * kCell;
    const auto first = hn::Set(d, *at);
    auto other = hn::Zero(d);
    for (int row = 0; row < kCell; ++row) {
      for (int i = 0; i < kCell; i += static_cast<int>(hn::Lanes(d))) {
        other = hn::Or(other, hn::Xor(hn::LoadU(d, at + row * stride + i), first));
      }
    }
    whole[cell] = *at != 0 && hn::AllTrue(d, hn::Eq(other, hn::Zero(d))) ? 1 : 0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(find_planes_around);
HWY_EXPORT(label_cell);
HWY_EXPORT(smooth_row);
HWY_EXPORT(find_ends);
HWY_EXPORT(find_whole_cells);

void find_planes_around(const std::uint16_t* owners, const std::uint16_t* of_rest,
                        std::ptrdiff_t stride, int columns, std::uint16_t* planes,
                        std::int32_t* ends) {
  HWY_DYNAMIC_DISPATCH(find_planes_around)(owners, of_rest, stride, columns, planes, ends);
}

bool label_cell(const std::int32_t* depth, std::ptrdiff_t depth_stride, int x, int y, int rows,
                const Candidate* candidates, int count, std::uint16_t* labels,
                std::ptrdiff_t label_stride, std::int32_t* left) {
  return HWY_DYNAMIC_DISPATCH(label_cell)(depth, depth_stride, x, y, rows, candidates, count,
                                          labels, label_stride, left);
}

void smooth_row(const std::uint16_t* labels, std::ptrdiff_t stride, const std::int32_t* depth,
                int width, std::uint16_t* smoothed) {
  HWY_DYNAMIC_DISPATCH(smooth_row)(labels, stride, depth, width, smoothed);
}

int find_ends(const std::uint16_t* labels, int width, std::int32_t* ends) {
  return HWY_DYNAMIC_DISPATCH(find_ends)(labels, width, ends);
}

void find_whole_cells(const std::uint16_t* labels, std::ptrdiff_t stride, int cells,
                      std::uint8_t* whole) {
  HWY_DYNAMIC_DISPATCH(find_whole_cells)(labels, stride, cells, whole);
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
