// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthpoints/points_enums.h"

GType gst_rdp_point_axes_get_type(void) {
  static const GEnumValue values[] = {
      {GST_RDP_POINT_AXES_CAMERA, "The camera's: x right, y down, z forward", "camera"},
      {GST_RDP_POINT_AXES_FORWARD_LEFT_UP, "A robot's: x forward, y left, z up", "forward-left-up"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstRdpPointAxes", values);
  return type;
}
