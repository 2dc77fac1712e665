// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_OVERLAY_PIXELS_H_
#define RDP_COMMON_HEIGHTMAP_OVERLAY_PIXELS_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"
#include "common/rdp/birdseye.h"
#include "common/rdp/overlay_pixels.h"

// The colours and the arithmetic of single pixels of pictures of height maps, for the painters on
// the CPU and on the GPU, whose pictures are the same bits. A picture is painted in layers: each
// pixel by itself, lines, texts, the legend.
namespace rdp::heightmap {

enum class OverlayStyle : std::uint8_t {
  kHeights,   // heights in palette colours; unknown pixels show the reference picture, dark
  kHeads,     // the reference picture and the number of heads. Each head has a cross in the colour
              // of its height, and the height as text if there is room
  kBirdsEye,  // the ground from above, X to the right and Y up: the highest of each cell in the
              // palette's colours, a grid in metres, crosses at the heads, and how many there are.
              // It shows the bounding box of the area, or without one what the cameras look at
              // (common/heightmap/seen_ground.h)
};

// A range of greys, of samples 0 to 255.
struct GreyRange {
  std::int32_t darkest;
  std::int32_t brightest;
};
// Grey ranges of the picture under heights, and under crosses. No height has a colour like the
// first range; white edges are visible on all of the second.
inline constexpr GreyRange kHeightsGreys = {14, 76};
inline constexpr GreyRange kHeadsGreys = {16, 176};
// The colour of cells with nothing known on them.
inline constexpr Pixel kNothingPixel = pixel(44, 46, 50);
inline constexpr Pixel kAreaPixel = pixel(86, 180, 233);
inline constexpr Pixel kHeadPixel = pixel(255, 255, 255);

// The rules for painting a picture's pixels.
struct PixelRules {
  std::int32_t labels;  // labels below this are painted; 0: none
  GreyRange greys;      // of all other pixels
  std::int32_t low;     // mm, of the first label, where the palette begins
  std::int32_t step;    // from a label to the next one
  std::int32_t span;    // from the first to the last one, where the palette ends
};

// The palette's entry of a height, mm.
RDP_HOST_DEVICE inline int height_entry(int height, const PixelRules& rules) {
  if (rules.span == 0) return 128;
  const int above = height - rules.low;
  const int within = above < 0 ? 0 : above > rules.span ? rules.span : above;
  return (2 * 255 * within + rules.span) / (2 * rules.span);
}

RDP_HOST_DEVICE constexpr Pixel grey_pixel(int sample, const GreyRange& greys) {
  const int grey = greys.darkest + sample * (greys.brightest - greys.darkest) / 255;
  return pixel(grey, grey, grey);
}

// A pixel of the picture as the reference camera sees it.
RDP_HOST_DEVICE inline Pixel picture_pixel(int sample, int label, const PixelRules& rules,
                                           const Colours& palette) {
  if (label >= rules.labels) return grey_pixel(sample, rules.greys);
  return palette.entry[height_entry(rules.low + label * rules.step, rules)];
}

// The content of a column or a row of a picture from above.
struct MapPlace {
  std::int32_t cell;  // of the ground's columns or rows; -1: none
  std::uint32_t is_line;
};

// A pixel of the picture from above. `ground` are the heights of the cells, mm, 0 where nothing
// stands, `ground_columns` a row.
RDP_HOST_DEVICE inline Pixel map_pixel(const MapPlace& column, const MapPlace& row,
                                       const std::uint16_t* ground, int ground_columns,
                                       const PixelRules& rules, const Colours& palette) {
  if (column.cell < 0 || row.cell < 0) return kUnknownPixel;
  const int height = ground[static_cast<std::ptrdiff_t>(row.cell) * ground_columns + column.cell];
  if (height > 0) return palette.entry[height_entry(height, rules)];
  return column.is_line != 0 || row.is_line != 0 ? kGridPixel : kNothingPixel;
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_OVERLAY_PIXELS_H_
