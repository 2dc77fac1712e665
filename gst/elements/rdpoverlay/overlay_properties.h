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
    {{.name = "style", .nick = "Style", .blurb = "What is drawn", .flags = kWhilePlaying},
     OfDrawing::as_enum<&DrawingSettings::style>(drawn_style_get_type)},
    {{.name = "opacity",
      .nick = "Opacity",
      .blurb = "How much of the picture the drawing covers where it is (1: all)",
      .flags = kWhilePlaying | kControllable},
     OfDrawing::as_double<&DrawingSettings::opacity>(0.0, 1.0)},
    {{.name = "palette-min",
      .nick = "Palette minimum",
      .blurb = "The value the palette starts at (both 0: the 1st percentile of the segments' "
               "ends)",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::palette_min>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "palette-max",
      .nick = "Palette maximum",
      .blurb = "The value the palette ends at (both 0: the 99th percentile of the segments' "
               "ends)",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::palette_max>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "inset-position",
      .nick = "Inset position",
      .blurb = "The corner of the picture in which the bird's-eye view lies",
      .needs = "style=birdseye",
      .flags = kWhilePlaying},
     OfDrawing::as_enum<&DrawingSettings::inset_position>(inset_corner_get_type)},
    {{.name = "inset-size",
      .nick = "Inset size",
      .blurb = "The width of the bird's-eye view, as a part of the picture's",
      .needs = "style=birdseye",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::inset_size>(0.05, 1.0)},
    {{.name = "birdseye-range",
      .nick = "Bird's-eye range",
      .blurb = "How far ahead the bird's-eye view goes, in metres (0: as far as the frame shows)",
      .unit = "metres",
      .needs = "style=birdseye",
      .flags = kWhilePlaying},
     OfDrawing::as_double<&DrawingSettings::birdseye_range>(0.0, rdp::kMostRange)},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_OVERLAY_PROPERTIES_H_
