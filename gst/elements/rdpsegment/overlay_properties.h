// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_OVERLAY_PROPERTIES_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_OVERLAY_PROPERTIES_H_

#include <array>

#include "common/rdp/overlay.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/enums.h"

namespace rdp::gst {

// More than any batch has: what is beyond is a mistake, such as -1.
inline constexpr guint kMostSurface = 1023;

// What the pictures of the pad `overlay` show.
struct OverlaySettings : OverlayOptions {
  guint surface = 0;
};

// The properties of the pad.
using OfOverlay = PropertyOf<OverlaySettings>;

inline constexpr auto kOverlayProperties = std::to_array<PropertyRow<OverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "What is painted", .flags = kWhilePlaying},
     OfOverlay::as_enum<&OverlayOptions::style>(gst_rdp_overlay_style_get_type)},
    {{.name = "palette-min",
      .nick = "Palette minimum",
      .blurb = "The sample the palette starts at (both 0: the frame's 1st percentile)",
      .flags = kWhilePlaying},
     OfOverlay::as_double<&OverlayOptions::palette_min>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "palette-max",
      .nick = "Palette maximum",
      .blurb = "The sample the palette ends at (both 0: the frame's 99th percentile)",
      .flags = kWhilePlaying},
     OfOverlay::as_double<&OverlayOptions::palette_max>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "legend",
      .nick = "Legend",
      .blurb = "Whether pictures say what their colours stand for: a scale with its unit, and the "
               "names of classes (small pictures have no room for it)",
      .flags = kWhilePlaying},
     OfOverlay::as_boolean<&OverlayOptions::legend>()},
    {{.name = "birdseye-range",
      .nick = "Bird's-eye range",
      .blurb =
          "How far ahead the picture from above goes, in metres (0: as far as the frame shows)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfOverlay::as_double<&OverlayOptions::birdseye_range>(0.0, kMostRange)},
    {{.name = "surface",
      .nick = "Surface",
      .blurb = "Which surface of a batch is painted, from 0 (batches without it: no picture)",
      .flags = kWhilePlaying},
     OfOverlay::as_uint<&OverlaySettings::surface>(0, kMostSurface)},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_OVERLAY_PROPERTIES_H_
