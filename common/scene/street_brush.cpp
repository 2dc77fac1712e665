// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/street_brush.h"

namespace rdp {

void StreetBrush::face(double x0, double x1, double z, double y0, double y1, int surface) const {
  if (z < TestCamera::kNearest) return;
  const DisparityLine line = constant_disparity(camera_.disparity(z));
  const int top = pixel(row_of(y1, z));
  const int bottom = pixel(row_of(y0, z));
  const Columns range = columns(column_of(x0, z), column_of(x1, z));
  for (int c = range.first; c < range.end; ++c) {
    canvas_->cover(c, top, bottom, line, SpanCanvas::Layer::kForeground, surface);
  }
}

void StreetBrush::slope(double x0, double x1, double y0, double z0, double y1, double z1,
                        int surface) const {
  if (z0 < TestCamera::kNearest) return;
  const auto row_at = [&](double z) { return row_of(y0 + (y1 - y0) * (z - z0) / (z1 - z0), z); };
  const double near_row = row_at(z0);
  const double far_row = row_at(z1);
  if (!(far_row < near_row)) return;  // seen from below
  // The inverse depth of a plane is linear in the row.
  const double near_disparity = camera_.disparity(z0);
  const double rise = (near_disparity - camera_.disparity(z1)) / (near_row - far_row);
  const DisparityLine line = disparity_line(near_disparity, near_row, rise);
  const Columns range = columns(std::min(column_of(x0, z0), column_of(x0, z1)),
                                std::max(column_of(x1, z0), column_of(x1, z1)));
  for (int c = range.first; c < range.end; ++c) {
    // The part of the surface on the ray of this column, x = ray * z.
    const double ray = (c - camera_.centre_column) / camera_.focal;
    double from = z0;
    double to = z1;
    if (ray != 0.0) {
      from = std::max(from, ((ray > 0.0 ? x0 : x1) - eye_) / ray);
      to = std::min(to, ((ray > 0.0 ? x1 : x0) - eye_) / ray);
    }
    if (!(from < to)) continue;
    canvas_->cover(c, pixel(row_at(to)), pixel(row_at(from)), line, SpanCanvas::Layer::kForeground,
                   surface);
  }
}

}  // namespace rdp
