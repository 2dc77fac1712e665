// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/drop_enum.h"

GType gst_rdp_drop_get_type(void) {
  return rdp::gst::enum_type<GstRdpDrop>(
      "GstRdpDrop", {{GST_RDP_DROP_AUTO, "Drop late pictures in live pipelines, else none", "auto"},
                     {GST_RDP_DROP_NEVER, "Drop no picture; frames wait", "never"},
                     {GST_RDP_DROP_LATE, "Drop late pictures", "late"}});
}
