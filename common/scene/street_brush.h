// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_STREET_BRUSH_H_
#define RDP_COMMON_SCENE_STREET_BRUSH_H_

#include <algorithm>
#include <cmath>

#include "common/scene/span_canvas.h"
#include "common/scene/surface.h"
#include "common/scene/viewpoint.h"

namespace rdp {

// Draws a scene on a road: flat surfaces along and across the road, as they are seen from a
// viewpoint. All take coordinates of the street (see TestCamera) and the number of their surface.
//
// Uses only +, -, *, / and roundings of doubles, which IEEE 754 defines exactly, compiled without
// contraction to fused operations: frames are bit-identical everywhere.
class StreetBrush {
 protected:
  StreetBrush(const Viewpoint& from, SpanCanvas* canvas)
      : camera_(from.camera), eye_(from.x), surfaces_(from.surfaces), canvas_(canvas) {}

  // A rectangle that faces the camera.
  void face(double x0, double x1, double z, double y0, double y1, int surface) const;
  // A surface across the road that rises from (y0, z0) to (y1, z1), further away.
  void slope(double x0, double x1, double y0, double z0, double y1, double z1, int surface) const;
  // A wall along the road from z0 to z1; top(z) is its height there.
  template <typename Top>
  void wall(double x, double z0, double z1, double y0, Top top, int surface) const;

  // The number of a surface with this look; 0 if the viewpoint collects none.
  int look(const Surface& surface) const {
    return surfaces_ != nullptr ? surfaces_->add(surface) : 0;
  }

  double column_of(double x, double z) const {
    return camera_.centre_column + camera_.focal * (x - eye_) / z;
  }
  double row_of(double y, double z) const {
    return camera_.centre_row + camera_.focal * (TestCamera::kHeight - y) / z;
  }
  // The first pixel whose centre is at or after this coordinate, clamped to a safe range of int.
  static int pixel(double coordinate) {
    return static_cast<int>(std::ceil(std::clamp(coordinate, -1e6, 1e6)));
  }
  struct Columns {
    int first, end;
  };
  Columns columns(double from, double to) const {
    return {std::max(pixel(from), 0), std::min(pixel(to), canvas_->width())};
  }

  TestCamera camera_;
  double eye_;  // the camera's x
  SurfaceList* surfaces_;
  SpanCanvas* canvas_;
};

template <typename Top>
void StreetBrush::wall(double x, double z0, double z1, double y0, Top top, int surface) const {
  // Nearer than this, a wall at the side is outside of any picture.
  const double from = std::max(z0, 0.5);
  if (z1 <= from) return;
  const double a = column_of(x, from);
  const double b = column_of(x, z1);
  const Columns range = columns(std::min(a, b), std::max(a, b));
  for (int c = range.first; c < range.end; ++c) {
    // Each column's ray meets the wall at one distance, so focal / z follows from the ray.
    const double focal_over_z = (c - camera_.centre_column) / (x - eye_);
    // No wall column looks straight ahead, but rounding could make it 0.
    const double y1 = top(camera_.focal / (focal_over_z != 0.0 ? focal_over_z : 1e-9));
    canvas_->cover(c, pixel(camera_.centre_row + (TestCamera::kHeight - y1) * focal_over_z),
                   pixel(camera_.centre_row + (TestCamera::kHeight - y0) * focal_over_z),
                   constant_disparity(camera_.baseline * focal_over_z),
                   SpanCanvas::Layer::kForeground, surface);
  }
}

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_STREET_BRUSH_H_
