// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_OVERLAY_PIXELS_H_
#define RDP_COMMON_RDP_OVERLAY_PIXELS_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"
#include "common/image/palette.h"
#include "common/rdp/segment_class.h"

// The colours and the arithmetic of single overlay pixels, for the painters on the CPU and on the
// GPU, whose pictures are bit-identical.
namespace rdp {

// The painter's numbers for one frame: palette index = clamp((value - offset) * factor, 0, 255),
// rounded.
struct PaletteRange {
  float offset = 0.0F;
  float factor = 1.0F;
};

// The range from `low` to `high`, both finite, widened to at least one step.
RDP_HOST_DEVICE inline PaletteRange palette_range_between(double low, double high) {
  const double width = high - low;
  if (width > -1.0 && width < 1.0) {
    const double middle = 0.5 * (low + high);
    low = middle - 0.5;
    high = middle + 0.5;
  }
  return {static_cast<float>(low), static_cast<float>(255.0 / (high - low))};
}

// The reversed range.
RDP_HOST_DEVICE inline PaletteRange backwards(const PaletteRange& range) {
  return {range.offset + 255.0F / range.factor, 0.0F - range.factor};
}

RDP_HOST_DEVICE inline float palette_position(float value, const PaletteRange& range) {
  return (value - range.offset) * range.factor;
}

// The limits of the scale of painted inverse depths, and the divisor for a depth of 0. Scales
// beyond the limits make the same pictures: a palette ends within 1e6 of 0 and is at least one step
// wide. So 1e-12 steps change no position within it, and 1e13 / 65535 or 1e-12 / 1e-20 steps are
// beyond its end.
inline constexpr double kLeastPaintedScale = 1e-12;
inline constexpr double kLargestPaintedScale = 1e13;
inline constexpr float kPaintedDepthOfZero = 1e-20F;

// The palette's entry at a position, which may be beyond its ends.
RDP_HOST_DEVICE inline int palette_entry(float position) {
  const float within = position < 0.0F ? 0.0F : position > 255.0F ? 255.0F : position;
  return static_cast<int>(within + 0.5F);
}

// The painted value of a depth in Domain::kInverse: scale / depth, without the rounding of u;
// `scale` is painted_inverse_scale(). A depth of 0 is painted as the palette's greatest value, as
// infinity would be. It is never a divisor: unknown samples are 0 and computed like the others.
RDP_HOST_DEVICE inline float painted_inverse(std::uint32_t depth, float scale) {
  const auto divisor = static_cast<float>(depth);
  return scale / (divisor > kPaintedDepthOfZero ? divisor : kPaintedDepthOfZero);
}

// A pixel as a word: R is the lowest byte.
using Pixel = std::uint32_t;

RDP_HOST_DEVICE constexpr Pixel pixel(int r, int g, int b) {
  return static_cast<Pixel>(r) | static_cast<Pixel>(g) << 8 | static_cast<Pixel>(b) << 16 |
         0xFF000000U;
}

// The colour at a segment's ends.
RDP_HOST_DEVICE constexpr Pixel darkened(Pixel p) { return ((p >> 2) & 0x3F3F3FU) | 0xFF000000U; }
// The colour of bridged unknown rows: opaque, because they belong to a segment.
RDP_HOST_DEVICE constexpr Pixel bridged(Pixel p) { return p - ((p >> 3) & 0x1F1F1FU); }

// The colour of unknown pixels: transparent, so that pictures can lie on others, and black for
// viewers without alpha. All other pixels are opaque.
inline constexpr Pixel kUnknownPixel = 0;
inline constexpr Pixel kEdgePixel = pixel(255, 226, 64);

// Texts, and the paper that they are on.
inline constexpr Pixel kLegendPaper = pixel(20, 20, 24);
inline constexpr Pixel kLegendInk = pixel(235, 235, 235);

struct Colours {
  Pixel entry[256];
};

// The palette at several levels of paleness; level 0 is the palette itself.
inline constexpr int kPaleLevels = 16;
struct PaleColours {
  Colours level[kPaleLevels];
};

constexpr PaleColours make_pale_colours() {
  constexpr Rgb kPale = {217, 230, 242};
  constexpr double kMaxPale = 0.45;
  PaleColours colours{};
  for (int level = 0; level < kPaleLevels; ++level) {
    const double pale = kMaxPale * level / (kPaleLevels - 1);
    const auto mix = [pale](int from, int to) {
      return static_cast<int>(from + (to - from) * pale + 0.5);
    };
    for (std::size_t i = 0; i < 256; ++i) {
      const Rgb c = kPalette[i];
      colours.level[level].entry[i] =
          pixel(mix(c.r, kPale.r), mix(c.g, kPale.g), mix(c.b, kPale.b));
    }
  }
  return colours;
}

// Dark colours of samples, against which the segments' ends stand out.
constexpr Colours make_greys() {
  Colours greys{};
  for (int i = 0; i < 256; ++i) {
    const int grey = 24 + i * 80 / 255;
    greys.entry[i] = pixel(grey, grey, grey);
  }
  return greys;
}

// The colours of the classes, in the order of SegmentClass. Brightness grows with the entry.
// Classes are distinguishable at any brightness, also for the colour-blind: the test
// overlay_colours defines and checks that.
struct ClassColours {
  Colours of[kSegmentClasses];
};

// A linear ramp between two colours.
constexpr Colours make_ramp(const Rgb& dark, const Rgb& bright) {
  Colours colours{};
  for (int i = 0; i < 256; ++i) {
    const auto mix = [i](int from, int to) { return (from * (255 - i) + to * i) / 255; };
    colours.entry[i] = pixel(mix(dark.r, bright.r), mix(dark.g, bright.g), mix(dark.b, bright.b));
  }
  return colours;
}

constexpr ClassColours make_class_colours() {
  constexpr Rgb kEnds[kSegmentClasses][2] = {{{106, 104, 116}, {206, 200, 212}},
                                             {{30, 180, 122}, {24, 255, 180}},
                                             {{156, 64, 22}, {250, 162, 18}},
                                             {{35, 10, 180}, {28, 110, 195}}};
  ClassColours colours{};
  for (int c = 0; c < kSegmentClasses; ++c) colours.of[c] = make_ramp(kEnds[c][0], kEnds[c][1]);
  return colours;
}

// The paleness of a segment of `length` rows between two values, in a picture of `height` rows: a
// wall has the same value in all its rows, a floor runs through the palette within a few picture
// heights. The slope of very short segments says nothing.
RDP_HOST_DEVICE inline int pale_level(int length, float first_value, float last_value,
                                      const PaletteRange& range, int height) {
  if (length * 48 < height) return 0;
  const float rise = (last_value - first_value) * range.factor;
  const float steps = rise < 0.0F ? -rise : rise;
  const float slope = steps / static_cast<float>(length) * static_cast<float>(height) / 384.0F;
  const float level = (slope < 1.0F ? slope : 1.0F) * static_cast<float>(kPaleLevels - 1);
  return static_cast<int>(level + 0.5F);
}

// The palette's entries along a segment. If both ends are within the palette, positions are
// integers in 2^-16. Rounding of the step adds up to at most 1/8, so that the added half keeps
// positions in the table.
struct PaletteLine {
  bool inside;
  std::int32_t begin, step;
  float first, slope;

  RDP_HOST_DEVICE PaletteLine(int length, float first_value, float last_value,
                              const PaletteRange& range)
      : inside(false), begin(0), step(0), first(palette_position(first_value, range)), slope(0.0F) {
    const float last = palette_position(last_value, range);
    const int rows = length > 1 ? length : 1;
    inside = first >= 0.0F && first <= 255.0F && last >= 0.0F && last <= 255.0F;
    if (inside) {
      begin = static_cast<std::int32_t>(first * 65536.0F) + 32768;
      step = static_cast<std::int32_t>((last - first) * 65536.0F) / rows;
    } else {
      slope = (last - first) / static_cast<float>(rows);
    }
  }

  // At a row, counted from the segment's first one.
  RDP_HOST_DEVICE int entry(int row) const {
    return inside ? (begin + step * row) >> 16
                  : palette_entry(first + slope * static_cast<float>(row));
  }
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_OVERLAY_PIXELS_H_
