// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CAMERA_FIXTURE_H_
#define RDP_TESTS_SUPPORT_CAMERA_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "tests/support/camera_infos.h"

// Cameras made by hand, for tests that need one. After gst/check/gstcheck.h.

// (transfer full)
inline GstRdpCamera* new_camera(const GstRdpCameraInfo& info) {
  GError* error = nullptr;
  GstRdpCamera* camera = gst_rdp_camera_new(&info, &error);
  fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "no error");
  return camera;
}

// Clears `error`, after a check of its code and that its message contains each of the words.
template <typename... Words>
void expect_error(GError** error, gint code, const Words&... words) {
  fail_unless(*error != nullptr, "no error");
  fail_unless((*error)->domain == GST_LIBRARY_ERROR, "%s", (*error)->message);
  fail_unless_equals_int((*error)->code, code);
  for (const char* word : {words...}) {
    fail_unless(std::strstr((*error)->message, word) != nullptr, "\"%s\" without \"%s\"",
                (*error)->message, word);
  }
  g_clear_error(error);
}

// True if two cameras are bit-identical.
inline bool same_camera(GstRdpCamera* a, GstRdpCamera* b) {
  const GstRdpCameraInfo& x = *gst_rdp_camera_get_info(a);
  const GstRdpCameraInfo& y = *gst_rdp_camera_get_info(b);
  const auto same = [](const auto& p, const auto& q) { return std::memcmp(&p, &q, sizeof p) == 0; };
  return x.width == y.width && x.height == y.height && same(x.focal_length, y.focal_length) &&
         same(x.focal_length_y, y.focal_length_y) && same(x.principal_x, y.principal_x) &&
         same(x.principal_y, y.principal_y) && same(x.distortion, y.distortion) &&
         x.rectified == y.rectified && same(x.baseline, y.baseline) &&
         same(x.disparity_offset, y.disparity_offset) && x.measures == y.measures &&
         same(x.disparity_unit, y.disparity_unit) && same(x.depth_unit, y.depth_unit) &&
         x.has_pose == y.has_pose && same(x.pose, y.pose) && x.has_projection == y.has_projection &&
         same(x.projection, y.projection);
}

// A valid camera of random numbers: all magnitudes, both signs, both zeros.
inline GstRdpCameraInfo random_camera_info(std::mt19937_64* random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>((*random)() % n); };
  const auto number = [&] {
    if (below(8) == 0) return below(2) == 0 ? 0.0 : -0.0;
    if (below(8) == 0) return static_cast<double>(below(100000));
    const double mantissa = 1.0 + static_cast<double>((*random)() >> 12) / 4503599627370496.0;
    return std::ldexp(below(2) == 0 ? mantissa : -mantissa, static_cast<int>(below(160)) - 80);
  };
  const auto length = [&] { return std::fabs(number()); };
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  if (below(4) != 0) {
    info.width = 1 + below(65535);
    info.height = 1 + below(65535);
  }
  info.focal_length = length() + 1e-9;
  info.focal_length_y = length() + 1e-9;
  info.principal_x = number();
  info.principal_y = number();
  if (below(2) == 0) {
    for (double& k : info.distortion) k = number();
  }
  info.rectified = below(2) == 0;
  info.baseline = length();
  info.disparity_offset = number();
  info.measures = static_cast<GstRdpMeasure>(below(3));
  info.disparity_unit = length();
  info.depth_unit = length();
  info.has_pose = below(2) == 0;
  double q[4];
  double norm = 0;
  for (double& part : q) {
    part = static_cast<double>(below(2000)) / 1000 - 0.9995;
    norm += part * part;
  }
  for (double& part : q) part /= std::sqrt(norm);
  const double rotation[9] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                              2 * (q[1] * q[3] + q[0] * q[2]),     2 * (q[1] * q[2] + q[0] * q[3]),
                              1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1]),
                              2 * (q[1] * q[3] - q[0] * q[2]),     2 * (q[2] * q[3] + q[0] * q[1]),
                              1 - 2 * (q[1] * q[1] + q[2] * q[2])};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) info.pose[4 * r + c] = rotation[3 * r + c];
    info.pose[4 * r + 3] = number();
  }
  info.has_projection = below(2) == 0;
  for (double& p : info.projection) p = number();
  return info;
}

#endif  // RDP_TESTS_SUPPORT_CAMERA_FIXTURE_H_
