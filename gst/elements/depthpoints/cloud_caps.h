// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPOINTS_CLOUD_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHPOINTS_CLOUD_CAPS_H_

#include <gst/video/video.h>

#include "common/points/colours.h"
#include "gst/elements/base/caps_explainer.h"

// The caps of both sides of depthpoints: size and rate are the same.
namespace rdp::gst {

extern const CapsWords kColourWords;

// All of src's, and of the pad `video`. (transfer full)
GstCaps* cloud_caps();
GstCaps* colour_caps();

// The clouds of frames with the caps `depth`. (transfer full)
GstCaps* cloud_caps_of(const GstCaps* depth, const char* axes, bool coloured);
// The frames, among `own` (transfer full), that such clouds come of. (transfer full)
GstCaps* depth_caps_for(const GstCaps* clouds, const char* axes, GstCaps* own);

// The pixels of a format that the pad `video` has.
points::PixelLayout pixel_layout(GstVideoFormat format);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPOINTS_CLOUD_CAPS_H_
