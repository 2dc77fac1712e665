// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_RDPOVERLAY_GPU_PICTURES_H_
#define RDP_TESTS_RDPOVERLAY_GPU_PICTURES_H_

#include <string>
#include <utility>
#include <vector>

#include "common/rdp/overlay_pixels.h"
#include "tests/rdpoverlay/blended_picture.h"

// Inputs and expected output of rdpoverlay on pictures in GPU memory.
namespace overlay_rig {

inline const std::string kLook = "opacity=0.5 palette-min=0 palette-max=255";

inline std::string with_feature(const PictureShape& shape, const char* feature) {
  std::string caps = shape.caps();
  return caps.insert(std::string("video/x-raw").size(), std::string("(") + feature + ")");
}

// The expected output for a picture of bytes 128: plane after plane, without padding.
inline std::vector<std::uint8_t> expected(const PictureShape& shape) {
  const int width = shape.width;
  const int height = shape.height;
  std::vector<std::uint32_t> drawing(static_cast<std::size_t>(width * height), 0);
  const std::uint32_t p = rdp::make_pale_colours().level[0].entry[100];
  for (int row = height / 6; row < height * 5 / 6; ++row) {
    for (int column = width * 3 / 8; column < width * 5 / 8; ++column) {
      // One frame row covers height / 6 picture rows; the ends are darkened.
      const int of_frame = row * 6 / height;
      const std::uint32_t colour = of_frame == 1 || of_frame == 4 ? rdp::darkened(p) : p;
      drawing[static_cast<std::size_t>(row * width + column)] = (colour & 0xFFFFFFU) | 128U << 24;
    }
  }
  const bool nv12 = shape.format == "NV12";
  std::vector<std::uint8_t> result(
      static_cast<std::size_t>(nv12 ? width * height + (width + 1) / 2 * 2 * ((height + 1) / 2)
                                    : 4 * width * height),
      128);
  blend_planes(shape, std::move(drawing), &result);
  return result;
}

// A disparity camera. A nonzero `x` moves it sideways and rolls it.
inline GstRdpCamera* camera_at(guint width, guint height, double x) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = width;
  info.height = height;
  info.focal_length = info.focal_length_y = width * 0.9;
  info.principal_x = width / 2.0;
  info.principal_y = height / 2.0;
  info.rectified = TRUE;
  info.baseline = 0.4;
  info.measures = GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = 0.0625;
  info.has_pose = TRUE;
  for (const int diagonal : {0, 5, 10}) info.pose[diagonal] = 1;
  if (x != 0.0) {
    info.pose[0] = info.pose[5] = 0.96;
    info.pose[4] = 0.28;
    info.pose[1] = -info.pose[4];
    info.pose[3] = x;
  }
  GstRdpCamera* const camera = gst_rdp_camera_new(&info, nullptr);
  fail_unless(camera != nullptr);
  return camera;
}

}  // namespace overlay_rig

#endif  // RDP_TESTS_RDPOVERLAY_GPU_PICTURES_H_
