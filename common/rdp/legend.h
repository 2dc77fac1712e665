// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_LEGEND_H_
#define RDP_COMMON_RDP_LEGEND_H_

#include <cstdint>
#include <string_view>

#include "common/host_device.h"
#include "common/image/box.h"
#include "common/image/camera.h"
#include "common/image/font.h"
#include "common/image/rgba_view.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/round_numbers.h"

// The legend of a picture: a panel in its upper left corner with the palette, what its colours
// stand for, and names of colours.
//
//   ################################
//   #  bar of the palette     unit #     kBarTop ...
//   #  |     |     |     |         #     kMarkTop ...
//   #  0     10    20    30        #     kLabelTop ...
//   #  [] name     [] name         #     names_top () ...
//   ################################
//
// It is drawn in cells of `zoom` by `zoom` pixels. The host finds its place and names from the
// picture's size and the settings (common/rdp/legend.cpp). The numbers depend on the palette's
// range, which may be known to the GPU alone: find_ticks(). Host and device share this header.
namespace rdp {

inline constexpr int kLegendMargin = 4;  // from the picture's edges
inline constexpr int kLegendPad = 3;     // within the panel
inline constexpr int kBarColumns = 128;  // two of the palette's entries each
inline constexpr int kBarRows = 8;
inline constexpr int kBarTop = kLegendPad;
inline constexpr int kMarkRows = 2;
inline constexpr int kMarkTop = kBarTop + kBarRows;
inline constexpr int kLabelTop = kMarkTop + kMarkRows + 1;
inline constexpr int kScaleRows = kLabelTop + kGlyphRows;  // with the pad above it
inline constexpr int kNameRows = kGlyphRows + 3;           // of a row of names
inline constexpr int kNameColumns = kBarColumns / 2;       // of a name: two in a row
inline constexpr int kSwatch = kGlyphRows;                 // the side of a name's colour
inline constexpr int kMaxNames = 6;
inline constexpr int kMaxNameText = 8;
inline constexpr int kMaxUnitText = 5;

struct LegendName {
  Pixel colour;
  std::int32_t length;
  char text[kMaxNameText];
};

// The palettes of a bar: those of PaleColours, of make_greys() or of ClassColours.
enum class BarPalettes : std::uint32_t { kColours, kGreys, kClasses };

// A legend without its numbers.
struct Legend {
  std::int32_t zoom = 0;     // 0: there is no legend
  std::int32_t columns = 0;  // of the panel, in cells
  std::int32_t rows = 0;
  std::int32_t stripes = 0;  // palettes in the bar, one below the other; 0: there is no bar
  BarPalettes palettes = BarPalettes::kColours;
  std::int32_t names = 0;
  std::int32_t unit_length = 0;
  char unit[kMaxUnitText] = {};
  LegendName name[kMaxNames] = {};
  DepthOfValue scale;  // from a value to a number of the legend
};

// A number below the bar.
inline constexpr int kMaxTicks = 10;
struct Tick {
  std::int16_t column;  // of the bar
  std::int16_t start;   // the text's first column, also counted from the bar's
  std::int16_t length;
  char text[kNumberText];
};
struct Ticks {
  std::int32_t count;
  Tick tick[kMaxTicks];
};

// --- the numbers

// Adds a number at a position of the palette. Leaves it out if the position is beyond its ends, or
// if the text would come within three columns of the previous number's.
RDP_HOST_DEVICE inline void add_tick(double position, std::int64_t count, const RoundNumber& number,
                                     Ticks* ticks) {
  constexpr int kApart = 3;
  if (!(position >= 0.0 && position <= 255.0) || ticks->count == kMaxTicks) return;
  Tick& tick = ticks->tick[ticks->count];
  const int length = write_number(count, number, tick.text);
  if (length == 0) return;
  const int columns = text_columns(length);
  const int column = static_cast<int>(position * kBarColumns) >> 8;
  int start = column - columns / 2;
  if (start > kBarColumns - columns) start = kBarColumns - columns;
  if (start < 0) start = 0;
  if (ticks->count > 0) {
    const Tick& before = ticks->tick[ticks->count - 1];
    const int end_before = before.start + text_columns(before.length);
    if (start < end_before + kApart && before.start < start + columns + kApart) return;
  }
  tick.column = static_cast<std::int16_t>(column);
  tick.start = static_cast<std::int16_t>(start);
  tick.length = static_cast<std::int16_t>(length);
  ++ticks->count;
}

// The numbers of a palette: multiples of a round step, seven at most. Distances reciprocal to the
// values crowd at one end. If the farthest is at least four times the nearest, they are 1, 2, 3 and
// 5 times powers of ten instead. The nearest come first, as far as there is room.
RDP_HOST_DEVICE inline void find_ticks(const PaletteRange& range, const DepthOfValue& scale,
                                       Ticks* ticks) {
  ticks->count = 0;
  if (!(scale.factor > 0.0)) return;
  const double offset = range.offset;
  const double factor = range.factor;
  // The scale's linear part at the palette's ends.
  double low = offset * scale.factor + scale.offset;
  double high = (offset + 255.0 / factor) * scale.factor + scale.offset;
  if (low > high) {
    const double swapped = low;
    low = high;
    high = swapped;
  }
  const auto position = [&](double number) {
    const double proportional = scale.reciprocal ? scale.numerator / number : number;
    return ((proportional - scale.offset) / scale.factor - offset) * factor;
  };
  if (scale.reciprocal) {
    if (!(high > 0.0) || !(scale.numerator > 0.0)) return;
    const double near = scale.numerator / high;
    const bool endless = !(low > 0.0);
    const double far = endless ? 0.0 : scale.numerator / low;
    if (endless || far >= 4.0 * near) {
      for (int exponent = kLeastExponent; exponent <= kMaxExponent; ++exponent) {
        for (int digit = 1; digit <= 5; digit += digit == 3 ? 2 : 1) {
          const RoundNumber number{digit, exponent};
          add_tick(position(times(1, number)), 1, number, ticks);
        }
      }
      return;
    }
    low = near;
    high = far;
  }
  const RoundNumber step = round_step((high - low) / 6.0);
  if (step.digit == 0 || times(1, step) > high - low) return;
  const double first = low / times(1, step);
  if (!(first > -1e9 && first < 1e9)) return;
  const auto below = static_cast<std::int64_t>(first);
  for (std::int64_t count = below - 1; count <= below + 8; ++count) {
    const double number = times(count, step);
    if (number >= low && number <= high) add_tick(position(number), count, step, ticks);
  }
}

// --- its pixels

// The first row of the names, in cells.
RDP_HOST_DEVICE inline int names_top(const Legend& legend) {
  return legend.stripes > 0 ? kScaleRows + kLegendPad : kLegendPad;
}

// True in the palette's bar.
RDP_HOST_DEVICE inline bool is_bar(const Legend& legend, int column, int row) {
  return legend.stripes > 0 && row >= kBarTop && row < kBarTop + kBarRows && column >= kLegendPad &&
         column < kLegendPad + kBarColumns;
}
// The palette of the bar, and the entry in it, at a pixel of the panel.
RDP_HOST_DEVICE inline int bar_stripe(const Legend& legend, int y) {
  return (y - kBarTop * legend.zoom) * legend.stripes / (kBarRows * legend.zoom);
}
RDP_HOST_DEVICE inline int bar_entry(const Legend& legend, int x) {
  return (x - kLegendPad * legend.zoom) * 256 / (kBarColumns * legend.zoom);
}

// The colour of a cell outside of the bar.
RDP_HOST_DEVICE inline Pixel legend_cell(const Legend& legend, const Ticks& ticks, const Font& font,
                                         int column, int row) {
  if (legend.stripes > 0 && row < kScaleRows) {
    if (text_bit(font, legend.unit, legend.unit_length, column - (2 * kLegendPad + kBarColumns),
                 row - kBarTop)) {
      return kLegendInk;
    }
    for (int i = 0; i < ticks.count; ++i) {
      const Tick& tick = ticks.tick[i];
      const bool mark =
          row >= kMarkTop && row < kMarkTop + kMarkRows && column - kLegendPad == tick.column;
      if (mark || text_bit(font, tick.text, tick.length, column - kLegendPad - tick.start,
                           row - kLabelTop)) {
        return kLegendInk;
      }
    }
    return kLegendPaper;
  }
  for (int i = 0; i < legend.names; ++i) {
    const LegendName& name = legend.name[i];
    const int within_column = column - (kLegendPad + i % 2 * kNameColumns);
    const int within_row = row - (names_top(legend) + i / 2 * kNameRows);
    if (within_row < 0 || within_row >= kSwatch || within_column < 0) continue;
    if (within_column < kSwatch) return name.colour;
    if (text_bit(font, name.text, name.length, within_column - (kSwatch + kLegendPad),
                 within_row)) {
      return kLegendInk;
    }
  }
  return kLegendPaper;
}

// --- on the host

// Make a legend, in this order: set the unit of the numbers, add the names, then fit the panel into
// a picture of this size.
void set_legend_unit(std::string_view unit, Legend* legend);
void add_legend_name(std::string_view text, Pixel colour, Legend* legend);
void fit_legend(int width, int height, Legend* legend);
// The part of the picture that it covers; empty without one.
Box legend_box(const Legend& legend);

// A bar's palettes. Only obstacles have others, of their own.
const Colours* palettes_of(BarPalettes palettes);

// Paints the legend's part in columns [first_column, end_column) of the picture. `palettes` has one
// palette for each stripe of the bar.
void paint_legend(const Legend& legend, const Ticks& ticks, const Colours* palettes,
                  int first_column, int end_column, const RgbaView& picture);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_LEGEND_H_
