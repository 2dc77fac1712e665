// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_RDPOVERLAY_BLENDED_PICTURE_H_
#define RDP_TESTS_RDPOVERLAY_BLENDED_PICTURE_H_

#include <gst/video/video.h>

#include <cstdint>
#include <vector>

#include "common/image/blend.h"
#include "tests/rdpoverlay/overlay_rig.h"

// Expected bytes of RGBA and NV12 pictures with a blended drawing, in any memory.
namespace overlay_rig {

// The bytes of an NV12 picture or one with four bytes per pixel: plane after plane, rows without
// padding.
inline std::vector<std::uint8_t> planes(GstBuffer* buffer, const PictureShape& shape) {
  const GstVideoInfo info = shape.info();
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
  std::vector<std::uint8_t> result;
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&frame); ++p) {
    const int bytes = shape.format == "NV12" ? (p == 0 ? shape.width : (shape.width + 1) / 2 * 2)
                                             : 4 * shape.width;
    const int rows = p == 0 ? shape.height : (shape.height + 1) / 2;
    for (int row = 0; row < rows; ++row) {
      const auto* start = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, p)) +
                          row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, p);
      result.insert(result.end(), start, start + bytes);
    }
  }
  gst_video_frame_unmap(&frame);
  return result;
}

// Blends an RGBA drawing (R in the lowest byte) into the result of planes().
inline void blend_planes(const PictureShape& shape, std::vector<std::uint32_t> drawing,
                         std::vector<std::uint8_t>* picture) {
  const GstVideoInfo info = shape.info();
  const int width = shape.width;
  const int height = shape.height;
  const rdp::RgbaView over{reinterpret_cast<std::byte*>(drawing.data()), 4 * width, width, height};
  auto* bytes = reinterpret_cast<std::byte*>(picture->data());
  if (shape.format == "NV12") {
    gdouble red, blue;
    fail_unless(gst_video_color_matrix_get_Kr_Kb(info.colorimetry.matrix, &red, &blue));
    const bool full = info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
    rdp::blend_into_nv12(
        over, rdp::yuv_matrix(red, blue, full),
        {bytes, width, bytes + width * height, (width + 1) / 2 * 2, width, height});
  } else {
    rdp::blend_into_rgba(over, {bytes, 4 * width, width, height});
  }
}

}  // namespace overlay_rig

#endif  // RDP_TESTS_RDPOVERLAY_BLENDED_PICTURE_H_
