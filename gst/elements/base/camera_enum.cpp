// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/camera_enum.h"

#include <gst/rdpsegment/rdpcamera.h>

#include "gst/elements/base/enum_type.h"

GType gst_rdp_camera_measures_get_type(void) {
  return rdp::gst::enum_type<GstRdpMeasure>(
      "GstRdpCameraMeasures",
      {{GST_RDP_MEASURE_UNKNOWN, "From the camera on the frames, the properties and the domain",
        "auto"},
       {GST_RDP_MEASURE_DISPARITY, "Disparity of a rectified pair", "disparity"},
       {GST_RDP_MEASURE_DEPTH, "Depth Z along the camera's axis", "depth"}});
}
