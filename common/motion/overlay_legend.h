// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_OVERLAY_LEGEND_H_
#define RDP_COMMON_MOTION_OVERLAY_LEGEND_H_

#include <string_view>

#include "common/image/rgba_view.h"
#include "common/motion/overlay.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/painted_texts.h"

namespace rdp::motion {

// The legend of a picture of motion: a panel in its upper left corner, in cells of `zoom` pixels.
// It shows an arrow with its duration, the colour wheel of directions, the other colours, and the
// frame of reference of velocities.
struct MotionLegend {
  OverlayStyle style = OverlayStyle::kMotion;
  MotionFrame frame = MotionFrame::kNothing;
  int zoom = 0;  // 0: there is none, or no room for it
  Box box{};
};

// A text of the legend, in cells from its upper left corner. Texts share no cells with each other
// or with other texts' colours, and lie within the panel.
struct LegendText {
  std::string_view text;
  int column = 0;
  int row = 0;
  // The colour that the text names: kSwatch by kSwatch cells, kSwatch + kLegendPad cells to its
  // left.
  bool has_swatch = false;
  Pixel swatch = 0;
};
struct LegendTexts {
  static constexpr int kMost = 8;
  int count = 0;
  LegendText of[kMost];
};
LegendTexts motion_legend_texts(OverlayStyle style, MotionFrame frame);

MotionLegend motion_legend(int width, int height, const OverlayOptions& options, MotionFrame frame);

// Writes all pixels of the legend's box. `lines` is scratch for its arrow. Throws std::bad_alloc.
void paint_motion_legend(const MotionLegend& legend, PaintedLines* lines, const RgbaView& picture);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_OVERLAY_LEGEND_H_
