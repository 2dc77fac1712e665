/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENTOVERLAYPAD_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENTOVERLAYPAD_H_

#include "gst/elements/base/picture_pad.h"
#include "gst/elements/rdpsegment/overlay_properties.h"

/* The request pad `overlay` of rdpsegment: a picture pad with the properties of the painter. */
G_BEGIN_DECLS

#define GST_TYPE_RDP_SEGMENT_OVERLAY_PAD (gst_rdp_segment_overlay_pad_get_type())
G_DECLARE_FINAL_TYPE(GstRdpSegmentOverlayPad, gst_rdp_segment_overlay_pad, GST,
                     RDP_SEGMENT_OVERLAY_PAD, GstRdpPicturePad)

G_END_DECLS

/* The properties as they are now. Any thread. No function of C: it returns what C does not know. */
rdp::gst::OverlaySettings gst_rdp_segment_overlay_pad_get_settings(GstRdpSegmentOverlayPad* self);

#endif /* RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENTOVERLAYPAD_H_ */
