// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_GROUND_FRAMES_H_
#define RDP_TESTS_SUPPORT_GROUND_FRAMES_H_

#include <gst/rdpsegment/rdpplanesmeta.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/support/frames.h"

// The floor seen by a rolled camera, as frames and as planes on their buffers.
namespace ground_frames {

inline constexpr int kWidth = 64;
inline constexpr int kHeight = 48;
inline constexpr double kFocal = 60.0;
inline constexpr double kBaseline = 0.1;
inline constexpr double kHeightAbove = 1.2;
inline const frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, kWidth, kHeight};

// The floor of a camera that is rolled.
struct Floor {
  double x = std::sin(0.4);
  double y = std::cos(0.4);

  double inverse_depth(double column, double row) const {
    return (x * (column - (kWidth - 1) / 2.0) + y * (row - (kHeight - 1) / 2.0)) / kFocal /
           kHeightAbove;
  }
};

// Two planes, the second of which is the floor. (transfer full)
inline GstRdpPlanes* new_planes(bool calibrated, int ground, int width = kWidth,
                                int height = kHeight, double distance = kHeightAbove) {
  GstRdpPlanesInfo info;
  gst_rdp_planes_info_init(&info);
  info.width = static_cast<guint>(width);
  info.height = static_cast<guint>(height);
  info.n_points = std::uint64_t{info.width} * info.height;
  info.calibrated = calibrated ? TRUE : FALSE;
  info.focal_length = kFocal * width / kWidth;
  info.focal_length_y = kFocal * height / kHeight;
  info.principal_x = (width - 1) / 2.0;
  info.principal_y = (height - 1) / 2.0;
  info.ground = ground;
  GstRdpPlane planes[2] = {};
  planes[0].normal_z = 1;
  planes[0].distance = 4;
  planes[0].inliers = 2;
  planes[1].normal_x = static_cast<gfloat>(Floor().x);
  planes[1].normal_y = static_cast<gfloat>(Floor().y);
  planes[1].distance = static_cast<gfloat>(distance);
  planes[1].inliers = 1;
  const std::vector<guint8> labels(info.n_points);
  GstRdpPlanes* result =
      gst_rdp_planes_new(&info, planes, 2, nullptr, 0, labels.data(), labels.size());
  fail_unless(result != nullptr);
  return result;
}

// The floor as disparities of 1/256 px, or as depths in millimetres, with gaps.
inline GstBuffer* new_floor(bool depths) {
  std::vector<guint16> samples(static_cast<std::size_t>(kWidth) * kHeight);
  for (int row = 0; row < kHeight; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      const double inverse = Floor().inverse_depth(column, row);
      if (inverse < 0.1 || row % 3 == 2) continue;
      const double value = depths ? 1000 / inverse : kFocal * kBaseline * 256 * inverse;
      samples[static_cast<std::size_t>(row * kWidth + column)] =
          static_cast<guint16>(std::lround(value));
    }
  }
  GstBuffer* buffer = gst_buffer_new_memdup(samples.data(), samples.size() * 2);
  GST_BUFFER_PTS(buffer) = 0;
  return buffer;
}

inline void add_planes(GstBuffer* buffer, GstRdpPlanes* planes) {
  fail_unless(gst_buffer_add_rdp_planes_meta(buffer, planes) != nullptr);
  gst_rdp_planes_unref(planes);
}

}  // namespace ground_frames

#endif  // RDP_TESTS_SUPPORT_GROUND_FRAMES_H_
