// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_COLOURS_H_
#define RDP_COMMON_POINTS_COLOURS_H_

#include <cstddef>
#include <span>

namespace rdp::points {

// The bytes of a pixel, and where in it the parts of a colour are.
struct PixelLayout {
  int bytes = 1;
  int red = 0;
  int green = 0;
  int blue = 0;
  int alpha = -1;  // -1: pixels are opaque
};

// A picture in memory that somebody else owns; without data: none.
struct ColourView {
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;
  PixelLayout pixel;
};

// The bytes of a coloured point: x, y and z as floats; red, green, blue and alpha.
inline constexpr std::size_t kColouredPointBytes = 16;
// The place of reference::make_points()' cloud in one of `points` coloured points: its end.
constexpr std::size_t place_of_points(std::size_t points) { return 4 * points; }

// Spreads the points that lie at place_of_points(), and gives each the colour of its pixel: the
// picture has as many, row by row. Without a picture all four bytes are 0.
void add_colours(const ColourView& picture, std::span<std::byte> cloud);

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_COLOURS_H_
