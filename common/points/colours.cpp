// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/points/colours.h"

#include <cstring>

#include "common/points/parameters.h"

namespace rdp::points {

void add_colours(const ColourView& picture, std::span<std::byte> cloud) {
  const std::size_t points = cloud.size() / kColouredPointBytes;
  const std::byte* from = cloud.data() + place_of_points(points);
  std::byte* to = cloud.data();
  // A point's new bytes end at or before the next point's old ones, so none is overwritten unread.
  const auto spread = [&] {
    std::memmove(to, from, kPointBytes);
    from += kPointBytes;
    to += kPointBytes;
  };
  if (picture.data == nullptr) {
    for (std::size_t i = 0; i < points; ++i, to += 4) {
      spread();
      std::memset(to, 0, 4);
    }
    return;
  }
  const PixelLayout layout = picture.pixel;
  for (int row = 0; row < picture.height; ++row) {
    const std::byte* pixel = picture.data + row * picture.stride;
    for (int column = 0; column < picture.width; ++column, pixel += layout.bytes, to += 4) {
      spread();
      to[0] = pixel[layout.red];
      to[1] = pixel[layout.green];
      to[2] = pixel[layout.blue];
      to[3] = layout.alpha < 0 ? std::byte{255} : pixel[layout.alpha];
    }
  }
}

}  // namespace rdp::points
