// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/base_enums.h"

#include <gst/rdpsegment/rdpcamera.h>

#include "common/rdp/parameters.h"

using rdp::gst::enum_type;

// Type names kept from the first element that had these properties, for compatibility.
constexpr const char* kBackendName = "GstRdpSegmentBackend";
constexpr const char* kMedianName = "GstRdpSegmentMedian";

GType gst_rdp_backend_get_type(void) {
  return enum_type<GstRdpBackend>(
      kBackendName,
      {{GST_RDP_BACKEND_AUTO,
        "GPU for frames in its memory; for frames in system memory the faster of both", "auto"},
       {GST_RDP_BACKEND_CPU, "On the CPU", "cpu"},
       {GST_RDP_BACKEND_CUDA, "On an NVIDIA GPU", "cuda"}});
}

GType gst_rdp_camera_measures_get_type(void) {
  return enum_type<GstRdpMeasure>(
      "GstRdpCameraMeasures",
      {{GST_RDP_MEASURE_UNKNOWN, "From the camera on the frames, the properties and the domain",
        "auto"},
       {GST_RDP_MEASURE_DISPARITY, "Disparity of a rectified pair", "disparity"},
       {GST_RDP_MEASURE_DEPTH, "Depth Z along the camera's axis", "depth"}});
}

GType gst_rdp_drop_get_type(void) {
  return enum_type<GstRdpDrop>(
      "GstRdpDrop", {{GST_RDP_DROP_AUTO, "Drop late pictures in live pipelines, else none", "auto"},
                     {GST_RDP_DROP_NEVER, "Drop no picture; frames wait", "never"},
                     {GST_RDP_DROP_LATE, "Drop late pictures", "late"}});
}

GType gst_rdp_median_get_type(void) {
  return enum_type<rdp::Median>(kMedianName, {{rdp::Median::kNone, "No median", "none"},
                                              {rdp::Median::k3x3, "Median of 3x3 samples", "3x3"},
                                              {rdp::Median::k5x5, "Median of 5x5 samples", "5x5"}});
}
