// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/filter/overlay.h"

#include <cstring>

#include "common/image/float_environment.h"
#include "common/rdp/overlay.h"

namespace rdp::filter {

Legend legend_of(int width, int height, const OverlayOptions& options) {
  Legend legend;
  if (!options.legend) return legend;
  add_legend_name("removed", kRemovedPixel, &legend);
  add_legend_name("filled", kFilledPixel, &legend);
  fit_legend(width, height, &legend);
  return legend;
}

void OverlayPainter::paint(const DepthView& before, const DepthView& after, int decimation,
                           const OverlayOptions& options, const RgbaView& picture) {
  static constexpr Colours kGreys = make_greys();
  const PaletteRange range =
      with_standard_floats([&] { return palette_range(before, {}, rdp::OverlayOptions()); });
  const int width = after.width * decimation;
  const int height = after.height * decimation;
  const auto paint_row = [&](int row) {
    std::byte* to = picture.data + row * picture.stride;
    for (int column = 0; column < before.width; ++column, to += 4) {
      const std::uint32_t was = before.at(row, column);
      const bool in_block = row < height && column < width;
      const std::uint32_t is =
          in_block ? std::uint32_t{after.at(row / decimation, column / decimation)} : was;
      const Pixel pixel = changed_pixel(was, is, range, kGreys);
      std::memcpy(to, &pixel, sizeof pixel);
    }
  };
  paint_bands(before.height, [&](int first, int end) {
    with_standard_floats([&] {
      for (int row = first; row < end; ++row) paint_row(row);
    });
  });
  const Ticks none{};
  paint_legend(legend_of(picture.width, picture.height, options), none, nullptr, 0, picture.width,
               picture);
}

}  // namespace rdp::filter
