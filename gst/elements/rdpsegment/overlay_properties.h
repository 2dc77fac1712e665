// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_OVERLAY_PROPERTIES_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_OVERLAY_PROPERTIES_H_

#include <array>

#include "common/rdp/overlay.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/palette_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/enums.h"

namespace rdp::gst {

// What the pictures of the pad `overlay` show.
struct OverlaySettings : OverlayOptions {
  guint surface = 0;
};

// The properties of the pad.
using OfOverlay = PropertyOf<OverlaySettings>;

inline constexpr auto kStyleProperties = std::to_array<PropertyRow<OverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "What is painted", .flags = kWhilePlaying},
     OfOverlay::as_enum<&OverlayOptions::style>(gst_rdp_overlay_style_get_type)},
});
inline constexpr auto kViewProperties = std::to_array<PropertyRow<OverlaySettings>>({
    {{.name = "birdseye-range",
      .nick = "Bird's-eye range",
      .blurb =
          "How far ahead the picture from above goes, in metres (0: as far as the frame shows)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfOverlay::as_double<&OverlayOptions::birdseye_range>(0.0, kMostRange)},
});
inline constexpr auto kOverlayProperties =
    join(kStyleProperties, palette_properties<OverlaySettings>(), kViewProperties,
         surface_property<OverlaySettings>());

inline constexpr char kSegmentOverlayPad[] = "GstRdpSegmentOverlayPad";
using SegmentOverlayPad = OverlayPad<kSegmentOverlayPad, OverlaySettings, kOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_OVERLAY_PROPERTIES_H_
