/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_GSTDEPTHPLANES_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_GSTDEPTHPLANES_H_

#include "gst/elements/base/gstrdpanalyzer.h"

G_BEGIN_DECLS

#define GST_TYPE_DEPTH_PLANES (gst_depth_planes_get_type())
G_DECLARE_FINAL_TYPE(GstDepthPlanes, gst_depth_planes, GST, DEPTH_PLANES, GstRdpAnalyzer)

GST_ELEMENT_REGISTER_DECLARE(depthplanes)

GST_DEBUG_CATEGORY_EXTERN(gst_depth_planes_debug);

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_DEPTHPLANES_GSTDEPTHPLANES_H_ */
