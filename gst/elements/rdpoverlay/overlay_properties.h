// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_OVERLAY_PROPERTIES_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_OVERLAY_PROPERTIES_H_

#include <array>

#include "common/rdp/birdseye.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpoverlay/overlay_settings.h"

namespace rdp::gst {

// The properties that say what rdpoverlay draws.
using OfDrawing = PropertyOf<DrawingSettings>;

inline constexpr auto kDrawingProperties = std::to_array<PropertyRow<DrawingSettings>>({
    {{.name = "style", .nick = "Style", .blurb = "Drawing style", .flags = kWhilePlaying},
     OfDrawing::as_enum<&DrawingSettings::style>(drawn_style_get_type)},
    {{.name = "opacity",
      .nick = "Opacity",
      .blurb = "Opacity of the drawing (0 = invisible, 1 = opaque)",
      .flags = kWhilePlaying | kControllable},
     OfDrawing::as_double<&DrawingSettings::opacity>(0.0, 1.0)},
    {{.name = "palette-min",
      .nick = "Palette minimum",
      .blurb = "Value at the start of the palette (min and max both 0 = 1st percentile of the "
               "segments' ends)",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::palette_min>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "palette-max",
      .nick = "Palette maximum",
      .blurb = "Value at the end of the palette (min and max both 0 = 99th percentile of the "
               "segments' ends)",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::palette_max>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "inset-position",
      .nick = "Inset position",
      .blurb = "Corner of the picture with the bird's-eye view",
      .needs = "style=birdseye",
      .flags = kWhilePlaying},
     OfDrawing::as_enum<&DrawingSettings::inset_position>(inset_corner_get_type)},
    {{.name = "inset-size",
      .nick = "Inset size",
      .blurb = "Width of the bird's-eye view, as a share of the picture's width",
      .needs = "style=birdseye",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::inset_size>(0.05, 1.0)},
    {{.name = "birdseye-range",
      .nick = "Bird's-eye range",
      .blurb = "Range of the bird's-eye view in metres (0 = as far as the frame shows)",
      .unit = "metres",
      .needs = "style=birdseye",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::birdseye_range>(0.0, rdp::kMaxRange)},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_OVERLAY_PROPERTIES_H_
