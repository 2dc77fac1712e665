// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/blend.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/image/reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/image/blend.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/load_samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Du32 = hn::ScalableTag<std::uint32_t>;
using Di32 = hn::ScalableTag<std::int32_t>;
using Vu32 = hn::Vec<Du32>;
using Vi32 = hn::Vec<Di32>;

// The number of columns in whole blocks; the scalar reference does the rest.
HWY_INLINE int whole_blocks(int width, int block) { return width / block * block; }

// Blends two bytes of each pixel, 16 bits apart: neither sum leaves its half. Dividends x are at
// most 255 * 255, for which the shifts equal (x + 127) / 255.
HWY_INLINE Vu32 blended_halves(Vu32 under, Vu32 over, Vu32 alpha, Vu32 bare) {
  const Du32 d;
  const auto bytes = hn::Set(d, 0x00FF00FFU);
  const auto sum =
      hn::Add(hn::Add(hn::Mul(under, bare), hn::Mul(over, alpha)), hn::Set(d, 0x00800080U));
  const auto high = hn::And(hn::ShiftRight<8>(sum), bytes);
  return hn::And(hn::ShiftRight<8>(hn::Add(sum, high)), bytes);
}

void blend_rgba(const RgbaView& drawing, const RgbaView& picture) {
  const Du32 d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto bytes = hn::Set(d, 0x00FF00FFU);
  const auto opaque = hn::Set(d, 0xFF000000U);
  const int end = whole_blocks(picture.width, lanes);
  for (int row = 0; row < picture.height; ++row) {
    const std::byte* from = drawing.data + row * drawing.stride;
    std::byte* to = picture.data + row * picture.stride;
    for (int column = 0; column < end; column += lanes, from += 4 * lanes, to += 4 * lanes) {
      auto over = load_samples(d, from);
      const auto alpha = hn::ShiftRight<24>(over);
      if (hn::AllTrue(d, hn::Eq(alpha, hn::Zero(d)))) continue;
      over = hn::Or(over, opaque);
      const auto under = load_samples(d, to);
      const auto bare = hn::Xor(alpha, hn::Set(d, 255U));
      const auto even = blended_halves(hn::And(under, bytes), hn::And(over, bytes), alpha, bare);
      const auto odd = blended_halves(hn::And(hn::ShiftRight<8>(under), bytes),
                                      hn::And(hn::ShiftRight<8>(over), bytes), alpha, bare);
      store_samples(d, hn::Or(even, hn::ShiftLeft<8>(odd)), to);
    }
  }
  const std::ptrdiff_t done = std::ptrdiff_t{4} * end;
  reference::blend_into_rgba(
      {drawing.data + done, drawing.stride, picture.width - end, picture.height},
      {picture.data + done, picture.stride, picture.width - end, picture.height});
}

// yuv_byte() of each pixel, from their R, G and B.
HWY_INLINE Vi32 yuv_bytes(const std::int32_t (&row)[4], Vi32 r, Vi32 g, Vi32 b) {
  const Di32 d;
  const auto sum = hn::Add(hn::Add(hn::Mul(hn::Set(d, row[0]), r), hn::Mul(hn::Set(d, row[1]), g)),
                           hn::Add(hn::Mul(hn::Set(d, row[2]), b), hn::Set(d, row[3])));
  return hn::Min(hn::Max(hn::ShiftRight<16>(sum), hn::Zero(d)), hn::Set(d, 255));
}

// Sums over two rows, for some columns: alpha times chroma, and alpha.
struct Chroma {
  Vi32 u, v, alphas;
};

// Blends a vector of pixels into the luma, and adds their chroma to the sums.
HWY_INLINE void blend_luma(Vu32 over, const YuvMatrix& matrix, std::byte* luma, Chroma* sums) {
  const Di32 d;
  const Du32 du;
  const hn::Rebind<std::uint8_t, Di32> d8;
  const auto byte = hn::Set(du, 255U);
  const auto alpha = hn::BitCast(d, hn::ShiftRight<24>(over));
  const auto r = hn::BitCast(d, hn::And(over, byte));
  const auto g = hn::BitCast(d, hn::And(hn::ShiftRight<8>(over), byte));
  const auto b = hn::BitCast(d, hn::And(hn::ShiftRight<16>(over), byte));
  auto* bytes = reinterpret_cast<std::uint8_t*>(luma);
  const auto under = hn::PromoteTo(d, hn::LoadU(d8, bytes));
  const auto bare = hn::Sub(hn::Set(d, 255), alpha);
  const auto sum = hn::Add(
      hn::Add(hn::Mul(under, bare), hn::Mul(yuv_bytes(matrix.y, r, g, b), alpha)), hn::Set(d, 128));
  const auto blended = hn::ShiftRight<8>(hn::Add(sum, hn::ShiftRight<8>(sum)));
  hn::StoreU(hn::DemoteTo(d8, blended), d8, bytes);
  sums->u = hn::Add(sums->u, hn::Mul(alpha, yuv_bytes(matrix.u, r, g, b)));
  sums->v = hn::Add(sums->v, hn::Mul(alpha, yuv_bytes(matrix.v, r, g, b)));
  sums->alphas = hn::Add(sums->alphas, alpha);
}

