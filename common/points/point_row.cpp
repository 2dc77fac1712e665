// SPDX-License-Identifier: LGPL-2.1-or-later
// Distances are worked out in the lanes: a division a vector costs less than looking values up in a
// table that does not fit the first cache.
#include "common/points/point_row.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "common/points/point.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/points/point_row.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/load_samples-inl.h"

#ifndef RDP_POINTS_SCALAR
#define RDP_POINTS_SCALAR
namespace rdp::points {

// Writes the columns from `first` on one by one: the tail of a row after its whole vectors.
inline void write_points_singly(const PointRow& row, const DepthOfValue& depth,
                                const Parameters& parameters, int first, float* to) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  const DepthView samples{row.samples, 0, row.width, 1, row.type};
  for (int i = first; i < row.width; ++i) {
    const std::uint16_t sample = samples.at(0, i);
    const double found = parameters.known.contains(sample) ? depth_of_value(sample, depth) : 0.0;
    const double z = found > 0.0 ? found : kNone;
    write_point(row.x[i] * z, row.y[row.each_pixel ? i : 0] * z, z, parameters.forward_left_up,
                kUnknown, to + kCoordinates * static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace rdp::points
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp::points {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Highway's emulated target is excluded: it converts numbers beyond the floats to the largest
// float.
#if HWY_TARGET != HWY_EMU128

using Df64 = hn::ScalableTag<double>;
using Df32 = hn::Rebind<float, Df64>;
using Di32 = hn::Rebind<std::int32_t, Df64>;

// Constants of all points of a frame.
struct RowConstants {
  hn::Vec<Di32> first, last;  // the samples that are known
  hn::Vec<Df64> factor, offset, numerator;
};

// Depth Z of samples, or NaN. The order of operations is depth_of_value()'s. `first` is at least 1,
// so sample 0 is unknown.
template <bool kReciprocal>
HWY_INLINE hn::Vec<Df64> depths_of(hn::Vec<Di32> samples, const RowConstants& c) {
  const Df64 df64;
  const Di32 di32;
  const auto none = hn::Set(df64, std::numeric_limits<double>::quiet_NaN());
  const auto zero = hn::Zero(df64);
  const auto unknown = hn::Or(hn::VecFromMask(di32, hn::Lt(samples, c.first)),
                              hn::VecFromMask(di32, hn::Gt(samples, c.last)));
  // Widens the mask in a way that every target has: all bits set become -1.0, none +0.0.
  const auto is_known = hn::Eq(hn::PromoteTo(df64, unknown), zero);
  const auto linear = hn::Add(hn::Mul(hn::PromoteTo(df64, samples), c.factor), c.offset);
  const auto z = kReciprocal ? hn::Div(c.numerator, linear) : linear;
  const auto there = hn::And(hn::And(is_known, hn::Gt(linear, zero)), hn::Gt(z, zero));
  return hn::IfThenElse(there, z, none);
}

template <typename Sample, bool kReciprocal, bool kForwardLeftUp, bool kEachPixel>
int write_vectors(const PointRow& row, const RowConstants& c, float* to) {
  const Df64 df64;
  const Df32 df32;
  const Di32 di32;
  const hn::Rebind<Sample, Df64> samples_tag;
  const int lanes = static_cast<int>(hn::Lanes(df64));
  const auto unknown = hn::Set(df32, std::numeric_limits<float>::quiet_NaN());
  const auto most = hn::Set(df32, std::numeric_limits<float>::max());
  auto row_y = hn::Set(df64, row.y[0]);
  int i = 0;
  for (; i + lanes <= row.width; i += lanes) {
    const auto samples = hn::PromoteTo(
        di32, rdp::HWY_NAMESPACE::load_samples(
                  samples_tag, row.samples + static_cast<std::ptrdiff_t>(sizeof(Sample)) * i));
    const auto z = depths_of<kReciprocal>(samples, c);
    if constexpr (kEachPixel) row_y = hn::LoadU(df64, row.y + i);
    const auto right = hn::DemoteTo(df32, hn::Mul(hn::LoadU(df64, row.x + i), z));
    const auto down = hn::DemoteTo(df32, hn::Mul(row_y, z));
    const auto forward = hn::DemoteTo(df32, z);
    // A comparison with NaN is false.
    const auto known = hn::And(hn::And(hn::Le(hn::Abs(right), most), hn::Le(hn::Abs(down), most)),
                               hn::Le(forward, most));
    const auto a = kForwardLeftUp ? forward : right;
    const auto b = kForwardLeftUp ? hn::Neg(right) : down;
    const auto e = kForwardLeftUp ? hn::Neg(down) : forward;
    hn::StoreInterleaved3(hn::IfThenElse(known, a, unknown), hn::IfThenElse(known, b, unknown),
                          hn::IfThenElse(known, e, unknown), df32,
                          to + kCoordinates * static_cast<std::ptrdiff_t>(i));
  }
  return i;
}

template <typename Sample, bool kReciprocal, bool kForwardLeftUp>
int write_lens(const PointRow& row, const RowConstants& c, float* to) {
  return row.each_pixel ? write_vectors<Sample, kReciprocal, kForwardLeftUp, true>(row, c, to)
                        : write_vectors<Sample, kReciprocal, kForwardLeftUp, false>(row, c, to);
}

template <typename Sample, bool kReciprocal>
int write_axes(const PointRow& row, const RowConstants& c, bool forward_left_up, float* to) {
  return forward_left_up ? write_lens<Sample, kReciprocal, true>(row, c, to)
                         : write_lens<Sample, kReciprocal, false>(row, c, to);
}

template <typename Sample>
int write_rule(const PointRow& row, const RowConstants& c, bool reciprocal, bool forward_left_up,
               float* to) {
  return reciprocal ? write_axes<Sample, true>(row, c, forward_left_up, to)
                    : write_axes<Sample, false>(row, c, forward_left_up, to);
}

void write_row(const PointRow& row, const DepthOfValue& depth, const Parameters& parameters,
               float* to) {
  const Df64 df64;
  const Di32 di32;
  // Samples have 16 bits: any bound above 65536 acts like 65536.
  const auto bound = [&](std::uint32_t value) {
    return hn::Set(di32, static_cast<std::int32_t>(std::min<std::uint32_t>(value, 65536)));
  };
  const RowConstants c{bound(std::max<std::uint32_t>(parameters.known.first, 1)),
                       bound(parameters.known.last), hn::Set(df64, depth.factor),
                       hn::Set(df64, depth.offset), hn::Set(df64, depth.numerator)};
  const bool flu = parameters.forward_left_up;
  const int done = row.type == SampleType::kU8
                       ? write_rule<std::uint8_t>(row, c, depth.reciprocal, flu, to)
                       : write_rule<std::uint16_t>(row, c, depth.reciprocal, flu, to);
  write_points_singly(row, depth, parameters, done, to);
}

#else

void write_row(const PointRow& row, const DepthOfValue& depth, const Parameters& parameters,
               float* to) {
  write_points_singly(row, depth, parameters, 0, to);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace rdp::points
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::points {

HWY_EXPORT(write_row);

void write_point_row(const PointRow& row, const DepthOfValue& depth, const Parameters& parameters,
                     float* to) {
  HWY_DYNAMIC_DISPATCH(write_row)(row, depth, parameters, to);
}

}  // namespace rdp::points
#endif
