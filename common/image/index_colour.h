// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_INDEX_COLOUR_H_
#define RDP_COMMON_IMAGE_INDEX_COLOUR_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/image/palette.h"

namespace rdp {

// The bright colour of a hue, in steps of 1/1536 turn from red.
RDP_HOST_DEVICE constexpr Rgb hue_colour(int hue) {
  constexpr int kBright = 240;
  constexpr int kDark = 64;
  const int rise = (kBright - kDark) * (hue % 256) / 256;
  const auto up = static_cast<std::uint8_t>(kDark + rise);
  const auto down = static_cast<std::uint8_t>(kBright - rise);
  switch (hue / 256) {
    case 0:
      return {kBright, up, kDark};
    case 1:
      return {down, kBright, kDark};
    case 2:
      return {kDark, kBright, up};
    case 3:
      return {kDark, down, kBright};
    case 4:
      return {up, kDark, kBright};
    default:
      return {kBright, kDark, down};
  }
}

// The colour of an item, from its index in a list: the same in every picture. List neighbours are
// far apart in hue: steps of 159 / 256 turn, about the golden section, meet each of 256 hues once.
RDP_HOST_DEVICE constexpr Rgb index_colour(int index) { return hue_colour(index * 159 % 256 * 6); }

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_INDEX_COLOUR_H_
