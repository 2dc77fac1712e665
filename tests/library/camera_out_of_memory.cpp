// SPDX-License-Identifier: LGPL-2.1-or-later
// C++ allocation failures in cameras become errors in C: each allocation fails once, in turn.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"

// Calls attempt() with the first allocation failing, then the second, and so on, until it returns
// that none failed. Returns the number of failures.
template <typename Attempt>
static int each_failing(Attempt attempt) {
  for (int nth = 1; nth < 10000; ++nth) {
    failing_new::fail_at(nth);
    if (!attempt()) return nth - 1;
  }
  fail_unless(false, "there is no end of allocations");
  return 0;
}

// True if an allocation failed; then `made` and `error` must report it.
static bool told(bool made, GError* error) {
  const bool reached = failing_new::reached();
  fail_unless_equals_int(made, !reached);
  if (reached && error != nullptr) {
    fail_unless(g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED), "%s",
                error->message);
  }
  fail_unless_equals_int(error != nullptr, reached);
  return reached;
}

CHECK_TEST(test_new) {
  const GstRdpCameraInfo info = disparity_camera_info();
  const int failed = each_failing([&] {
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, &error);
    return told(camera != nullptr, error);
  });
  fail_unless(failed >= 1, "nothing was allocated");
  // The error text needs memory, too.
  GstRdpCameraInfo wrong = info;
  wrong.focal_length = -1;
  each_failing([&] {
    g_autoptr(GError) error = nullptr;
    fail_unless(gst_rdp_camera_new(&wrong, &error) == nullptr);
    fail_unless(error != nullptr);
    return failing_new::reached();
  });
}

CHECK_TEST(test_json) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  int failed = each_failing([&] {
    g_autofree gchar* text = gst_rdp_camera_to_json(camera);
    const bool reached = failing_new::reached();
    fail_unless_equals_int(text == nullptr, reached);
    return reached;
  });
  fail_unless(failed >= 1, "nothing was allocated");
  failed = each_failing([&] {
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpCamera) back = gst_rdp_camera_new_from_json(json, &error);
    return told(back != nullptr, error);
  });
  fail_unless(failed >= 1, "nothing was allocated");
  each_failing([&] {
    g_autoptr(GError) error = nullptr;
    fail_unless(gst_rdp_camera_new_from_json(R"({"focal-length":5,"distortion":["x"]})", &error) ==
                nullptr);
    fail_unless(error != nullptr);
    return failing_new::reached();
  });
}

CHECK_TEST(test_scaled) {
  int failed = each_failing([&] {
    const int nth = failing_new::countdown.exchange(0);
    g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
    failing_new::fail_at(nth);
    g_autoptr(GstRdpCamera) half = gst_rdp_camera_scale(camera, 320, 240);
    const bool reached = failing_new::reached();
    fail_unless_equals_int(half == nullptr, reached);
    g_autoptr(GstRdpCamera) again = gst_rdp_camera_scale(camera, 320, 240);
    fail_unless(again != nullptr, "there is memory now");
    return reached;
  });
  fail_unless(failed >= 1, "nothing was allocated");

  failed = each_failing([&] {
    const int nth = failing_new::countdown.exchange(0);
    g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
    g_autoptr(GstBuffer) buffer = gst_buffer_new();
    gst_buffer_add_rdp_camera_meta(buffer, camera);
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
    crop->x = 7;
    crop->width = crop->height = 100;
    failing_new::fail_at(nth);
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpCamera) shown = gst_rdp_buffer_get_camera(buffer, &error);
    return told(shown != nullptr, error);
  });
  fail_unless(failed >= 1, "nothing was allocated");
}

CHECK_CASE(camera_out_of_memory)
