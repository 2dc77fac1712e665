// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_PLACED_QUAD_H_
#define RDP_COMMON_RDP_PLACED_QUAD_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/segment_class.h"

// Segments as quadrangles on a picture: which pixels one covers and in which colours, in integers.
// For the painters on the CPU and on the GPU, whose pictures are bit-identical.
namespace rdp {

// Positions are in 1/256 of a pixel, pixel centres at whole pixels.
inline constexpr std::int32_t kSubpixels = 256;

// The quotient rounded towards negative infinity; b is above 0.
RDP_HOST_DEVICE inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// The first pixel whose centre is not before the position.
RDP_HOST_DEVICE inline std::int32_t first_pixel(std::int32_t position) {
  static_assert(kSubpixels == 1 << 8);
  return (position + kSubpixels - 1) >> 8;
}

struct PlacedCorner {
  std::int32_t x, y;
};

// A quadrangle: upper left, upper right, lower right, lower left.
struct PlacedCorners {
  PlacedCorner at[4];
};

// True if its sides are parallel to the picture's, so that it covers all of its box.
RDP_HOST_DEVICE inline bool is_upright(const PlacedCorners& corners) {
  const auto& c = corners.at;
  return c[0].x == c[3].x && c[1].x == c[2].x && c[0].y == c[1].y && c[2].y == c[3].y;
}

// The pixels that a quadrangle may cover, the ends not included; clamped to -1 and 32767, which are
// beyond all pictures.
struct PlacedBox {
  std::int16_t left, top, right, bottom;
};

// A segment as a quadrangle shows it.
struct PlacedLine {
  std::int32_t upper, lower;  // twice the middles of its ends on the picture
  std::uint16_t first_row, last_row;
  float first_value, last_value;
  std::int32_t twice_column;  // see twice_middle()
};

RDP_HOST_DEVICE inline int rows_of(const PlacedLine& line) {
  return line.last_row - line.first_row + 1;
}

// A quotient, rounded down, whose dividend grows by `step` from row to row of the picture.
struct RowQuotient {
  std::int64_t dividend, step, divisor;
};

// The row of a segment that a row of the picture shows, counted from the segment's first one. The
// caller clamps rows beyond its ends.
RDP_HOST_DEVICE inline RowQuotient row_of_segment(const PlacedLine& line, int row) {
  const std::int64_t upper = line.upper;
  const std::int64_t lower = line.lower;
  const std::int64_t rows = rows_of(line);
  const std::int64_t length = lower < upper ? upper - lower : lower - upper;
  const std::int64_t way = lower < upper ? -rows : rows;  // upside down
  return {(std::int64_t{2 * kSubpixels} * row - upper) * way, 2 * kSubpixels * way,
          length > 1 ? length : 1};
}

// The rows [first, end) that a side of a quadrangle crosses, from `first_row` on. `left`, rounded
// down, is the negative of the first pixel at or right of the side.
struct PlacedSide {
  std::int32_t first, end;
  RowQuotient left;
};

RDP_HOST_DEVICE inline PlacedSide side_between(const PlacedCorner& a, const PlacedCorner& b,
                                               std::int32_t first_row) {
  const PlacedCorner& high = a.y < b.y ? a : b;
  const PlacedCorner& low = a.y < b.y ? b : a;
  const std::int32_t begin = first_pixel(high.y);
  PlacedSide side{begin > first_row ? begin : first_row, first_pixel(low.y), {0, 0, 1}};
  if (side.first >= side.end) return side;
  const std::int64_t dx = std::int64_t{low.x} - high.x;
  const std::int64_t dy = std::int64_t{low.y} - high.y;
  const std::int64_t down = std::int64_t{side.first} * kSubpixels - high.y;
  side.left = {-(high.x * dy + down * dx), -kSubpixels * dx, dy * kSubpixels};
  return side;
}

// The pixels of a row of the picture that a quadrangle covers: those whose centres lie between its
// sides, those on the left side included.
struct PlacedSpan {
  int left, right;
};
RDP_HOST_DEVICE inline PlacedSpan span_of(const PlacedCorners& corners, int row) {
  PlacedSpan span{0, 0};
  bool crossed = false;
  for (int k = 0; k < 4; ++k) {
    const PlacedSide side = side_between(corners.at[k], corners.at[(k + 1) % 4], row);
    if (row != side.first || row >= side.end) continue;
    const auto at = static_cast<int>(-floor_divide(side.left.dividend, side.left.divisor));
    span.left = crossed && span.left < at ? span.left : at;
    span.right = crossed && span.right > at ? span.right : at;
    crossed = true;
  }
  return span;
}

// True if a row of the picture is to be dark: at both ends of the segment and of its quadrangle.
RDP_HOST_DEVICE inline bool is_placed_end(int of_segment, int rows, int row, int top, int bottom) {
  return of_segment == 0 || of_segment == rows - 1 || row == top || row == bottom - 1;
}

// The class of a segment, from the ground plane if there is one, else from the frame's vote.
RDP_HOST_DEVICE inline SegmentClass class_of_placed(const PlacedLine& line, const Ground& ground,
                                                    const GroundPlane& plane,
                                                    const ClassRules& rules) {
  return has_ground(plane) ? class_on_plane(line.first_row, line.last_row, line.first_value,
                                            line.last_value, line.twice_column, plane, rules)
                           : class_of(line.first_row, line.last_row, line.first_value,
                                      line.last_value, ground, rules);
}

// The paleness in the palette's colours.
RDP_HOST_DEVICE inline int placed_pale_level(const PlacedLine& line, const PaletteRange& range,
                                             int frame_height) {
  return pale_level(rows_of(line) - 1, line.first_value, line.last_value, range, frame_height);
}

// The pixel of a quadrangle in a row of the picture, in the colours of its level or class.
RDP_HOST_DEVICE inline Pixel placed_pixel(const PlacedLine& line, const PlacedBox& box, int row,
                                          const Colours& colours, const PaletteRange& range) {
  const int rows = rows_of(line);
  const RowQuotient of = row_of_segment(line, row);
  const std::int64_t at = floor_divide(of.dividend, of.divisor);
  const int of_segment = at < 0 ? 0 : at < rows ? static_cast<int>(at) : rows - 1;
  const PaletteLine palette(rows - 1, line.first_value, line.last_value, range);
  const Pixel pixel = colours.entry[palette.entry(of_segment)];
  return is_placed_end(of_segment, rows, row, box.top, box.bottom) ? darkened(pixel) : pixel;
}

// The order of the bytes of a pixel.
enum class PixelOrder : std::uint8_t { kRgba, kBgra };

// A colour in the byte order of a picture, with this alpha.
RDP_HOST_DEVICE constexpr Pixel ordered_pixel(Pixel p, std::uint8_t alpha, PixelOrder order) {
  if (order == PixelOrder::kBgra) {
    p = (p & 0x00FF00U) | (p & 0xFFU) << 16 | (p >> 16 & 0xFFU);
  }
  return (p & 0xFFFFFFU) | Pixel{alpha} << 24;
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_PLACED_QUAD_H_
