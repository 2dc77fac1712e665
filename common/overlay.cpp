// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/overlay.h"

namespace rdp {

PaletteRange palette_range(const DepthView&, const Parameters&, const OverlayOptions& options) {
  return {static_cast<float>(options.palette_min), 1.0F / 256};
}

void paint_overlay(const DepthView& frame, const SegmentList&, const Parameters&, OverlayStyle,
                   const PaletteRange& range, int first_column, int end_column,
                   const RgbaView& picture) {
  for (int row = 0; row < frame.height; ++row) {
    for (int column = first_column; column < end_column; ++column) {
      std::byte* pixel = picture.data + row * picture.stride + 4 * column;
      const auto grey = static_cast<std::byte>((frame.at(row, column) - range.offset) * range.factor);
      pixel[0] = pixel[1] = pixel[2] = grey;
      pixel[3] = std::byte{255};
    }
  }
}

}  // namespace rdp
