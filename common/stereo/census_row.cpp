// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/census_row.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/stereo/census_row.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"
#include "common/stereo/path_vectors-inl.h"

#ifndef RDP_STEREO_CENSUS_SCRATCH
#define RDP_STEREO_CENSUS_SCRATCH
namespace rdp::stereo {

// The window: so many rows above and below, columns to the left and to the right.
inline constexpr int kCensusRows = 3;
inline constexpr int kCensusColumns = 4;

// The rows of the window with what is beside the picture, and the parts of the census, each with
// room for the rest of a vector.
struct CensusScratch {
  static constexpr std::ptrdiff_t kLine = 64;

  CensusScratch(std::uint8_t* memory, int width)
      : row_stride((width + 2 * kCensusColumns + 2 * kLine - 1) / kLine * kLine),
        rows(memory),
        parts(memory + (2 * kCensusRows + 1) * row_stride) {}
  std::size_t bytes() const {
    return static_cast<std::size_t>((2 * kCensusRows + 1 + kCensusParts) * row_stride);
  }

  std::ptrdiff_t row_stride;
  std::uint8_t* rows;
  std::uint8_t* parts;
};

}  // namespace rdp::stereo
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp::stereo {
namespace HWY_NAMESPACE {

// Four comparisons, numbers 4 * kPart to 4 * kPart + 3 of the census in the order of reference.h.
template <int kPart>
HWY_INLINE Bytes census_part(const std::uint8_t* const* rows, std::ptrdiff_t x) {
  Bytes bits = all_bytes(0);
  RDP_UNROLL
  for (int b = 0; b < 4; ++b) {
    const int number = 4 * kPart + b;
    if (number >= 31) break;
    const int dy = number / 9 - kCensusRows;
    const int dx = number % 9 - kCensusColumns;
    const Bytes pixel = load(rows[kCensusRows + dy] + x + kCensusColumns + dx);
    const Bytes mirrored = load(rows[kCensusRows - dy] + x + kCensusColumns - dx);
    bits = or_bits(bits, bit_where_not_less(pixel, mirrored, static_cast<std::uint8_t>(1 << b)));
  }
  return bits;
}

// The parts of the census of a row, one row of bytes each.
void census_parts(const DepthView& picture, int row, std::uint8_t* memory) {
  const CensusScratch scratch(memory, picture.width);
  const auto width = static_cast<std::size_t>(picture.width);
  const std::uint8_t* rows[2 * kCensusRows + 1];
  for (int i = 0; i < 2 * kCensusRows + 1; ++i) {
    std::uint8_t* const copy = scratch.rows + i * scratch.row_stride;
    const auto* from = reinterpret_cast<const std::uint8_t*>(
        picture.row(std::clamp(row + i - kCensusRows, 0, picture.height - 1)));
    std::memset(copy, from[0], kCensusColumns);
    std::memcpy(copy + kCensusColumns, from, width);
    std::memset(copy + kCensusColumns + width, from[width - 1],
                static_cast<std::size_t>(scratch.row_stride) - kCensusColumns - width);
    rows[i] = copy;
  }
  for (std::ptrdiff_t x = 0; x < picture.width; x += kByteLanes) {
    std::uint8_t* const to = scratch.parts + x;
    store(census_part<0>(rows, x), to);
    store(census_part<1>(rows, x), to + scratch.row_stride);
    store(census_part<2>(rows, x), to + 2 * scratch.row_stride);
    store(census_part<3>(rows, x), to + 3 * scratch.row_stride);
    store(census_part<4>(rows, x), to + 4 * scratch.row_stride);
    store(census_part<5>(rows, x), to + 5 * scratch.row_stride);
    store(census_part<6>(rows, x), to + 6 * scratch.row_stride);
    store(census_part<7>(rows, x), to + 7 * scratch.row_stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::stereo
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::stereo {

HWY_EXPORT(census_parts);

std::size_t census_scratch_bytes(int width) { return CensusScratch(nullptr, width).bytes(); }

void census_of_left(const DepthView& picture, int row, std::uint8_t* memory, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(census_parts)(picture, row, memory);
  const CensusScratch scratch(memory, picture.width);
  for (int n = 0; n < kCensusParts; ++n) {
    const std::uint8_t* part = scratch.parts + n * scratch.row_stride;
    for (int x = 0; x < picture.width; ++x) {
      out[x * kCensusParts + n] = static_cast<std::uint8_t>(16 * part[x]);
    }
  }
}

void census_of_right(const DepthView& picture, const DepthView& mask, int row,
                     const RightCensusLayout& layout, std::uint8_t* memory, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(census_parts)(picture, row, memory);
  const CensusScratch scratch(memory, picture.width);
  const int last = picture.width - 1;
  for (int n = 0; n < kCensusParts; ++n) {
    std::uint8_t* const part = scratch.parts + n * scratch.row_stride;
    if (mask.data != nullptr) {
      const auto not_seen = static_cast<std::uint8_t>(n < kCensusParts - 1 ? 128 : 8);
      const std::byte* seen = mask.row(row);
      for (int x = 0; x <= last; ++x) {
        if (seen[x] == std::byte{0}) part[x] = not_seen;
      }
    }
    for (int p = 0; p < layout.phases; ++p) {
      const std::ptrdiff_t in_picture =
          p > last ? 0 : std::min<std::ptrdiff_t>(layout.phase, (last - p) / layout.phases + 1);
      const std::uint8_t* from = part + last - p;
      for (std::ptrdiff_t i = 0; i < in_picture; ++i) out[i] = from[-(i * layout.phases)];
      std::memset(out + in_picture, part[0], static_cast<std::size_t>(layout.phase - in_picture));
      out += layout.phase;
    }
  }
}

}  // namespace rdp::stereo
#endif  // HWY_ONCE
