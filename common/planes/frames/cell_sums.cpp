// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/cell_sums.h"

#include "common/planes/frames/geometry.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/frames/cell_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::planes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::CappedTag<std::int64_t, kCell>;
using D32Half = hn::Rebind<std::int32_t, D64>;
using V64 = hn::Vec<D64>;
constexpr int kLanes64 = static_cast<int>(hn::MaxLanes(D64()));

// Products of the lower halves of lanes; the upper halves are ignored.
HWY_INLINE V64 product(V64 a, V64 b) {
  const hn::Repartition<std::int32_t, D64> d;
  return hn::MulEven(hn::BitCast(d, a), hn::BitCast(d, b));
}

// Sign-extends the lower halves to 64 bits.
HWY_INLINE V64 widened(V64 v) { return hn::ShiftRight<32>(hn::ShiftLeft<32>(v)); }

// Sums of points, lane by lane. Those of the coordinates are in the lower halves: 8 rows of 2^21.
struct Sums {
  V64 n, x, y, z, xx, xy, xz, yy, yz, zz;

  // Written out: GCC 12 for Arm makes the implicit one for a processor without these vectors.
  HWY_INLINE Sums() {}

  HWY_INLINE void clear() { n = x = y = z = xx = xy = xz = yy = yz = zz = hn::Zero(D64()); }

  HWY_INLINE void add(V64 depth, V64 ray_x, V64 ray_y) {
    const D64 d;
    const V64 half = hn::Set(d, std::int64_t{1} << (kRayBits - 1));
    // Logical and arithmetic shifts agree in the lower half.
    const hn::RebindToUnsigned<D64> du;
    const auto across = [&](V64 ray) HWY_ATTR {
      return hn::BitCast(
          d, hn::ShiftRight<kRayBits>(hn::BitCast(du, hn::Add(product(depth, ray), half))));
    };
    const V64 px = across(ray_x);
    const V64 py = across(ray_y);
    n = hn::Sub(n, hn::VecFromMask(d, hn::Ne(depth, hn::Zero(d))));
    x = hn::Add(x, widened(px));
    y = hn::Add(y, widened(py));
    z = hn::Add(z, depth);
    xx = hn::Add(xx, product(px, px));
    xy = hn::Add(xy, product(px, py));
    xz = hn::Add(xz, product(px, depth));
    yy = hn::Add(yy, product(py, py));
    yz = hn::Add(yz, product(py, depth));
    zz = hn::Add(zz, product(depth, depth));
  }

  HWY_INLINE void add_to(Moments* m) const {
    const D64 d;
    const auto sum = [&](V64 v) HWY_ATTR {
      return static_cast<std::uint64_t>(hn::GetLane(hn::SumOfLanes(d, v)));
    };
    m->n += sum(n);
    m->sum[0] += sum(x);
    m->sum[1] += sum(y);
    m->sum[2] += sum(z);
    m->products[0] += sum(xx);
    m->products[1] += sum(xy);
    m->products[2] += sum(xz);
    m->products[3] += sum(yy);
    m->products[4] += sum(yz);
    m->products[5] += sum(zz);
  }
};

HWY_INLINE V64 load(const std::int32_t* from) {
  return hn::PromoteTo(D64(), hn::LoadU(D32Half(), from));
}

void add_cells(const std::int32_t* depth, std::ptrdiff_t stride, int cells,
               const std::int32_t* ray_x, const std::int32_t* ray_y, Moments* moments) {
  for (int cell = 0; cell < cells; ++cell) {
    Sums sums;
    sums.clear();
    for (int row = 0; row < kCell; ++row) {
      const V64 y = hn::Set(D64(), std::int64_t{ray_y[row]});
      for (int x = cell * kCell; x < (cell + 1) * kCell; x += kLanes64) {
        sums.add(load(depth + row * stride + x), load(ray_x + x), y);
      }
    }
    sums.add_to(moments + cell);
  }
}

void add_run(const std::int32_t* depth, int first, int end, const std::int32_t* ray_x,
             std::int32_t ray_y, Moments* moments) {
  Sums sums;
  sums.clear();
  const V64 y = hn::Set(D64(), std::int64_t{ray_y});
  int x = first;
  for (; x + kLanes64 <= end; x += kLanes64) sums.add(load(depth + x), load(ray_x + x), y);
  if (x < end) {
    // A depth of 0 adds nothing.
    const auto inside = hn::FirstN(D64(), static_cast<std::size_t>(end - x));
    sums.add(hn::IfThenElseZero(inside, load(depth + x)), load(ray_x + x), y);
  }
  sums.add_to(moments);
}

// Samples of 16 bits.
void look_up_row(const std::byte* samples, int width, const std::int32_t* table,
                 std::int32_t* depth) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto sample = hn::LoadU(
        d16, reinterpret_cast<const std::uint16_t*>(samples + 2 * static_cast<std::ptrdiff_t>(x)));
    hn::StoreU(hn::GatherIndex(d, table, hn::PromoteTo(d, sample)), d, depth + x);
  }
  for (; x < width; ++x) {
    std::uint16_t sample;
    __builtin_memcpy(&sample, samples + 2 * static_cast<std::ptrdiff_t>(x), sizeof sample);
    depth[x] = table[sample];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(add_cells);
HWY_EXPORT(add_run);
HWY_EXPORT(look_up_row);

void look_up_row(const std::byte* samples, SampleType type, int width, const std::int32_t* table,
                 std::int32_t* depth) {
  if (type == SampleType::kU16) {
    HWY_DYNAMIC_DISPATCH(look_up_row)(samples, width, table, depth);
    return;
  }
  for (int x = 0; x < width; ++x) depth[x] = table[std::to_integer<int>(samples[x])];
}

void add_cells(const std::int32_t* depth, std::ptrdiff_t stride, int cells,
               const std::int32_t* ray_x, const std::int32_t* ray_y, Moments* moments) {
  HWY_DYNAMIC_DISPATCH(add_cells)(depth, stride, cells, ray_x, ray_y, moments);
}

void add_run(const std::int32_t* depth, int first, int end, const std::int32_t* ray_x,
             std::int32_t ray_y, Moments* moments) {
  HWY_DYNAMIC_DISPATCH(add_run)(depth, first, end, ray_x, ray_y, moments);
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
