// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/census_rows.h"

#include <algorithm>

#include "common/heightmap/rules.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/heightmap/census_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

#ifndef RDP_HEIGHTMAP_CENSUS
#define RDP_HEIGHTMAP_CENSUS
namespace rdp::heightmap {

inline constexpr int kCensusReach = 2;  // rows and columns of the window around its centre
inline constexpr int kCensusSide = 2 * kCensusReach + 1;
// Smoothed rows in the scratch: those of one window. A further row holds smooth_row()'s sums.
inline constexpr int kCensusRing = kCensusSide;
// Elements before and after a row: repeated border pixels, and the overrun of vectors.
inline constexpr std::ptrdiff_t kCensusBorder = 64;

inline std::ptrdiff_t census_stride(int width) { return width + 2 * kCensusBorder; }

}  // namespace rdp::heightmap
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp::heightmap {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using WordTag = hn::ScalableTag<std::uint16_t>;
using Words = hn::Vec<WordTag>;
inline constexpr std::ptrdiff_t kWordLanes = static_cast<std::ptrdiff_t>(hn::MaxLanes(WordTag()));

// Repeats a row's border pixels on both sides.
void repeat_border(std::uint16_t* row, int width) {
  std::fill_n(row - kCensusReach, kCensusReach, row[0]);
  std::fill_n(row + width, kCensusReach, row[width - 1]);
}

// (1 2 1) times (1 2 1). `sums` is scratch.
void smooth_row(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
                int width, std::uint16_t* sums, std::uint16_t* out) {
  const WordTag d;
  const hn::Rebind<std::uint8_t, WordTag> bytes;
  std::ptrdiff_t x = 0;
  for (; x + kWordLanes <= width; x += kWordLanes) {
    const Words middle = hn::PromoteTo(d, hn::LoadU(bytes, here + x));
    const Words outer = hn::Add(hn::PromoteTo(d, hn::LoadU(bytes, above + x)),
                                hn::PromoteTo(d, hn::LoadU(bytes, below + x)));
    hn::StoreU(hn::Add(outer, hn::Add(middle, middle)), d, sums + x);
  }
  for (; x < width; ++x) {
    sums[x] = static_cast<std::uint16_t>(above[x] + 2 * here[x] + below[x]);
  }
  sums[-1] = sums[0];
  sums[width] = sums[width - 1];
  for (x = 0; x < width; x += kWordLanes) {
    const Words middle = hn::LoadU(d, sums + x);
    const Words outer = hn::Add(hn::LoadU(d, sums + x - 1), hn::LoadU(d, sums + x + 1));
    hn::StoreU(hn::Add(outer, hn::Add(middle, middle)), d, out + x);
  }
  repeat_border(out, width);
}

// Bits of the pixels [kFirst, kEnd) of a window, the centre left out.
template <int kFirst, int kEnd>
HWY_INLINE Words census_bits(const std::uint16_t* const* rows, std::ptrdiff_t x, Words centre) {
  const WordTag d;
  Words bits = hn::Zero(d);
  RDP_UNROLL
  for (int i = kFirst; i < kEnd; ++i) {
    const int number = i < kCensusBits / 2 ? i : i + 1;
    const Words pixel =
        hn::LoadU(d, rows[number / kCensusSide] + x + number % kCensusSide - kCensusReach);
    // Sums are at most 4080.
    const hn::Repartition<std::int16_t, WordTag> di;
    const auto less = hn::Lt(hn::BitCast(di, pixel), hn::BitCast(di, centre));
    const auto bit =
        hn::Set(di, static_cast<std::int16_t>(static_cast<std::uint16_t>(1U << (i - kFirst))));
    bits = hn::Or(bits, hn::BitCast(d, hn::IfThenZeroElse(less, bit)));
  }
  return bits;
}

void census_row(const std::uint16_t* const* rows, int width, std::uint32_t* out) {
  const WordTag d;
  const hn::Half<WordTag> half;
  const hn::Repartition<std::uint32_t, WordTag> d32;
  constexpr int kLow = 16;
  for (std::ptrdiff_t x = 0; x < width; x += kWordLanes) {
    const Words centre = hn::LoadU(d, rows[kCensusReach] + x);
    alignas(64) std::uint16_t low[kWordLanes];
    alignas(64) std::uint16_t high[kWordLanes];
    hn::Store(census_bits<0, kLow>(rows, x, centre), d, low);
    hn::Store(census_bits<kLow, kCensusBits>(rows, x, centre), d, high);
    const std::ptrdiff_t count = std::min<std::ptrdiff_t>(kWordLanes, width - x);
    (void)half;
    (void)d32;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      out[x + i] = static_cast<std::uint32_t>(low[i]) | static_cast<std::uint32_t>(high[i]) << kLow;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::heightmap
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::heightmap {

HWY_EXPORT(smooth_row);
HWY_EXPORT(census_row);

std::size_t census_scratch(int width) {
  return static_cast<std::size_t>((kCensusRing + 1) * census_stride(width));
}

void census_rows(const DepthView& picture, int first, int end, std::uint16_t* scratch,
                 std::uint32_t* out) {
  const int width = picture.width;
  const int last = picture.height - 1;
  const std::ptrdiff_t stride = census_stride(width);
  std::uint16_t* const sums = scratch + kCensusRing * stride + kCensusBorder;
  const auto source = [&](int row) {
    return reinterpret_cast<const std::uint8_t*>(picture.row(std::clamp(row, 0, last)));
  };
  // A smoothed row has a place of its own in the ring.
  const auto smooth = [&](int row) { return scratch + row % kCensusRing * stride + kCensusBorder; };
  int made = std::max(first - kCensusReach, 0);
  for (int row = first; row < end; ++row) {
    for (; made <= std::min(row + kCensusReach, last); ++made) {
      HWY_DYNAMIC_DISPATCH(smooth_row)
      (source(made - 1), source(made), source(made + 1), width, sums, smooth(made));
    }
    const std::uint16_t* rows[kCensusSide];
    for (int i = 0; i < kCensusSide; ++i) {
      rows[i] = smooth(std::clamp(row + i - kCensusReach, 0, last));
    }
    HWY_DYNAMIC_DISPATCH(census_row)
    (rows, width, out + static_cast<std::ptrdiff_t>(row) * width);
  }
}

}  // namespace rdp::heightmap
#endif  // HWY_ONCE
