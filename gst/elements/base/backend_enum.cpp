// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/backend_enum.h"

GType gst_rdp_backend_get_type(void) {
  // The type's name is older than the other elements that have the property, and stays.
  return rdp::gst::enum_type<GstRdpBackend>(
      "GstRdpSegmentBackend",
      {{GST_RDP_BACKEND_AUTO,
        "GPU for frames in its memory; for frames in system memory the faster of both", "auto"},
       {GST_RDP_BACKEND_CPU, "On the CPU", "cpu"},
       {GST_RDP_BACKEND_CUDA, "On an NVIDIA GPU", "cuda"}});
}
