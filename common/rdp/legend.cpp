// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "common/rdp/overlay.h"

namespace rdp {
namespace {

// The longest name ends before the colour of the next one begins.
static_assert(kSwatch + kLegendPad + text_columns(kMaxNameText) + kLegendPad <= kNameColumns);

// True for the fixed-point disparities of matchers: 1/2, 1/4 … 1/65536 px a step.
bool is_fixed_point(double sample_scale) {
  int power = 0;
  return std::frexp(sample_scale, &power) == 0.5 && power <= 0 && power >= -15;
}

// Sets the unit of the numbers: metres if it is known, else pixels of disparity, which a
// sample-scale may also tell, else sample steps.
void set_scale(const Parameters& parameters, const OverlayOptions& options, Legend* legend) {
  const bool inverse = parameters.domain == Domain::kInverse;
  if (options.camera != nullptr || options.depth_unit > 0.0) {
    legend->scale = options.camera != nullptr ? options.camera->depth
                    : inverse
                        ? DepthOfValue{true, parameters.inverse_scale * options.depth_unit, 1.0}
                        : DepthOfValue{false, 0.0, options.depth_unit};
    set_legend_unit("m", legend);
    return;
  }
  const bool fixed_point = is_fixed_point(parameters.sample_scale);
  const double pixels = inverse                        ? 0.0
                        : options.disparity_unit > 0.0 ? options.disparity_unit
                        : fixed_point                  ? parameters.sample_scale
                                                       : 0.0;
  legend->scale = {false, 0.0, pixels > 0.0 ? pixels : 1.0,
                   pixels > 0.0 ? options.disparity_offset : 0.0};
  set_legend_unit(pixels > 0.0 ? "px" : "steps", legend);
}

}  // namespace

void set_legend_unit(std::string_view unit, Legend* legend) {
  std::copy(unit.begin(), unit.end(), legend->unit);
  legend->unit_length = static_cast<std::int32_t>(unit.size());
}

void add_legend_name(std::string_view text, Pixel colour, Legend* legend) {
  LegendName& name = legend->name[legend->names++];
  name.colour = colour;
  name.length = static_cast<std::int32_t>(text.size());
  std::copy(text.begin(), text.end(), name.text);
}

void fit_legend(int width, int height, Legend* legend) {
  legend->columns = 2 * kLegendPad + kBarColumns;
  if (legend->stripes > 0) legend->columns += kLegendPad + text_columns(legend->unit_length);
  legend->rows = names_top(*legend) + (legend->names + 1) / 2 * kNameRows;
  // The panel takes at most half of the rows.
  const int columns = legend->columns + 2 * kLegendMargin;
  const int rows = legend->rows + 2 * kLegendMargin;
  legend->zoom = std::min({text_zoom(width, height), width / columns, height / (2 * rows)});
}

Box legend_box(const Legend& legend) {
  const int corner = kLegendMargin * legend.zoom;
  return {corner, corner, corner + legend.columns * legend.zoom,
          corner + legend.rows * legend.zoom};
}

int text_zoom(int width, int height) {
  return std::max(1, std::min((height + 120) / 240, (width + 160) / 320));
}

Legend legend_of(int width, int height, const Parameters& parameters,
                 const OverlayOptions& options) {
  Legend legend;
  if (!options.legend) return legend;
  legend.stripes = options.style == OverlayStyle::kBirdsEye ? 0 : 1;
  if (options.style == OverlayStyle::kBirdsEye) {
    add_legend_name("ground", kGroundPixel, &legend);
    add_legend_name("obstacle", kObstaclePixel, &legend);
    add_legend_name("unseen", kUnseenPixel, &legend);
  }
  if (options.style == OverlayStyle::kClasses) {
    // In the order of SegmentClass, as they look when they are near.
    constexpr std::string_view kNames[kSegmentClasses] = {"other", "ground", "upright", "far"};
    static constexpr ClassColours kColours = make_class_colours();
    legend.stripes = kSegmentClasses;
    legend.palettes = BarPalettes::kClasses;
    for (int c = 0; c < kSegmentClasses; ++c) {
      add_legend_name(kNames[c], kColours.of[c].entry[224], &legend);
    }
  }
  if (options.style == OverlayStyle::kEdges) legend.palettes = BarPalettes::kGreys;
  if (legend.stripes > 0) set_scale(parameters, options, &legend);
  fit_legend(width, height, &legend);
  return legend;
}

const Colours* palettes_of(BarPalettes palettes) {
  static constexpr Colours kColours = make_pale_colours().level[0];
  static constexpr Colours kGreys = make_greys();
  static constexpr ClassColours kClassColours = make_class_colours();
  return palettes == BarPalettes::kClasses ? kClassColours.of
         : palettes == BarPalettes::kGreys ? &kGreys
                                           : &kColours;
}

// Cell by cell, but for the bar, which has finer columns.
void paint_legend(const Legend& legend, const Ticks& ticks, const Colours* palettes,
                  int first_column, int end_column, const RgbaView& picture) {
  if (legend.zoom == 0) return;
  static constexpr Font kFont = make_font();
  const int corner = kLegendMargin * legend.zoom;
  const int first = std::max(first_column - corner, 0);
  const int end = std::min(end_column - corner, legend.columns * legend.zoom);
  for (int y = 0; y < legend.rows * legend.zoom; ++y) {
    std::byte* to = picture.data + (corner + y) * picture.stride;
    const int row = y / legend.zoom;
    if (y % legend.zoom > 0 && !is_bar(legend, kLegendPad, row)) {
      // Copies the row above.
      if (first < end) {
        std::memcpy(to + 4 * (corner + first), to - picture.stride + 4 * (corner + first),
                    4 * static_cast<std::size_t>(end - first));
      }
      continue;
    }
    Pixel cell = 0;
    for (int x = first, last_column = -1; x < end; ++x) {
      const int column = x / legend.zoom;
      if (is_bar(legend, column, row)) {
        cell = palettes[bar_stripe(legend, y)].entry[bar_entry(legend, x)];
      } else if (column != last_column) {
        cell = legend_cell(legend, ticks, kFont, column, row);
      }
      last_column = column;
      std::memcpy(to + 4 * (corner + x), &cell, sizeof cell);
    }
  }
}

}  // namespace rdp
