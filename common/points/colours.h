// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_COLOURS_H_
#define RDP_COMMON_POINTS_COLOURS_H_

#include <cstddef>
#include <span>

namespace rdp::points {

// The size of a pixel in bytes, and the byte offsets of its colour channels.
struct PixelLayout {
  int bytes = 1;
  int red = 0;
  int green = 0;
  int blue = 0;
  int alpha = -1;  // -1: pixels are opaque
};

// A non-owning view of an image. Null data: there is no image.
struct ColourView {
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;
  PixelLayout pixel;
};

// The bytes of a coloured point: x, y and z as floats; red, green, blue and alpha.
inline constexpr std::size_t kColouredPointBytes = 16;
// Byte offset at which reference::make_points() writes into a buffer of `points` coloured points:
// the uncoloured points fill its end.
constexpr std::size_t place_of_points(std::size_t points) { return 4 * points; }

// Expands the points at place_of_points() in place, and gives each the colour of its pixel. The
// image has one pixel for each point, row by row. Without an image all four bytes are 0.
void add_colours(const ColourView& picture, std::span<std::byte> cloud);

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_COLOURS_H_
