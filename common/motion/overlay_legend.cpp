// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/overlay_legend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "common/rdp/birdseye.h"
#include "common/rdp/legend.h"
#include "common/rdp/overlay.h"

namespace rdp::motion {
namespace {

// In cells.
constexpr int kLine = kGlyphRows + 3;
constexpr int kWheel = 29;      // across
constexpr int kWheelLines = 3;  // beside it
constexpr int kTextColumn = kLegendPad + kWheel + kLegendPad;
constexpr int kColumns = kTextColumn + 18 * kGlyphStep + kLegendPad;
constexpr int kNameColumn = kSwatch + kLegendPad;  // of a name, from that of its colour
constexpr int kApart = 2 * kLegendPad;             // a name, and the next colour in its line

// The colours below the wheel.
struct Swatch {
  std::string_view name;
  Pixel colour;
};
constexpr int kMaxSwatches = 3;
struct Swatches {
  int count;
  Swatch of[kMaxSwatches];
};

Swatches swatches_of(OverlayStyle style) {
  if (style == OverlayStyle::kBirdsEye) {
    return {3, {{"ground", kGroundPixel}, {"obstacle", kObstaclePixel}, {"unseen", kUnseenPixel}}};
  }
  constexpr int kGrey = (kStillGreys[0] + kStillGreys[1]) / 2;
  return {2, {{"slow/unsure", pixel(kGrey, kGrey, kGrey)}, {"unknown", kUnknownMotionPixel}}};
}

std::string_view frame_text(MotionFrame frame) {
  switch (frame) {
    case MotionFrame::kCamera:
      return "m/s to the camera";
    case MotionFrame::kGround:
      return "m/s over ground";
    case MotionFrame::kPicture:
      return "no camera - in px";
    case MotionFrame::kNothing:
      break;
  }
  return "no velocity known";
}

int lines_of(OverlayStyle style) {
  return 1 + kWheelLines + (swatches_of(style).count + 1) / 2 + 1;
}

// The place of the second colour of a line: in the middle, or behind the longest name before it.
int second_column(const Swatches& swatches) {
  int column = kColumns / 2;
  for (int i = 0; i + 1 < swatches.count; i += 2) {
    const int columns = text_columns(static_cast<int>(swatches.of[i].name.size()));
    column = std::max(column, kNameColumn + columns + kApart);
  }
  return kLegendPad + column;
}

// All directions, each as it is painted; the speed grows from the middle to the rim.
void paint_wheel(int left, int top, int size, const RgbaView& picture) {
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      // In half pixels, from the middle.
      const std::int64_t right = 2 * x + 1 - size;
      const std::int64_t down = 2 * y + 1 - size;
      const std::int64_t squared = right * right + down * down;
      if (squared > std::int64_t{size} * size) continue;
      const auto speed = static_cast<std::int64_t>(std::sqrt(static_cast<double>(squared)));
      const Pixel p = velocity_colour(right, -down, speed, size);
      std::memcpy(
          picture.data + (top + y) * picture.stride + 4 * static_cast<std::ptrdiff_t>(left + x), &p,
          sizeof p);
    }
  }
}

}  // namespace

LegendTexts motion_legend_texts(OverlayStyle style, MotionFrame frame) {
  LegendTexts texts;
  const auto add = [&](std::string_view text, int column, int line) {
    texts.of[texts.count++] = {text, column, kLegendPad + line * kLine};
  };
  const bool above = style == OverlayStyle::kBirdsEye;
  const bool in_picture = frame == MotionFrame::kPicture;
  add(above ? "path in 1 s" : "path in 0.5 s", kTextColumn, 0);
  add(in_picture ? "direction" : "seen from above", kTextColumn, 1);
  add(in_picture ? "in the picture" : "up is ahead", kTextColumn, 2);
  add(in_picture ? "rim 16 px a frame" : "rim 10 m/s", kTextColumn, 3);
  const Swatches swatches = swatches_of(style);
  for (int i = 0; i < swatches.count; ++i) {
    const int column = i % 2 == 0 ? kLegendPad : second_column(swatches);
    add(swatches.of[i].name, column + kNameColumn, 1 + kWheelLines + i / 2);
    LegendText& text = texts.of[texts.count - 1];
    text.has_swatch = true;
    text.swatch = swatches.of[i].colour;
  }
  add(frame_text(frame), kLegendPad, lines_of(style) - 1);
  return texts;
}

MotionLegend motion_legend(int width, int height, const OverlayOptions& options,
                           MotionFrame frame) {
  MotionLegend legend{options.style, frame, 0, {}};
  if (!options.legend) return legend;
  const int rows = 2 * kLegendPad + lines_of(legend.style) * kLine - (kLine - kGlyphRows);
  // The panel takes at most half of the rows.
  legend.zoom = std::min({text_zoom(width, height), width / (kColumns + 2 * kLegendMargin),
                          height / (2 * (rows + 2 * kLegendMargin))});
  const int corner = kLegendMargin * legend.zoom;
  legend.box = {corner, corner, corner + kColumns * legend.zoom, corner + rows * legend.zoom};
  return legend;
}

void paint_motion_legend(const MotionLegend& legend, PaintedLines* lines, const RgbaView& picture) {
  const int zoom = legend.zoom;
  if (zoom == 0) return;
  paint_box(legend.box, kLegendPaper, picture);
  const auto x_of = [&](int column) { return legend.box.left + column * zoom; };
  const auto y_of = [&](int row) { return legend.box.top + row * zoom; };

  lines->clear();
  const int middle = y_of(kLegendPad + kGlyphRows / 2);
  add_arrow({x_of(kLegendPad + 2), middle}, {x_of(kTextColumn - kLegendPad - 3), middle}, zoom,
            lines);
  lines->paint(picture, 255, PixelOrder::kRgba, legend.box.top, legend.box.bottom);
  paint_wheel(x_of(kLegendPad), y_of(kLegendPad + kLine) - zoom, kWheel * zoom, picture);

  const LegendTexts texts = motion_legend_texts(legend.style, legend.frame);
  for (int i = 0; i < texts.count; ++i) {
    const LegendText& t = texts.of[i];
    if (t.has_swatch) {
      const int left = x_of(t.column - kNameColumn);
      paint_box({left, y_of(t.row), left + kSwatch * zoom, y_of(t.row + kSwatch)}, t.swatch,
                picture);
    }
    paint_text(t.text, x_of(t.column), y_of(t.row), zoom, kLegendInk, picture);
  }
}

}  // namespace rdp::motion
