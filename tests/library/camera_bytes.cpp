// SPDX-License-Identifier: LGPL-2.1-or-later
// Cameras as bytes: the round trip, the layout of docs/internals/camera-bytes.md, and refused
// bytes.
#include <gst/rdpsegment/rdpcamerabytes.h>

#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>

#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"
#include "tests/support/odd_bytes.h"

using rdp::meta::CameraState;
using rdp::meta::LostCamera;

static std::vector<guint8> bytes_of(const CameraState& state) {
  std::vector<guint8> bytes(rdp::meta::kMaxCameraBytes);
  bytes.resize(rdp::meta::write_camera(state, bytes.data()));
  return bytes;
}

static bool read(const std::vector<guint8>& bytes, CameraState* state, GError** error = nullptr) {
  const rdp::test::OddBytes odd(bytes);
  return rdp::meta::read_camera(odd.data(), odd.size(), state, error);
}

CHECK_TEST(test_layout) {
  GstRdpCameraInfo info = disparity_camera_info();
  info.distortion[0] = 0.25;
  info.disparity_offset = 3;
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  CameraState state;
  state.camera = camera;
  state.samples_changed = true;
  const std::vector<guint8> bytes = bytes_of(state);
  fail_unless_equals_int(bytes.size(), 24 + 16 * 8);
  fail_unless(std::memcmp(bytes.data(), "RDPC\1\0\0\0\6\0\0\0\1\0\0\0", 16) == 0);
  fail_unless_equals_int(GST_READ_UINT32_LE(&bytes[16]), 640);
  fail_unless_equals_int(GST_READ_UINT32_LE(&bytes[20]), 480);
  const double expected[16] = {500, 510, 319.5, 239.5, 0.25, 0, 0,         0,
                               0,   0,   0,     0,     0.1,  3, 1.0 / 256, 0};
  for (int i = 0; i < 16; ++i) {
    fail_unless_equals_float(GST_READ_DOUBLE_LE(&bytes[24 + 8 * i]), expected[i]);
  }

  const CameraState lost = {nullptr, LostCamera::kAspectRatio, {640, 480, 320, 320}, false};
  const std::vector<guint8> lost_bytes = bytes_of(lost);
  fail_unless_equals_int(lost_bytes.size(), 32);
  fail_unless(std::memcmp(lost_bytes.data(), "RDPC\1\0\0\0\1\0\0\0\2\0\0\0\x80\2\0\0", 20) == 0);
}

CHECK_TEST(test_there_and_back) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 2000; ++i) {
    g_autoptr(GstRdpCamera) camera = new_camera(random_camera_info(&random));
    CameraState state;
    state.camera = camera;
    state.samples_changed = i % 2 == 0;
    CameraState back;
    fail_unless(read(bytes_of(state), &back));
    fail_unless(same_camera(camera, back.camera));
    fail_unless(back.samples_changed == state.samples_changed && back.lost == LostCamera::kNot);
    gst_rdp_camera_unref(back.camera);
  }
  for (guint how = 1; how <= 4; ++how) {
    const CameraState lost = {nullptr, static_cast<LostCamera>(how), {1, 2, 3, 4294967295}, false};
    CameraState back;
    fail_unless(read(bytes_of(lost), &back));
    fail_unless(back.camera == nullptr && back.lost == lost.lost);
    fail_unless(std::memcmp(back.lost_sizes, lost.lost_sizes, sizeof lost.lost_sizes) == 0);
  }
}

CHECK_TEST(test_refused) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  CameraState state;
  state.camera = camera;
  const std::vector<guint8> good = bytes_of(state);
  const auto refuse = [](std::vector<guint8> bytes, std::size_t at, guint8 value, gint code) {
    if (at < bytes.size()) bytes[at] = value;
    CameraState back;
    g_autoptr(GError) error = nullptr;
    fail_if(read(bytes, &back, &error), "%d at %d", value, static_cast<int>(at));
    fail_unless(back.camera == nullptr && error != nullptr);
    if (code >= 0) fail_unless(g_error_matches(error, G_IO_ERROR, code), "%s", error->message);
  };
  for (std::size_t size = 0; size < good.size(); ++size) {
    refuse({good.begin(), good.begin() + static_cast<int>(size)}, size, 0, G_IO_ERROR_INVALID_DATA);
  }
  std::vector<guint8> longer = good;
  longer.push_back(0);
  refuse(longer, longer.size(), 0, G_IO_ERROR_INVALID_DATA);
  refuse(good, 3, 'S', G_IO_ERROR_INVALID_DATA);
  refuse(good, 4, 2, G_IO_ERROR_NOT_SUPPORTED);
  refuse(good, 8, 32, G_IO_ERROR_INVALID_DATA);     // an unknown flag
  refuse(good, 8, 1 | 4, G_IO_ERROR_INVALID_DATA);  // lost and there
  refuse(good, 8, 4 | 8, G_IO_ERROR_INVALID_DATA);  // a pose that is not there
  refuse(good, 12, 3, -1);                          // measures
  refuse(good, 22, 1, -1);                          // 65536 rows and more
  refuse(good, 24 + 7, 0xc0, -1);                   // a focal length below 0
  const std::vector<guint8> lost = bytes_of({nullptr, LostCamera::kSize, {}, false});
  refuse(lost, 12, 0, G_IO_ERROR_INVALID_DATA);
  refuse(lost, 12, 5, G_IO_ERROR_INVALID_DATA);
}

// Random bytes give a camera or an error.
CHECK_TEST(test_any_bytes) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 20000; ++i) {
    g_autoptr(GstRdpCamera) camera = new_camera(random_camera_info(&random));
    CameraState state;
    state.camera = camera;
    std::vector<guint8> bytes = bytes_of(state);
    for (int j = 0; j < 3; ++j) bytes[random() % bytes.size()] = static_cast<guint8>(random());
    CameraState back;
    g_autoptr(GError) error = nullptr;
    const bool good = read(bytes, &back, &error);
    fail_unless(good == (error == nullptr));
    if (back.camera != nullptr) gst_rdp_camera_unref(back.camera);
  }
}

CHECK_CASE(camera_bytes)
