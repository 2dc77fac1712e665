// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_HOST_BLEND_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_HOST_BLEND_H_

#include <gst/video/video.h>

#include <string>

#include "common/image/blend.h"
#include "common/image/rgba_view.h"

namespace rdp::gst {

// Whether blend_on_host() takes pictures of this format: those that kernels blend, so that the bits
// are the same in every memory. libgstvideo rounds in another way.
bool blends_on_host(GstVideoFormat format);

// Blends `drawing`, which has the size of the picture, into `picture` in system memory, whose caps
// are `info` and which is writable. False: *reason says what failed.
bool blend_on_host(const RgbaView& drawing, GstBuffer* picture, const GstVideoInfo& info,
                   std::string* reason);

// How colours become those of pictures of NV12 with these caps.
YuvMatrix matrix_of(const GstVideoInfo& info);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_HOST_BLEND_H_
