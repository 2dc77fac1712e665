// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_OVERLAY_PIXELS_H_
#define RDP_COMMON_FILTER_OVERLAY_PIXELS_H_

#include <cstdint>

#include "common/rdp/overlay_pixels.h"

// Pixels of the pictures of the filter, for its painters on the CPU and on the GPU.
namespace rdp::filter {

inline constexpr Pixel kRemovedPixel = pixel(230, 60, 40);
inline constexpr Pixel kFilledPixel = pixel(70, 130, 255);

// The pixel of a sample before and after the filter; 0: unknown. `greys` are make_greys().
RDP_HOST_DEVICE inline Pixel changed_pixel(std::uint32_t before, std::uint32_t after,
                                           const PaletteRange& range, const Colours& greys) {
  if (after == 0) return before == 0 ? kUnknownPixel : kRemovedPixel;
  if (before == 0) return kFilledPixel;
  return greys.entry[palette_entry(palette_position(static_cast<float>(after), range))];
}

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_OVERLAY_PIXELS_H_