// blended_chroma() of four pixels: x / 1020 is (x / 4) / 255. As x / 4 is at most 255 * 255 + 127,
// the shifts give the exact quotient.
HWY_INLINE Vi32 blended_chromas(Vi32 under, Vi32 sum, Vi32 bare) {
  const Di32 d;
  const auto all = hn::Add(hn::Add(hn::Mul(under, bare), sum), hn::Set(d, 510));
  const auto more = hn::Add(hn::ShiftRight<2>(all), hn::Set(d, 1));
  return hn::ShiftRight<8>(hn::Add(more, hn::ShiftRight<8>(more)));
}

// Adds neighbouring lanes (pairs of columns) of two vectors into one vector.
HWY_INLINE Vi32 sums_of_pairs(Vi32 low, Vi32 high) {
  const Di32 d;
  return hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
}

void blend_nv12(const RgbaView& drawing, const YuvMatrix& matrix, const Nv12View& picture) {
  const Du32 du;
  const Di32 d;
  const hn::Rebind<std::uint16_t, Di32> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int end = whole_blocks(picture.width, 2 * lanes);
  const int rows = picture.height / 2 * 2;
  for (int top = 0; top < rows; top += 2) {
    for (int left = 0; left < end; left += 2 * lanes) {
      const std::byte* from = drawing.data + top * drawing.stride + 4 * std::ptrdiff_t{left};
      const Vu32 over[4] = {load_samples(du, from), load_samples(du, from + 4 * lanes),
                            load_samples(du, from + drawing.stride),
                            load_samples(du, from + drawing.stride + 4 * lanes)};
      const auto any = hn::Or(hn::Or(over[0], over[1]), hn::Or(over[2], over[3]));
      if (hn::AllTrue(du, hn::Eq(hn::ShiftRight<24>(any), hn::Zero(du)))) continue;
      std::byte* luma = picture.luma + top * picture.luma_stride + left;
      Chroma low{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
      Chroma high = low;
      blend_luma(over[0], matrix, luma, &low);
      blend_luma(over[1], matrix, luma + lanes, &high);
      blend_luma(over[2], matrix, luma + picture.luma_stride, &low);
      blend_luma(over[3], matrix, luma + picture.luma_stride + lanes, &high);
      auto* chroma =
          reinterpret_cast<std::uint16_t*>(picture.chroma + top / 2 * picture.chroma_stride + left);
      const auto under = hn::PromoteTo(d, hn::LoadU(d16, chroma));
      const auto bare = hn::Sub(hn::Set(d, 1020), sums_of_pairs(low.alphas, high.alphas));
      const auto u =
          blended_chromas(hn::And(under, hn::Set(d, 255)), sums_of_pairs(low.u, high.u), bare);
      const auto v = blended_chromas(hn::ShiftRight<8>(under), sums_of_pairs(low.v, high.v), bare);
      hn::StoreU(hn::DemoteTo(d16, hn::Or(u, hn::ShiftLeft<8>(v))), d16, chroma);
    }
  }
  // The rest: columns at the right, and the last row of an odd height.
  const auto rest = [&](int column, int row, int height) {
    const Nv12View part{picture.luma + row * picture.luma_stride + column,
                        picture.luma_stride,
                        picture.chroma + row / 2 * picture.chroma_stride + column,
                        picture.chroma_stride,
                        picture.width - column,
                        height};
    reference::blend_into_nv12({drawing.data + row * drawing.stride + 4 * std::ptrdiff_t{column},
                                drawing.stride, part.width, part.height},
                               matrix, part);
  };
  rest(end, 0, rows);
  rest(0, rows, picture.height - rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(blend_rgba);
HWY_EXPORT(blend_nv12);

void blend_into_rgba(const RgbaView& drawing, const RgbaView& picture) {
  HWY_DYNAMIC_DISPATCH(blend_rgba)(drawing, picture);
}

void blend_into_nv12(const RgbaView& drawing, const YuvMatrix& matrix, const Nv12View& picture) {
  HWY_DYNAMIC_DISPATCH(blend_nv12)(drawing, matrix, picture);
}

YuvMatrix yuv_matrix(double red, double blue, bool full_range) {
  const double green = 1.0 - red - blue;
  const double luma = full_range ? 1.0 : 219.0 / 255.0;
  const double chroma = (full_range ? 1.0 : 224.0 / 255.0) / 2.0;
  const auto fixed = [](double factor) {
    return static_cast<std::int32_t>(std::floor(factor * 65536.0 + 0.5));
  };
  YuvMatrix m;
  const double y[3] = {red * luma, green * luma, blue * luma};
  const double u[3] = {-red / (1.0 - blue) * chroma, -green / (1.0 - blue) * chroma, chroma};
  const double v[3] = {chroma, -green / (1.0 - red) * chroma, -blue / (1.0 - red) * chroma};
  for (int i = 0; i < 3; ++i) {
    m.y[i] = fixed(y[i]);
    m.u[i] = fixed(u[i]);
    m.v[i] = fixed(v[i]);
  }
  m.y[3] = (full_range ? 0 : 16) * 65536 + 32768;
  m.u[3] = m.v[3] = 128 * 65536 + 32768;
  return m;
}

}  // namespace rdp
#endif  // HWY_ONCE
