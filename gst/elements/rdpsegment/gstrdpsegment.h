/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENT_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENT_H_

#include "gst/elements/base/gstrdpanalyzer.h"

G_BEGIN_DECLS

/* The element rdpsegment. (GstRdpSegment is one segment: see gst/rdpsegment/rdpsegmentation.h.) */
#define GST_TYPE_RDP_SEGMENT_ELEMENT (gst_rdp_segment_element_get_type())
G_DECLARE_FINAL_TYPE(GstRdpSegmentElement, gst_rdp_segment_element, GST, RDP_SEGMENT_ELEMENT,
                     GstRdpAnalyzer)

GST_ELEMENT_REGISTER_DECLARE(rdpsegment)

GST_DEBUG_CATEGORY_EXTERN(gst_rdp_segment_debug);

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENT_H_ */
