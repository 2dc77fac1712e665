// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/overlay_legend.h"

#include <cstddef>

#include "common/image/camera.h"
#include "common/image/palette.h"

namespace rdp::heightmap {
namespace {

constexpr Colours make_palette_colours() {
  Colours colours{};
  for (std::size_t i = 0; i < 256; ++i) {
    colours.entry[i] = pixel(kPalette[i].r, kPalette[i].g, kPalette[i].b);
  }
  return colours;
}
constexpr Colours kPaletteColours = make_palette_colours();

int largest(const Parameters& parameters) { return parameters.height_of(parameters.heights() - 1); }

}  // namespace

Pixel height_colour(const Parameters& parameters, int height) {
  const int low = parameters.min_height;
  const int span = largest(parameters) - low;
  if (span == 0) return kPaletteColours.entry[128];
  const int above = height < low ? 0 : height - low > span ? span : height - low;
  return kPaletteColours.entry[(2 * 255 * above + span) / (2 * span)];
}

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

Box legend_box(const Legend& legend) {
  if (legend.zoom == 0) return {};
  const int corner = kLegendMargin * legend.zoom;
  return {corner, corner, corner + legend.columns * legend.zoom,
          corner + legend.rows * legend.zoom};
}

void paint_heights_legend(const Legend& legend, const Parameters& parameters,
                          const RgbaView& picture) {
  Ticks ticks{};
  find_ticks(palette_range_between(parameters.min_height, largest(parameters)), legend.scale,
             &ticks);
  paint_legend(legend, ticks, &kPaletteColours, 0, picture.width, picture);
}

}  // namespace rdp::heightmap
