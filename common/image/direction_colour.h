// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_DIRECTION_COLOUR_H_
#define RDP_COMMON_IMAGE_DIRECTION_COLOUR_H_

#include <cstdint>

#include "common/image/index_colour.h"

// Directions as colours, as in pictures of optical flow: in integers, bit-identical on every
// machine.
namespace rdp {

// The hue of a direction, 0 to 1535: 0 to the right, then clockwise as the picture shows it. Each
// quarter turn has 384 hues, which follow the ratio of dx to dy instead of the angle. Both are
// within 2^53.
constexpr int hue_of_direction(std::int64_t dx, std::int64_t dy) {
  const std::int64_t wide = dx < 0 ? -dx : dx;
  const std::int64_t high = dy < 0 ? -dy : dy;
  const std::int64_t all = wide + high;
  if (all == 0) return 0;
  const auto part = [&](std::int64_t of) { return static_cast<int>(384 * of / all); };
  if (dx > 0 && dy >= 0) return part(high);
  if (dx <= 0 && dy > 0) return 384 + part(wide);
  if (dx < 0) return 768 + part(high);
  return (1152 + part(wide)) % 1536;
}

// The colour of a direction: full at a strength of 256, white at 0.
constexpr Rgb direction_colour(std::int64_t dx, std::int64_t dy, int strength) {
  const Rgb full = hue_colour(hue_of_direction(dx, dy));
  const auto mixed = [&](int of) {
    return static_cast<std::uint8_t>((of * strength + 255 * (256 - strength)) / 256);
  };
  return {mixed(full.r), mixed(full.g), mixed(full.b)};
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_DIRECTION_COLOUR_H_
