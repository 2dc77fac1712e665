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
constexpr int kSwatchColumns = kColumns / 2;

// What stands below the wheel.
struct Swatch {
  std::string_view name;
  Pixel colour;
};
constexpr int kMostSwatches = 3;
struct Swatches {
  int count;
  Swatch of[kMostSwatches];
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

int lines_of(const MotionLegend& legend) {
  return 1 + kWheelLines + (swatches_of(legend.style).count + 1) / 2 + 1;
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

MotionLegend motion_legend(int width, int height, const OverlayOptions& options,
                           MotionFrame frame) {
  MotionLegend legend{options.style, frame, 0, {}};
  if (!options.legend) return legend;
  const int rows = 2 * kLegendPad + lines_of(legend) * kLine - (kLine - kGlyphRows);
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
  const auto y_of = [&](int line) { return legend.box.top + (kLegendPad + line * kLine) * zoom; };
  const auto write = [&](std::string_view text, int column, int line) {
    paint_text(text, x_of(column), y_of(line), zoom, kLegendInk, picture);
  };
  const bool above = legend.style == OverlayStyle::kBirdsEye;
  const bool in_picture = legend.frame == MotionFrame::kPicture;

  lines->clear();
  const int middle = y_of(0) + kGlyphRows / 2 * zoom;
  add_arrow({x_of(kLegendPad + 2), middle}, {x_of(kTextColumn - kLegendPad - 3), middle}, zoom,
            lines);
  lines->paint(picture, 255, PixelOrder::kRgba, legend.box.top, legend.box.bottom);
  write(above ? "path in 1 s" : "path in 0.5 s", kTextColumn, 0);

  paint_wheel(x_of(kLegendPad), y_of(1) - zoom, kWheel * zoom, picture);
  write(in_picture ? "direction" : "seen from above", kTextColumn, 1);
  write(in_picture ? "in the picture" : "up is ahead", kTextColumn, 2);
  write(in_picture ? "rim 16 px a frame" : "rim 10 m/s", kTextColumn, 3);

  const Swatches swatches = swatches_of(legend.style);
  for (int i = 0; i < swatches.count; ++i) {
    const int column = kLegendPad + i % 2 * kSwatchColumns;
    const int line = 1 + kWheelLines + i / 2;
    paint_box({x_of(column), y_of(line), x_of(column + kSwatch), y_of(line) + kSwatch * zoom},
              swatches.of[i].colour, picture);
    write(swatches.of[i].name, column + kSwatch + kLegendPad, line);
  }
  write(frame_text(legend.frame), kLegendPad, lines_of(legend) - 1);
}

}  // namespace rdp::motion
