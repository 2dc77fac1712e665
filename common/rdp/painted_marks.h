// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_PAINTED_MARKS_H_
#define RDP_COMMON_RDP_PAINTED_MARKS_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/image/box.h"
#include "common/image/font.h"
#include "common/image/painted_edge.h"
#include "common/rdp/overlay_pixels.h"

// The items in the lists of lines and texts over a picture (painted_lines.h, painted_texts.h), for
// the painters on the CPU and on the GPU, whose pictures are bit-identical.
namespace rdp {

// A pixel of a picture, or one outside of it.
struct Spot {
  int x;
  int y;
};

// A line: each pixel of the edge is the upper left corner of a square of `thickness`.
struct PaintedLine {
  PaintedEdge edge;
  Pixel colour;
  std::int32_t thickness;
};

inline constexpr int kMaxPaintedText = 16;

// A text on a background, its paper, which fills the box: `pad` cells around the text.
struct PaintedText {
  Box box;
  std::int32_t zoom;  // pixels a side of a cell
  std::int16_t pad;
  std::int16_t length;
  char text[kMaxPaintedText];
};

// The box of a text whose other members are set, from its upper left corner.
RDP_HOST_DEVICE inline Box box_at(int left, int top, const PaintedText& text) {
  return {left, top, left + (text_columns(text.length) + 2 * text.pad) * text.zoom,
          top + (kGlyphRows + 2 * text.pad) * text.zoom};
}

// The pad of most texts, and the cells of their box.
inline constexpr int kLabelPad = 1;
inline constexpr int kLabelRows = kGlyphRows + 2 * kLabelPad;
RDP_HOST_DEVICE inline int label_columns(int length) {
  return text_columns(length) + 2 * kLabelPad;
}

// True if a text has ink at a pixel of its box, counted from the upper left corner.
RDP_HOST_DEVICE inline bool is_ink(const PaintedText& text, const Font& font, int x, int y) {
  return text_bit(font, text.text, text.length, x / text.zoom - text.pad, y / text.zoom - text.pad);
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_PAINTED_MARKS_H_
