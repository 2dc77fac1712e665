/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_OVERLAY_H__
#define __GST_RDP_OVERLAY_H__

#include <gst/gst.h>

#include "gst/elements/base/gstrdpjoiner.h"

G_BEGIN_DECLS

#define GST_TYPE_RDP_OVERLAY (gst_rdp_overlay_get_type())
G_DECLARE_FINAL_TYPE(GstRdpOverlay, gst_rdp_overlay, GST, RDP_OVERLAY, GstRdpJoiner)

GST_ELEMENT_REGISTER_DECLARE(rdpoverlay);

G_END_DECLS

#endif /* __GST_RDP_OVERLAY_H__ */
