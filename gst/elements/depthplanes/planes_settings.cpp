// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthplanes/planes_settings.h"

#include <cmath>

#include "common/planes/limits.h"
#include "gst/elements/base/enum_type.h"
#include "gst/elements/base/number_value.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {
GType planes_output_get_type() {
  return enum_type<PlanesOutput>(
      "GstDepthPlanesOutput",
      {{PlanesOutput::kPassthrough, "Samples unchanged", "passthrough"},
       {PlanesOutput::kLabels,
        "Plane label of each pixel or point: 1 + the plane's index (0 = no plane)", "labels"}});
}

GType planes_overlay_style_get_type() {
  using Style = planes::OverlayStyle;
  return enum_type<Style>(
      "GstDepthPlanesOverlayStyle",
      {{Style::kPlanes, "Each plane in its colour, with its outline", "planes"},
       {Style::kNormals, "Planes coloured by the direction of their normal", "normals"},
       {Style::kNodes, "Squares of the quadtree, planar ones filled", "nodes"},
       {Style::kResidual, "Distance of each pixel from its plane", "residual"},
       {Style::kDepth, "Samples in the colours of the palette", "depth"}});
}

void Direction::set(const GValue* value) {
  Direction direction;
  const guint count = gst_value_array_get_size(value);
  direction.is_set = count != 0;
  bool usable = count == 0 || count == 3;
  double squares = 0.0;
  for (guint i = 0; usable && i < count; ++i) {
    direction.v[i] = number_of(gst_value_array_get_value(value, i));
    squares += direction.v[i] * direction.v[i];
  }
  usable = usable && std::isfinite(squares) && (count == 0 || squares > 0.0);
  if (!usable) {
    g_autofree gchar* text = gst_value_serialize(value);
    g_warning(
        "expected three numbers that are not all 0, such as <0.0,-1.0,0.0>, got %s; the previous "
        "direction stays",
        text);
    return;
  }
  *this = direction;
}

void Direction::get(GValue* value) const {
  if (!is_set) return;
  for (const double number : v) append_number(value, number);
}

std::string explain_settings(const PlanesSettings& settings) {
  constexpr double kLeastStep = 0.001;
  const planes::Parameters& parameters = settings.parameters;
  if (parameters.directions != 0 && parameters.directions < planes::kFewestDirections) {
    return format_text("directions=%d is below the minimum of %d: set directions=%d or more, or 0",
                       parameters.directions, planes::kFewestDirections, planes::kFewestDirections);
  }
  if (parameters.distance_step > 0.0 && parameters.distance_step < kLeastStep) {
    return format_text(
        "distance-step=%g is below the minimum of %g m, as the Hough accumulator would need too "
        "much memory: set distance-step=%g or more, or 0",
        parameters.distance_step, kLeastStep, kLeastStep);
  }
  return {};
}

}  // namespace rdp::gst
