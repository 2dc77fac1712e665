// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/picture_rows.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/klt/picture_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rdp::klt {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::ScalableTag<std::int32_t>;
using V16 = hn::Vec<D16>;

// Pixels as they are.
HWY_INLINE V16 pixels_at(const std::int16_t* from) {
  return hn::ShiftRight<7>(hn::LoadU(D16(), from));
}

void widen_row(const std::uint8_t* from, int width, std::int16_t* to) {
  const D16 d;
  const hn::Rebind<std::uint8_t, D16> d8;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const V16 p = hn::PromoteTo(d, hn::LoadU(d8, from + x));
    hn::StoreU(hn::Add(hn::ShiftLeft<7>(p), hn::Set(d, 2)), d, to + x);
  }
  for (; x < width; ++x) to[x] = static_cast<std::int16_t>(128 * from[x] + 2);
}

// 1 4 6 4 1 down and then across, at every second pixel.
void shrink_row(const LevelView& fine, int row, int width, std::int16_t* sums, std::int16_t* to) {
  const D16 d;
  const D32 d32;
  const hn::Rebind<std::int16_t, D32> half;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const std::int16_t* const middle = fine.pixels + 2 * row * fine.stride;
  // sums[0] is that of column -2.
  for (int x = 0; x < fine.width + 5; x += lanes) {
    const std::int16_t* const from = middle + x - 2;
    const V16 a = hn::Add(pixels_at(from - 2 * fine.stride), pixels_at(from + 2 * fine.stride));
    const V16 b = hn::Add(pixels_at(from - fine.stride), pixels_at(from + fine.stride));
    const V16 c = pixels_at(from);
    const V16 twice = hn::Add(c, c);
    hn::StoreU(hn::Add(hn::Add(a, hn::Add(twice, twice)), hn::Add(twice, hn::ShiftLeft<2>(b))), d,
               sums + x);
  }
  const auto pairs = static_cast<int>(hn::Lanes(d32));
  const auto low = hn::Set(d32, 0xFFFF);
  for (int x = 0; x < width; x += pairs) {
    const auto at = [&](int i) {
      return hn::LoadU(d32, reinterpret_cast<const std::int32_t*>(sums + 2 * (x + i)));
    };
    const auto first = at(0);
    const auto second = at(1);
    const auto third = at(2);
    const auto even = hn::And(second, low);
    const auto odd = hn::Add(hn::ShiftRight<16>(first), hn::ShiftRight<16>(second));
    auto sum = hn::Add(hn::And(first, low), hn::And(third, low));
    sum = hn::Add(sum, hn::Add(hn::ShiftLeft<2>(even), hn::Add(even, even)));
    sum = hn::Add(sum, hn::Add(hn::ShiftLeft<2>(odd), hn::Set(d32, 128)));
    const auto pixel = hn::ShiftRight<8>(sum);
    hn::StoreU(hn::DemoteTo(half, hn::Add(hn::ShiftLeft<7>(pixel), hn::Set(d32, 2))), half, to + x);
  }
}

void gradient_row(const LevelView& level, int row, std::int16_t* scratch) {
  const D16 d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  // For columns -1 to width: smoothed down, and differences.
  std::int16_t* const smooth = scratch;
  std::int16_t* const differences = scratch + row_scratch(level.width) / 2;
  const std::int16_t* const middle = level.pixels + row * level.stride - 1;
  const V16 three = hn::Set(d, 3);
  const V16 ten = hn::Set(d, 10);
  for (int x = 0; x < level.width + 2; x += lanes) {
    const V16 above = pixels_at(middle + x - level.stride);
    const V16 here = pixels_at(middle + x);
    const V16 below = pixels_at(middle + x + level.stride);
    hn::StoreU(hn::Add(hn::Mul(hn::Add(above, below), three), hn::Mul(here, ten)), d, smooth + x);
    hn::StoreU(hn::Sub(below, above), d, differences + x);
  }
  std::int16_t* const gx = level.gx + row * level.stride;
  std::int16_t* const gy = level.gy + row * level.stride;
  for (int x = 0; x < level.width; x += lanes) {
    hn::StoreU(hn::Sub(hn::LoadU(d, smooth + x + 2), hn::LoadU(d, smooth + x)), d, gx + x);
    const V16 beside = hn::Add(hn::LoadU(d, differences + x), hn::LoadU(d, differences + x + 2));
    hn::StoreU(hn::Add(hn::Mul(beside, three), hn::Mul(hn::LoadU(d, differences + x + 1), ten)), d,
               gy + x);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::klt
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::klt {
namespace {

HWY_EXPORT(widen_row);
HWY_EXPORT(shrink_row);
HWY_EXPORT(gradient_row);

void extend_row(std::int16_t* row, int width) {
  if (width > kExtension) {
    for (int i = 1; i <= kExtension; ++i) {
      row[-i] = row[i];
      row[width - 1 + i] = row[width - 1 - i];
    }
    return;
  }
  for (int i = 1; i <= kExtension; ++i) {
    row[-i] = row[mirrored(-i, width)];
    row[width - 1 + i] = row[mirrored(width - 1 + i, width)];
  }
}

}  // namespace

void frame_rows(const DepthView& frame, int first, int end, const LevelView& level) {
  for (int row = first; row < end; ++row) {
    std::int16_t* const to = level.pixels + row * level.stride;
    HWY_DYNAMIC_DISPATCH(widen_row)
    (reinterpret_cast<const std::uint8_t*>(frame.row(row)), level.width, to);
    extend_row(to, level.width);
  }
}

void shrunk_rows(const LevelView& fine, int first, int end, const LevelView& coarse,
                 std::int16_t* scratch) {
  for (int row = first; row < end; ++row) {
    std::int16_t* const to = coarse.pixels + row * coarse.stride;
    HWY_DYNAMIC_DISPATCH(shrink_row)(fine, row, coarse.width, scratch, to);
    extend_row(to, coarse.width);
  }
}

void complete_level(const LevelView& level) {
  const auto bytes = static_cast<std::size_t>(level.width + 2 * kExtension) * sizeof(std::int16_t);
  const auto copy = [&](int to, int from) {
    std::memcpy(level.pixels + to * level.stride - kExtension,
                level.pixels + from * level.stride - kExtension, bytes);
  };
  for (int i = 1; i <= kExtension; ++i) {
    copy(-i, mirrored(-i, level.height));
    copy(level.height - 1 + i, mirrored(level.height - 1 + i, level.height));
  }
}

void gradient_rows(const LevelView& level, int first, int end, std::int16_t* scratch) {
  for (int row = first; row < end; ++row) {
    std::int16_t* const gx = level.gx + row * level.stride;
    std::int16_t* const gy = level.gy + row * level.stride;
    const bool inside = row >= 0 && row < level.height;
    if (inside) HWY_DYNAMIC_DISPATCH(gradient_row)(level, row, scratch);
    for (std::int16_t* const row_start : {gx, gy}) {
      std::fill_n(row_start - kExtension, inside ? kExtension : kExtension + level.width,
                  std::int16_t{0});
      std::fill_n(row_start + level.width, kExtension, std::int16_t{0});
    }
  }
}

}  // namespace rdp::klt
#endif  // HWY_ONCE
