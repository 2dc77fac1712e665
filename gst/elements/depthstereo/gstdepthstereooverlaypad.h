/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_GSTDEPTHSTEREOOVERLAYPAD_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_GSTDEPTHSTEREOOVERLAYPAD_H_

#include "gst/elements/base/picture_pad.h"
#include "gst/elements/depthstereo/stereo_settings.h"

/* The request pad `overlay` of depthstereo: a picture pad with the properties of the palette. */
G_BEGIN_DECLS

#define GST_TYPE_DEPTH_STEREO_OVERLAY_PAD (gst_depth_stereo_overlay_pad_get_type())
G_DECLARE_FINAL_TYPE(GstDepthStereoOverlayPad, gst_depth_stereo_overlay_pad, GST,
                     DEPTH_STEREO_OVERLAY_PAD, GstRdpPicturePad)

G_END_DECLS

/* The properties as they are now. Any thread. No function of C: it returns what C does not know. */
rdp::OverlayOptions gst_depth_stereo_overlay_pad_get_settings(GstDepthStereoOverlayPad* self);

#endif /* RDP_GST_ELEMENTS_DEPTHSTEREO_GSTDEPTHSTEREOOVERLAYPAD_H_ */
