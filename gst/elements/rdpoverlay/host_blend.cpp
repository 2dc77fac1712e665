// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/host_blend.h"

#include <algorithm>

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

void HostBlend::blend(const RgbaView& drawing, int first_row, int end_row) {
  const GstVideoFrame& frame = mapped_.frame();
  // A GstVideoMeta may say that the buffer holds a larger picture than the caps.
  const int width = std::min(drawing.width, GST_VIDEO_FRAME_WIDTH(&frame));
  const int end = std::min({end_row, drawing.height, GST_VIDEO_FRAME_HEIGHT(&frame)});
  if (first_row >= end) return;
  const int height = end - first_row;
  const RgbaView rows{drawing.data + first_row * drawing.stride, drawing.stride, width, height};
  std::byte* to = mapped_.plane(0) + first_row * mapped_.stride(0);
  if (GST_VIDEO_FRAME_FORMAT(&frame) == GST_VIDEO_FORMAT_NV12) {
    std::byte* chroma = mapped_.plane(1) + first_row / 2 * mapped_.stride(1);
    blend_into_nv12(rows, matrix_,
                    {to, mapped_.stride(0), chroma, mapped_.stride(1), width, height});
  } else {
    blend_into_rgba(rows, {to, mapped_.stride(0), width, height});
  }
}

}  // namespace rdp::gst
