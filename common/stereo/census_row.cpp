// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/census_row.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/stereo/count_bits.h"
#include "common/stereo/parameters.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/stereo/census_row.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"
#include "common/stereo/path_vectors-inl.h"

#ifndef RDP_STEREO_CENSUS_BAND
#define RDP_STEREO_CENSUS_BAND
namespace rdp::stereo {

// The window's rows above and below its centre, and columns to the left and right.
inline constexpr int kCensusRows = 3;
inline constexpr int kCensusColumns = 4;
// The census has every second one of these pixels, without the centre.
inline constexpr int kCensusBits = 30;
struct CensusPixel {
  int row, column;  // from the window's first ones on
};
constexpr std::array<CensusPixel, kCensusBits> make_census_pixels() {
  std::array<CensusPixel, kCensusBits> pixels{};
  std::size_t count = 0;
  for (int row = 0; row <= 2 * kCensusRows; ++row) {
    for (int column = 0; column <= 2 * kCensusColumns; ++column) {
      const int dy = row - kCensusRows;
      const int dx = column - kCensusColumns;
      if ((dx + dy) % 2 == 0 && (dx != 0 || dy != 0)) pixels[count++] = {row, column};
    }
  }
  return pixels;
}
inline constexpr std::array<CensusPixel, kCensusBits> kCensusPixels = make_census_pixels();

// The longest vector.
inline constexpr std::ptrdiff_t kCensusVector = 64;

// The rows of a picture that a band's windows reach, in the order and the phases of the census,
// with repeated border pixels.
struct CensusBand {
  CensusBand(const CensusLayout& layout, int width)
      : border((kCensusColumns + layout.phases - 1) / layout.phases),
        phases(layout.phases),
        phase((width + layout.phases - 1) / layout.phases + 2 * border + kCensusVector) {}

  std::ptrdiff_t row_bytes() const { return phase * phases; }

