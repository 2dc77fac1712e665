/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHPOINTS_GSTDEPTHPOINTS_H_
#define RDP_GST_ELEMENTS_DEPTHPOINTS_GSTDEPTHPOINTS_H_

#include "gst/elements/base/gstrdpanalyzer.h"

G_BEGIN_DECLS

#define GST_TYPE_DEPTH_POINTS (gst_depth_points_get_type())
G_DECLARE_FINAL_TYPE(GstDepthPoints, gst_depth_points, GST, DEPTH_POINTS, GstRdpAnalyzer)

GST_ELEMENT_REGISTER_DECLARE(depthpoints)

GST_DEBUG_CATEGORY_EXTERN(gst_depth_points_debug);

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_DEPTHPOINTS_GSTDEPTHPOINTS_H_ */
