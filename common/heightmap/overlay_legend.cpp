// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/overlay_legend.h"

#include "common/heightmap/overlay_pixels.h"
#include "common/image/camera.h"

namespace rdp::heightmap {

Legend heights_legend(int width, int height, const OverlayOptions& options, bool has_area) {
  Legend legend;
  if (!options.legend) return legend;
  legend.stripes = 1;
  legend.scale = {false, 0.0, 0.001};
  set_legend_unit("m", &legend);
  if (options.style == OverlayStyle::kBirdsEye) {
    add_legend_name("nothing", kNothingPixel, &legend);
    add_legend_name("head", kHeadPixel, &legend);
  }
  if (has_area) add_legend_name("area", kAreaPixel, &legend);
  fit_legend(width, height, &legend);
  return legend;
}

PaletteRange heights_range(const Parameters& parameters) {
  return palette_range_between(parameters.min_height,
                               parameters.height_of(parameters.heights() - 1));
}

void paint_heights_legend(const Legend& legend, const PaletteRange& range,
                          const RgbaView& picture) {
  Ticks ticks{};
  find_ticks(range, legend.scale, &ticks);
  paint_legend(legend, ticks, palettes_of(legend.palettes), 0, picture.width, picture);
}

}  // namespace rdp::heightmap
