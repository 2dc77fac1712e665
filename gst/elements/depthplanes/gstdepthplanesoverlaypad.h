/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_GSTDEPTHPLANESOVERLAYPAD_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_GSTDEPTHPLANESOVERLAYPAD_H_

#include "gst/elements/base/picture_pad.h"
#include "gst/elements/depthplanes/planes_settings.h"

/* The request pad `overlay` of depthplanes: a picture pad with the properties of the painter. */
G_BEGIN_DECLS

#define GST_TYPE_DEPTH_PLANES_OVERLAY_PAD (gst_depth_planes_overlay_pad_get_type())
G_DECLARE_FINAL_TYPE(GstDepthPlanesOverlayPad, gst_depth_planes_overlay_pad, GST,
                     DEPTH_PLANES_OVERLAY_PAD, GstRdpPicturePad)

G_END_DECLS

/* The properties as they are now. Any thread. No function of C: it returns what C does not know. */
rdp::gst::PlanesOverlaySettings gst_depth_planes_overlay_pad_get_settings(
    GstDepthPlanesOverlayPad* self);

#endif /* RDP_GST_ELEMENTS_DEPTHPLANES_GSTDEPTHPLANESOVERLAYPAD_H_ */
