/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_ENUMS_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_ENUMS_H_

#include "gst/elements/base/backend_enum.h"
#include "gst/elements/base/median_enum.h"

/* The GObject enumerations of rdpsegment's properties. Their values are those of the enumerations
 * in common/ and gst/rdpsegment where there is such a one. */

typedef enum { GST_RDP_OUTPUT_PASSTHROUGH, GST_RDP_OUTPUT_RECONSTRUCT } GstRdpOutput;

GType gst_rdp_domain_get_type(void);
GType gst_rdp_fit_get_type(void);
GType gst_rdp_output_get_type(void);
GType gst_rdp_analytics_get_type(void);
GType gst_rdp_ground_get_type(void);
GType gst_rdp_overlay_style_get_type(void);

#endif /* RDP_GST_ELEMENTS_RDPSEGMENT_ENUMS_H_ */
