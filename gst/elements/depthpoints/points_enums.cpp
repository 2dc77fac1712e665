// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthpoints/points_enums.h"

#include "gst/elements/base/enum_type.h"

GType gst_rdp_point_axes_get_type(void) {
  return rdp::gst::enum_type<GstRdpPointAxes>(
      "GstRdpPointAxes",
      {{GST_RDP_POINT_AXES_CAMERA, "Camera axes: x right, y down, z forward", "camera"},
       {GST_RDP_POINT_AXES_FORWARD_LEFT_UP, "Robot axes: x forward, y left, z up",
        "forward-left-up"}});
}
