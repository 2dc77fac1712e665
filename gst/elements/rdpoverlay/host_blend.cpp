// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/host_blend.h"

#include <algorithm>

#include "gst/elements/rdpoverlay/host_picture.h"

namespace rdp::gst {

YuvMatrix matrix_of(const GstVideoInfo& info) {
  gdouble red = 0.299;
  gdouble blue = 0.114;
  gst_video_color_matrix_get_Kr_Kb(info.colorimetry.matrix, &red, &blue);
  return yuv_matrix(red, blue, info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255);
}

bool blends_on_host(GstVideoFormat format) {
  return format == GST_VIDEO_FORMAT_RGBA || format == GST_VIDEO_FORMAT_NV12;
}

bool blend_on_host(const RgbaView& drawing, GstBuffer* picture, const GstVideoInfo& info,
                   std::string* reason) {
  HostPicture mapped;
  if (!mapped.map(picture, info, reason)) return false;
  const GstVideoFrame& frame = mapped.frame();
  // A GstVideoMeta may say that the buffer holds a larger picture than the caps.
  const int width = std::min(drawing.width, GST_VIDEO_FRAME_WIDTH(&frame));
  const int height = std::min(drawing.height, GST_VIDEO_FRAME_HEIGHT(&frame));
  if (GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_NV12) {
    blend_into_nv12(
        drawing, matrix_of(info),
        {mapped.plane(0), mapped.stride(0), mapped.plane(1), mapped.stride(1), width, height});
  } else {
    blend_into_rgba(drawing, {mapped.plane(0), mapped.stride(0), width, height});
  }
  return true;
}

}  // namespace rdp::gst