  std::ptrdiff_t border;  // bytes before the first pixel of each phase
  int phases;
  std::ptrdiff_t phase;
};

}  // namespace rdp::stereo
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp::stereo {
namespace HWY_NAMESPACE {

// The start of the columns of a window, from the left neighbours on: in the phase of its centre.
using WindowColumns = std::ptrdiff_t[2 * kCensusColumns + 1];

// Comparisons that are made into one byte.
inline constexpr int kPartBits = RDP_STEREO_COUNTS_BITS ? 8 : 4;
inline constexpr int kParts = 32 / kPartBits;

int census_parts() { return kParts; }

// The value that the pixels of a window are compared with.
HWY_INLINE Bytes smoothed_centre(const std::uint8_t* const* rows, const WindowColumns& columns,
                                 std::ptrdiff_t i) {
  Words even[3];
  Words odd[3];
  RDP_UNROLL
  for (int c = 0; c < 3; ++c) {
    const std::ptrdiff_t at = columns[kCensusColumns - 1 + c] + i;
    const Bytes above = load(rows[kCensusRows - 1] + at);
    const Bytes here = load(rows[kCensusRows] + at);
    const Bytes below = load(rows[kCensusRows + 1] + at);
    even[c] = with_twice(even_lanes(above), even_lanes(here), even_lanes(below));
    odd[c] = with_twice(odd_lanes(above), odd_lanes(here), odd_lanes(below));
  }
  return sixteenths(with_twice(even[0], even[1], even[2]), with_twice(odd[0], odd[1], odd[2]));
}

// Comparisons number kPart * kPartBits and on of the census, in the order of reference.h.
template <std::size_t kPart>
HWY_INLINE Bytes census_part(const std::uint8_t* const* rows, const WindowColumns& columns,
                             std::ptrdiff_t i, Bytes centre, int scale) {
  Bytes bits = all_bytes(0);
  RDP_UNROLL
  for (int b = 0; b < kPartBits; ++b) {
    const std::size_t number = kPart * kPartBits + static_cast<std::size_t>(b);
    if (number >= kCensusBits) break;
    const CensusPixel from = kCensusPixels[number];
    const Bytes pixel = load(rows[from.row] + columns[from.column] + i);
    bits = or_bits(bits, bit_where_not_less(pixel, centre, static_cast<std::uint8_t>(scale << b)));
  }
  return bits;
}

template <std::size_t... kPart>
HWY_INLINE void census_vector(std::index_sequence<kPart...> /*parts*/,
                              const std::uint8_t* const* rows, const WindowColumns& columns,
                              std::ptrdiff_t i, int scale, std::ptrdiff_t part, std::uint8_t* to) {
  const Bytes centre = smoothed_centre(rows, columns, i);
  (store(census_part<kPart>(rows, columns, i, centre, scale),
         to + static_cast<std::ptrdiff_t>(kPart) * part),
   ...);
}

// One row; rows[0] to rows[6] are those of its windows.
void census_row(const std::uint8_t* const* rows, const CensusBand& band, const CensusLayout& layout,
                int width, std::uint8_t* out) {
  const int scale = layout.right || kPartBits == 8 ? 1 : 16;
  for (int p = 0; p < layout.phases && p < width; ++p) {
    WindowColumns columns;
    for (int dx = -kCensusColumns; dx <= kCensusColumns; ++dx) {
      const std::ptrdiff_t at = p + (layout.right ? -dx : dx) + band.border * layout.phases;
      columns[dx + kCensusColumns] = at % layout.phases * band.phase + at / layout.phases;
    }
    const std::ptrdiff_t count = (width - 1 - p) / layout.phases + 1;
    for (std::ptrdiff_t i = 0; i < count; i += kByteLanes) {
      census_vector(std::make_index_sequence<kParts>(), rows, columns, i, scale, layout.part(),
                    out + p * layout.phase + layout.ahead / layout.phases + i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::stereo
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::stereo {
namespace {

HWY_EXPORT(census_parts);
HWY_EXPORT(census_row);

// A row of the picture, as CensusBand has it.
void copy_row(const std::uint8_t* from, int width, const CensusLayout& layout,
              const CensusBand& band, std::uint8_t* to) {
  for (int p = 0; p < band.phases; ++p, to += band.phase) {
    // Pixel number n of the row, in the order of the census.
    const auto number = [&](std::ptrdiff_t n) {
      n = std::clamp<std::ptrdiff_t>(n, 0, width - 1);
      return from[layout.right ? width - 1 - n : n];
    };
    const std::ptrdiff_t inside = (width - 1 - p + band.phases) / band.phases;
    std::uint8_t* const begin = to + band.border;
    for (std::ptrdiff_t i = 0; i < band.border; ++i) {
      to[i] = number((i - band.border) * band.phases + p);
      begin[inside + i] = number((inside + i) * band.phases + p);
    }
    if (!layout.right) {
      std::memcpy(begin, from, static_cast<std::size_t>(width));
      continue;
    }
    const std::uint8_t* last = from + width - 1 - p;
    for (std::ptrdiff_t i = 0; i < inside; ++i) begin[i] = last[-(i * band.phases)];
  }
}

// Fills the pixels beside the picture, and those that were not seen.
void complete_row(const CensusLayout& layout, int width, const std::byte* seen, std::uint8_t* row) {
  const std::ptrdiff_t ahead = layout.ahead / layout.phases;
  const auto place = [&](int n) {
    return n % layout.phases * layout.phase + ahead + n / layout.phases;
  };
  const bool tables = layout.parts == 8;
  const int parts = layout.parts + (seen != nullptr && !tables ? 1 : 0);
  for (int part = 0; part < parts; ++part, row += layout.part()) {
    if (seen != nullptr && tables) {
      const auto not_seen = static_cast<std::uint8_t>(part < layout.parts - 1 ? 128 : 8);
      for (int x = 0; x < width; ++x) {
        if (seen[x] == std::byte{0}) row[place(width - 1 - x)] = not_seen;
      }
    } else if (part == layout.parts) {
      for (int x = 0; x < width; ++x) {
        row[place(width - 1 - x)] =
            static_cast<std::uint8_t>(seen[x] == std::byte{0} ? kMaxCost : 0);
      }
    }
    const std::uint8_t first_column = row[place(width - 1)];
    const std::uint8_t last_column = row[place(0)];
    for (int p = 0; p < layout.phases; ++p) {
      const std::ptrdiff_t end = ahead + (width - 1 - p + layout.phases) / layout.phases;
      std::uint8_t* const phase = row + p * layout.phase;
      std::memset(phase, last_column, static_cast<std::size_t>(ahead));
      std::memset(phase + end, first_column, static_cast<std::size_t>(layout.phase - end));
    }
  }
}

}  // namespace

CensusLayout CensusLayout::of_left(int width) {
  return {false, HWY_DYNAMIC_DISPATCH(census_parts)(), 1,
          (width + kCensusVector - 1) / kCensusVector * kCensusVector, 0};
}

CensusLayout CensusLayout::of_right(const StripeLayout& stripes, int width, int min_disparity) {
  // The last disparity of the first column is read, and the rest of its vector.
  const int last = width - 1 + std::max(min_disparity, 0) + stripes.stripes - 1;
  const int ahead = (std::max(-min_disparity, 0) + stripes.stripes - 1) / stripes.stripes;
  return {true, HWY_DYNAMIC_DISPATCH(census_parts)(), stripes.stripes,
          ahead + last / stripes.stripes + stripes.lanes, ahead * stripes.stripes};
}

std::size_t census_scratch_bytes(int width, const CensusLayout& layout) {
  return static_cast<std::size_t>((kCensusBand + 2 * kCensusRows) *
                                  CensusBand(layout, width).row_bytes());
}

void census_rows(const DepthView& picture, const DepthView& mask, const CensusLayout& layout,
                 int first_row, int end_row, std::uint8_t* scratch, std::uint8_t* out) {
  const CensusBand band(layout, picture.width);
  const std::ptrdiff_t stride = band.row_bytes();
  for (int row = first_row - kCensusRows; row < end_row + kCensusRows; ++row) {
    const std::byte* from = picture.row(std::clamp(row, 0, picture.height - 1));
    copy_row(reinterpret_cast<const std::uint8_t*>(from), picture.width, layout, band,
             scratch + (row - first_row + kCensusRows) * stride);
  }
  for (int row = first_row; row < end_row; ++row, out += layout.row_bytes()) {
    const std::uint8_t* rows[2 * kCensusRows + 1];
    for (int i = 0; i < 2 * kCensusRows + 1; ++i)
      rows[i] = scratch + (row - first_row + i) * stride;
    HWY_DYNAMIC_DISPATCH(census_row)(rows, band, layout, picture.width, out);
    if (!layout.right) continue;
    complete_row(layout, picture.width, mask.data == nullptr ? nullptr : mask.row(row), out);
  }
}

}  // namespace rdp::stereo
#endif  // HWY_ONCE
