/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_DEPTH_STEREO_H__
#define __GST_DEPTH_STEREO_H__

#include <gst/gst.h>

#include "gst/elements/base/gstrdpjoiner.h"

G_BEGIN_DECLS

#define GST_TYPE_DEPTH_STEREO (gst_depth_stereo_get_type())
G_DECLARE_FINAL_TYPE(GstDepthStereo, gst_depth_stereo, GST, DEPTH_STEREO, GstRdpJoiner)

GST_ELEMENT_REGISTER_DECLARE(depthstereo);

GST_DEBUG_CATEGORY_EXTERN(gst_depth_stereo_debug);

G_END_DECLS

#endif /* __GST_DEPTH_STEREO_H__ */
