// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/cell_labels.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/frames/cell_labels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

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
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d,
                 static_cast<std::int32_t>((std::int64_t{hn::GetLane(a)} * hn::GetLane(b)) >> 28));
#else
  const hn::Repartition<std::uint64_t, D32> d64;
  const auto odd = [&](V32 v)
                       HWY_ATTR { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, v))); };
  const V32 low = hn::BitCast(d, hn::ShiftRight<28>(hn::BitCast(d64, hn::MulEven(a, b))));
  const V32 high = hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(d64, hn::MulEven(odd(a), odd(b)))));
  return hn::OddEven(high, low);
#endif
}

void label_cell(const std::int32_t* depth, std::ptrdiff_t depth_stride, int x, int y, int rows,
                const Candidate* candidates, int count, std::uint16_t* labels,
                std::ptrdiff_t label_stride) {
  const D32 d;
  for (int row = 0; row < rows; ++row) {
    for (int part = 0; part < kCell; part += kLanes32) {
      const V32 z = hn::LoadU(d, depth + row * depth_stride + part);
      V32 best = hn::Set(d, INT32_MAX);
      V32 label = hn::Zero(d);
      for (int i = 0; i < count; ++i) {
        const PixelPlane& plane = candidates[i].plane;
        const V32 along = hn::Add(
            hn::Set(d, ray_along(plane, x, y + row, x)),
            hn::Mul(hn::Iota(d, part), hn::Set(d, static_cast<std::int32_t>(plane.b >> 12))));
        const V32 distance = hn::Abs(hn::Sub(scaled_product(z, along), hn::Set(d, plane.distance)));
        const auto nearer = hn::And(hn::Lt(distance, best),
                                    hn::Not(hn::Gt(distance, hn::Set(d, candidates[i].limit))));
        best = hn::IfThenElse(nearer, distance, best);
        label = hn::IfThenElse(nearer, hn::Set(d, std::int32_t{candidates[i].label}), label);
      }
      label = hn::IfThenElseZero(hn::Gt(z, hn::Zero(d)), label);
      hn::StoreU(hn::DemoteTo(D16(), label), D16(), labels + row * label_stride + part);
    }
  }
}

HWY_INLINE std::uint16_t majority(const std::uint16_t* at, std::ptrdiff_t stride) {
  const std::uint16_t near[8] = {at[-stride - 1], at[-stride],    at[-stride + 1], at[-1],
                                 at[1],           at[stride - 1], at[stride],      at[stride + 1]};
  // Five of eight: one of any four is it, as at most three are not.
  for (int i = 0; i < 4; ++i) {
    int alike = 0;
    for (int k = 0; k < 8; ++k) alike += near[k] == near[i] ? 1 : 0;
    if (alike >= 5) return near[i] == kOutside || near[i] == 0 ? *at : near[i];
  }
  return *at;
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
    std::uint16_t differs[16];
    hn::StoreU(hn::IfThenZeroElse(all, hn::Set(d, std::uint16_t{1})), d, differs);
    for (int i = 0; i < lanes && x + i < width; ++i) {
      if (differs[i] != 0 && depth[x + i] != 0) smoothed[x + i] = majority(labels + x + i, stride);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(label_cell);
HWY_EXPORT(smooth_row);

void label_cell(const std::int32_t* depth, std::ptrdiff_t depth_stride, int x, int y, int rows,
                const Candidate* candidates, int count, std::uint16_t* labels,
                std::ptrdiff_t label_stride) {
  HWY_DYNAMIC_DISPATCH(label_cell)
  (depth, depth_stride, x, y, rows, candidates, count, labels, label_stride);
}

void smooth_row(const std::uint16_t* labels, std::ptrdiff_t stride, const std::int32_t* depth,
                int width, std::uint16_t* smoothed) {
  HWY_DYNAMIC_DISPATCH(smooth_row)(labels, stride, depth, width, smoothed);
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
