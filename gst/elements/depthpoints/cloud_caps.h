// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPOINTS_CLOUD_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHPOINTS_CLOUD_CAPS_H_

#include <gst/video/video.h>

#include "common/points/colours.h"
#include "gst/elements/base/caps_explainer.h"

// The caps of both sides of depthpoints: size and rate are the same.
namespace rdp::gst {

extern const CapsWords kColourWords;

// All caps of src, and of the pad `video`. (transfer full)
GstCaps* cloud_caps();
GstCaps* colour_caps();

// The clouds of frames with the caps `depth`. (transfer full)
GstCaps* cloud_caps_of(const GstCaps* depth, const char* axes, bool coloured);
// Caps among `own` (transfer full) of depth frames that yield such clouds. (transfer full)
GstCaps* depth_caps_for(const GstCaps* clouds, const char* axes, GstCaps* own);

// The pixel layout of a format of the pad `video`.
points::PixelLayout pixel_layout(GstVideoFormat format);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPOINTS_CLOUD_CAPS_H_
