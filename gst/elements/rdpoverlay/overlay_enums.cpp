// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/overlay_settings.h"

namespace rdp::gst {

GType drawn_style_get_type() {
  static const GEnumValue values[] = {
      {static_cast<gint>(DrawnStyle::kSegments), "Each segment in its colour, ends marked",
       "segments"},
      {static_cast<gint>(DrawnStyle::kClasses), "Each segment in the colour of its class",
       "classes"},
      {static_cast<gint>(DrawnStyle::kBirdseye), "The frame from above, in a corner", "birdseye"},
      {0, nullptr, nullptr},
  };
  static const GType type = g_enum_register_static("GstRdpOverlayStyle", values);
  return type;
}

GType inset_corner_get_type() {
  static const GEnumValue values[] = {
      {static_cast<gint>(InsetCorner::kTopLeft), "Upper left", "top-left"},
      {static_cast<gint>(InsetCorner::kTopRight), "Upper right", "top-right"},
      {static_cast<gint>(InsetCorner::kBottomLeft), "Lower left", "bottom-left"},
      {static_cast<gint>(InsetCorner::kBottomRight), "Lower right", "bottom-right"},
      {0, nullptr, nullptr},
  };
  static const GType type = g_enum_register_static("GstRdpOverlayInsetPosition", values);
  return type;
}

}  // namespace rdp::gst
