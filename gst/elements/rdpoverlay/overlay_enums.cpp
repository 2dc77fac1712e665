// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/overlay_settings.h"

namespace rdp::gst {

GType drawn_style_get_type() {
  static const GEnumValue values[] = {
      {static_cast<gint>(DrawnStyle::kSegments), "Each segment in its colour, ends marked",
       "segments"},
      {static_cast<gint>(DrawnStyle::kClasses), "Each segment in the colour of its class",
       "classes"},
      {0, nullptr, nullptr},
  };
  static const GType type = g_enum_register_static("GstRdpOverlayStyle", values);
  return type;
}

}  // namespace rdp::gst
