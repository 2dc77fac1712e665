// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_MESSAGE_LAYOUT_H_
#define RDP_COMMON_HEIGHTMAP_MESSAGE_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "common/image/grow_buffer.h"

namespace rdp::heightmap {

// The neighbours of a pixel, in the order of its messages.
enum Direction { kLeft, kRight, kAbove, kBelow };
inline constexpr int kDirections = 4;
inline constexpr Direction kOpposite[kDirections] = {kRight, kLeft, kBelow, kAbove};

// Memory layout of costs and messages. Pixels are coloured like a chessboard: colour 0 has the
// first pixel of row 0, and messages go from one colour to the other. Each row and colour has the
// costs, then the messages from the left, right, above and below. Each of these is stored label by
// label, `unknown` last. Pixel x has index x >> 1 within its label. So neighbours above and below
// have the same index, left and right neighbours the same or one off.
//
// Vectors are stored whole. Bytes beyond the pixels fall into the kGap bytes around each part, or
// into a label's padding up to `stride`.
struct MessageLayout {
  static constexpr std::ptrdiff_t kGap = GrowBuffer<std::uint8_t>::kAlignment;

  MessageLayout() = default;
  MessageLayout(int width_, int height_, int heights_)
      : width(width_),
        height(height_),
        heights(heights_),
        stride((width_ / 2 + 1 + kGap - 1) / kGap * kGap),
        part((heights_ + 1) * stride + kGap) {}

  // The size of all parts together.
  std::size_t bytes() const {
    return static_cast<std::size_t>(kGap + part * (1 + kDirections) * 2 * height);
  }
  std::size_t rise_bytes() const {
    return static_cast<std::size_t>(stride * kDirections * 2 * height);
  }
  // The size of one number for each pixel.
  std::size_t plane_bytes() const { return static_cast<std::size_t>(stride * 2 * height); }

  // The colour of a row's even columns; odd columns have the other colour.
  static int even_colour(int row) { return row & 1; }
  // True if the pixels of a colour have odd columns.
  static int is_odd(int row, int colour) { return (row + colour) & 1; }
  int count(int row, int colour) const { return (width + 1 - is_odd(row, colour)) / 2; }

  std::ptrdiff_t costs(int row, int colour) const {
    return kGap + (std::ptrdiff_t{row} * 2 + colour) * part * (1 + kDirections);
  }
  std::ptrdiff_t messages(int row, int colour, Direction from) const {
    return costs(row, colour) + (1 + from) * part;
  }
  std::ptrdiff_t rises(int row, int colour) const {
    return (std::ptrdiff_t{row} * 2 + colour) * kDirections * stride;
  }
  std::ptrdiff_t plane(int row, int colour) const {
    return (std::ptrdiff_t{row} * 2 + colour) * stride;
  }

  int width = 0;
  int height = 0;
  int heights = 0;  // labels but `unknown`
  std::ptrdiff_t stride = 0;
  std::ptrdiff_t part = 0;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_MESSAGE_LAYOUT_H_
