// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_DEPTH_CAPS_H_
#define RDP_GST_ELEMENTS_BASE_DEPTH_CAPS_H_

#include "gst/elements/base/caps_explainer.h"

// Fields of video caps, without the memory: sizes of all frames, depth frames, and pictures of
// them.
#define RDP_SIDES "width = (int) [ 1, 16384 ], height = (int) [ 1, 16384 ]"
#define RDP_DEPTH_FIELDS "format = (string) { GRAY16_LE, GRAY8 }, " RDP_SIDES
#define RDP_PICTURE_FIELDS "format = (string) RGBA, " RDP_SIDES

namespace rdp::gst {

// The remedy that elements with depth input give in messages: here and in words of their own.
inline constexpr const char* kDepthRemedy =
    "GRAY16_BE: put videoconvert ! video/x-raw,format=GRAY16_LE before it. Colour is not depth, "
    "and videoconvert would give its luminance: take the depth stream of the source. Other memory: "
    "put the element that downloads it before this one.";
inline constexpr CapsWords kDepthWords = {"format GRAY16_LE or GRAY8, up to 16384x16384",
                                          kDepthRemedy};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_DEPTH_CAPS_H_
