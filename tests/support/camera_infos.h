// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CAMERA_INFOS_H_
#define RDP_TESTS_SUPPORT_CAMERA_INFOS_H_

#include <gst/rdpsegment/rdpsegment.h>

// Camera infos made by hand, independent of the test framework. camera_fixture.h makes cameras of
// them for gst-check.

// 640x480, disparities of 1/256 px: Z = 500 * 0.1 * 256 / sample.
inline GstRdpCameraInfo disparity_camera_info() {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 640;
  info.height = 480;
  info.focal_length = 500;
  info.focal_length_y = 510;
  info.principal_x = 319.5;
  info.principal_y = 239.5;
  info.rectified = TRUE;
  info.baseline = 0.1;
  info.measures = GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = 1.0 / 256;
  return info;
}

// The same camera with depths in millimetres.
inline GstRdpCameraInfo depth_camera_info() {
  GstRdpCameraInfo info = disparity_camera_info();
  info.rectified = FALSE;
  info.baseline = 0;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.disparity_unit = 0;
  info.depth_unit = 0.001;
  return info;
}

// `info` for pictures of this size.
inline GstRdpCameraInfo sized_camera(GstRdpCameraInfo info, int width, int height) {
  info.width = static_cast<guint>(width);
  info.height = static_cast<guint>(height);
  info.focal_length = info.focal_length_y = width * 0.8;
  info.principal_x = width / 2.0;
  info.principal_y = height / 2.0;
  return info;
}

#endif  // RDP_TESTS_SUPPORT_CAMERA_INFOS_H_
