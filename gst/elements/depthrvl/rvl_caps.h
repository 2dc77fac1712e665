// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHRVL_RVL_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHRVL_RVL_CAPS_H_

#include <gst/rdpsegment/rdpcamera.h>
#include <gst/video/video.h>

#include <string>

#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/depth_caps.h"

// Shared by depthrvlenc and depthrvldec.

#define RDP_RVL_CAPS "image/x-rvl, " RDP_SIDES
#define RDP_RVL_DEPTH_CAPS "video/x-raw, format = (string) GRAY16_LE, " RDP_SIDES

namespace rdp::gst {

// The camera's caps field: the text of gst_rdp_camera_to_json(), absent without a camera.
inline constexpr const char* kRvlCameraField = "camera";

// Explains that a camera is for images of another size; empty if it fits.
inline std::string camera_size_fault(GstRdpCamera* camera, const GstVideoInfo& frames) {
  const GstRdpCameraInfo& of = *gst_rdp_camera_get_info(camera);
  const auto width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&frames));
  const auto height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&frames));
  if (of.width == 0 || (of.width == width && of.height == height)) return {};
  const auto size = [](guint w, guint h) { return std::to_string(w) + "x" + std::to_string(h); };
  return "it is of images of " + size(of.width, of.height) + ", and the frames are " +
         size(width, height);
}

// Copies times, metas and flags of `of` to the buffer `made` from it alone. Replaces the flags and
// times that the base class set by the rules of lossy codecs, except its DISCONT flag.
inline void describe_as(GstBuffer* made, GstBuffer* of) {
  constexpr guint kOfMemory = GST_BUFFER_FLAG_TAG_MEMORY | GST_BUFFER_FLAG_DELTA_UNIT;
  constexpr guint kCarried = ~(guint{GST_MINI_OBJECT_FLAG_LAST} - 1) & ~kOfMemory;
  const guint gap = GST_BUFFER_FLAGS(made) & GST_BUFFER_FLAG_DISCONT;
  GST_BUFFER_FLAG_UNSET(made, kCarried | GST_BUFFER_FLAG_DELTA_UNIT);
  GST_BUFFER_FLAG_SET(made, gap | (GST_BUFFER_FLAGS(of) & kCarried));
  describe_picture(made, of);
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHRVL_RVL_CAPS_H_
