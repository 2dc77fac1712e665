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

// Each pixel of the edge is a square of `thickness`, of which it is the upper left corner.
struct PaintedLine {
  PaintedEdge edge;
  Pixel colour;
  std::int32_t thickness;
};

inline constexpr int kMaxPaintedText = 16;

// A text on paper of its own, which is the box.
struct PaintedText {
  Box box;
  std::int32_t length;
  char text[kMaxPaintedText];
};

// True if a text has ink at a pixel of its box, counted from the upper left corner. A cell of the
// text is `zoom` pixels wide and high.
RDP_HOST_DEVICE inline bool is_ink(const PaintedText& text, const Font& font, int zoom, int x,
                                   int y) {
  constexpr int kPad = 1;  // of paper, in cells
  return text_bit(font, text.text, text.length, x / zoom - kPad, y / zoom - kPad);
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_PAINTED_MARKS_H_
