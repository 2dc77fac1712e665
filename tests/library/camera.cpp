// SPDX-License-Identifier: LGPL-2.1-or-later
// GstRdpCamera: validity, the meaning of samples, and scaled or cropped cameras.
#include "tests/support/allocation_count.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInfinite = std::numeric_limits<double>::infinity();

static void expect_near(double value, double expected, double tolerance = 1e-12) {
  fail_unless(std::fabs(value - expected) <= tolerance * std::fmax(1, std::fabs(expected)),
              "%.17g instead of %.17g", value, expected);
}

CHECK_TEST(test_init) {
  GstRdpCameraInfo info;
  std::memset(&info, 0xff, sizeof info);
  gst_rdp_camera_info_init(&info);
  static const GstRdpCameraInfo kZeros = {};
  fail_unless(std::memcmp(&info, &kZeros, sizeof info) == 0);
  GstRdpCameraInfo* copy = gst_rdp_camera_info_copy(&info);
  fail_unless(std::memcmp(copy, &kZeros, sizeof info) == 0);
  gst_rdp_camera_info_free(copy);
  expect_critical("*info*", [] { gst_rdp_camera_info_init(nullptr); });
}

// Each way an info can be invalid, and words of its message.
CHECK_TEST(test_invalid) {
  const struct {
    std::function<void(GstRdpCameraInfo*)> spoil;
    const char* words[3];
  } cases[] = {
      {[](auto* i) { i->width = 0; }, {"size", "0x480", "both sides"}},
      {[](auto* i) { i->height = 0; }, {"size", "640x0", "0x0"}},
      {[](auto* i) { i->width = 65536; }, {"size", "65536x480", "at most 65535"}},
      {[](auto* i) { i->height = 65536; }, {"size", "640x65536", "at most 65535"}},
      {[](auto* i) { i->focal_length = 0; }, {"focal_length is 0", "above 0", "pixels"}},
      {[](auto* i) { i->focal_length = kInfinite; }, {"focal_length is inf", "above 0", ""}},
      {[](auto* i) { i->focal_length_y = -1; }, {"focal_length_y is -1", "above 0", ""}},
      {[](auto* i) { i->focal_length_y = kNan; }, {"focal_length_y is nan", "above 0", ""}},
      {[](auto* i) { i->principal_x = kNan; }, {"principal_x is nan", "pixels", ""}},
      {[](auto* i) { i->principal_y = -kInfinite; }, {"principal_y is -inf", "pixels", ""}},
      {[](auto* i) { i->distortion[0] = kNan; }, {"distortion k1 is nan", "a number", ""}},
      {[](auto* i) { i->distortion[2] = kNan; }, {"distortion p1 is nan", "a number", ""}},
      {[](auto* i) { i->distortion[4] = kNan; }, {"distortion k3 is nan", "a number", ""}},
      {[](auto* i) { i->distortion[7] = kInfinite; }, {"distortion k6 is inf", "a number", ""}},
      {[](auto* i) { i->baseline = -0.1; }, {"baseline is -0.1", "metres", "0: not known"}},
      {[](auto* i) { i->baseline = kInfinite; }, {"baseline is inf", "metres", ""}},
      {[](auto* i) { i->disparity_offset = kNan; }, {"disparity_offset is nan", "pixels", ""}},
      {[](auto* i) { i->disparity_unit = -1; }, {"disparity_unit is -1", "pixels a sample", ""}},
      {[](auto* i) { i->disparity_unit = kNan; }, {"disparity_unit is nan", "pixels", ""}},
      {[](auto* i) { i->depth_unit = -1; }, {"depth_unit is -1", "metres a sample step", ""}},
      {[](auto* i) { i->depth_unit = kNan; }, {"depth_unit is nan", "metres", ""}},
      {[](auto* i) {
         const guint any = 3;
         std::memcpy(&i->measures, &any, sizeof any);
       },
       {"measures is 3", "disparity (1)", "depth (2)"}},
      {[](auto* i) { i->has_pose = TRUE; }, {"pose", "rows 0 and 0 is 0", "expected 1"}},
      {[](auto* i) {
         i->has_pose = TRUE;
         i->pose[0] = i->pose[5] = i->pose[10] = 1;
         i->pose[4] = 0.01;
       },
       {"pose", "rows 0 and 1 is 0.01", "expected 0"}},
      {[](auto* i) {
         i->has_pose = TRUE;
         i->pose[0] = i->pose[5] = 1;
         i->pose[10] = -1;
       },
       {"pose", "determinant is -1", "mirror"}},
      {[](auto* i) {
         i->has_pose = TRUE;
         i->pose[0] = i->pose[5] = i->pose[10] = 1;
         i->pose[7] = kNan;
       },
       {"pose", "row 1, column 3 is nan", ""}},
      {[](auto* i) {
         i->has_projection = TRUE;
         i->projection[8] = kInfinite;
       },
       {"projection", "row 2, column 0 is inf", ""}},
  };
  for (const auto& wrong : cases) {
    GstRdpCameraInfo info = disparity_camera_info();
    wrong.spoil(&info);
    GError* error = nullptr;
    fail_unless(gst_rdp_camera_new(&info, &error) == nullptr, "%s", wrong.words[0]);
    expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "invalid camera", wrong.words[0],
                 wrong.words[1], wrong.words[2]);
    fail_unless(gst_rdp_camera_new(&info, nullptr) == nullptr);
  }
}

// Unknown fields become 0, whatever they held.
CHECK_TEST(test_kept) {
  GstRdpCameraInfo info = disparity_camera_info();
  info.rectified = 7;
  info.pose[3] = kNan;
  info.projection[3] = kNan;
  info._gst_reserved[0] = &info;
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  const GstRdpCameraInfo& kept = *gst_rdp_camera_get_info(camera);
  fail_unless_equals_int(kept.width, 640);
  fail_unless_equals_float(kept.focal_length_y, 510);
  fail_unless_equals_int(kept.rectified, TRUE);
  fail_unless_equals_float(kept.pose[3], 0);
  fail_unless_equals_float(kept.projection[3], 0);
  fail_unless(kept._gst_reserved[0] == nullptr);
  GstMiniObject* copy = gst_mini_object_copy(GST_MINI_OBJECT_CAST(camera));
  fail_unless(copy == GST_MINI_OBJECT_CAST(camera), "it cannot change, so it needs no copy");
  gst_mini_object_unref(copy);
}

CHECK_TEST(test_depth) {
  GstRdpCameraInfo info = disparity_camera_info();
  g_autoptr(GstRdpCamera) disparity = new_camera(info);
  expect_near(gst_rdp_camera_get_depth(disparity, 2560), 5);
  expect_near(gst_rdp_camera_get_depth(disparity, 0.5), 25600);
  fail_unless(std::isnan(gst_rdp_camera_get_depth(disparity, 0)));
  fail_unless(std::isnan(gst_rdp_camera_get_depth(disparity, -1)));
  fail_unless(std::isnan(gst_rdp_camera_get_depth(disparity, kNan)));

  info.disparity_offset = -5;
  g_autoptr(GstRdpCamera) offset = new_camera(info);
  expect_near(gst_rdp_camera_get_depth(offset, 2560), 10);
  fail_unless(std::isnan(gst_rdp_camera_get_depth(offset, 1280)), "as far as there is");
  fail_unless(std::isnan(gst_rdp_camera_get_depth(offset, 1000)));

  g_autoptr(GstRdpCamera) depth = new_camera(depth_camera_info());
  expect_near(gst_rdp_camera_get_depth(depth, 2560), 2.56);
  fail_unless(std::isnan(gst_rdp_camera_get_depth(depth, 0)));
}

CHECK_TEST(test_measures_metres) {
  const struct {
    GstRdpCameraInfo info;
    std::function<void(GstRdpCameraInfo*)> spoil;
    const char* words[2];
  } cases[] = {
      {disparity_camera_info(), [](auto*) {}, {}},
      {depth_camera_info(), [](auto*) {}, {}},
      {depth_camera_info(), [](auto* i) { i->distortion[0] = 0.1; }, {}},
      {disparity_camera_info(),
       [](auto* i) { i->measures = GST_RDP_MEASURE_UNKNOWN; },
       {"not known what the samples measure", "set measures=disparity"}},
      {disparity_camera_info(),
       [](auto* i) { i->rectified = FALSE; },
       {"not rectified", "take the calibration of the rectified pair"}},
      {disparity_camera_info(),
       [](auto* i) { i->distortion[3] = 1e-9; },
       {"distorted", "take the calibration of the rectified pair"}},
      {disparity_camera_info(),
       [](auto* i) { i->baseline = 0; },
       {"distance between the cameras", "set baseline, in metres"}},
      {disparity_camera_info(),
       [](auto* i) { i->disparity_unit = 0; },
       {"unknown unit", "set disparity-unit"}},
      {depth_camera_info(), [](auto* i) { i->depth_unit = 0; }, {"unknown unit", "set depth-unit"}},
  };
  for (const auto& one : cases) {
    GstRdpCameraInfo info = one.info;
    one.spoil(&info);
    g_autoptr(GstRdpCamera) camera = new_camera(info);
    GError* error = nullptr;
    const gboolean metres = gst_rdp_camera_measures_metres(camera, &error);
    fail_unless_equals_int(std::isnan(gst_rdp_camera_get_depth(camera, 100)), metres == FALSE);
    fail_unless_equals_int(metres, one.words[0] == nullptr);
    if (metres == FALSE) {
      expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, one.words[0], one.words[1]);
    }
    fail_unless(error == nullptr);
    fail_unless_equals_int(gst_rdp_camera_measures_metres(camera, nullptr), metres);
  }
}

CHECK_TEST(test_project) {
  GstRdpCameraInfo info = depth_camera_info();
  g_autoptr(GstRdpCamera) straight = new_camera(info);
  double x, y, column, row;
  fail_unless(gst_rdp_camera_unproject(straight, 569.5, 137.5, &x, &y));
  expect_near(x, 0.5);
  expect_near(y, -0.2);
  fail_unless(gst_rdp_camera_project(straight, 1, -0.4, 2, &column, &row));
  expect_near(column, 569.5);
  expect_near(row, 137.5);
  fail_if(gst_rdp_camera_project(straight, 1, -0.4, -2, &column, &row));
  fail_unless(column == 0 && row == 0);

  info.distortion[0] = -0.3;
  info.distortion[1] = 0.11;
  info.distortion[2] = 0.001;
  g_autoptr(GstRdpCamera) distorted = new_camera(info);
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const double px = random() % 640;
    const double py = random() % 480;
    fail_unless(gst_rdp_camera_unproject(distorted, px, py, &x, &y));
    fail_unless(gst_rdp_camera_project(distorted, x * 7, y * 7, 7, &column, &row));
    expect_near(column, px, 1e-8);
    expect_near(row, py, 1e-8);
  }
  fail_unless(gst_rdp_camera_unproject(distorted, 0, 0, &x, &y));
  fail_unless(x < -0.639 / (1 - 0.3 * 0.6 + 0.11 * 0.4), "farther out than without: %g", x);
  fail_if(gst_rdp_camera_unproject(distorted, 1e5, 0, &x, &y));
  fail_unless(x == 0 && y == 0);
  fail_if(gst_rdp_camera_project(distorted, 100, 0, 1, &column, &row));
}

CHECK_TEST(test_scale) {
  GstRdpCameraInfo info = disparity_camera_info();
  info.disparity_offset = 3;
  info.has_projection = TRUE;
  const double matrix[12] = {500, 0, 319.5, 7, 0, 510, 239.5, 8, 0, 0, 1, 9};
  std::copy_n(matrix, 12, info.projection);
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  g_autoptr(GstRdpCamera) half = gst_rdp_camera_scale(camera, 320, 960);
  const GstRdpCameraInfo& scaled = *gst_rdp_camera_get_info(half);
  fail_unless_equals_int(scaled.width, 320);
  fail_unless_equals_int(scaled.height, 960);
  fail_unless_equals_float(scaled.focal_length, 250);
  fail_unless_equals_float(scaled.focal_length_y, 1020);
  fail_unless_equals_float(scaled.principal_x, 159.5);  // (319.5 + 1/2) / 2 - 1/2
  fail_unless_equals_float(scaled.principal_y, 479.5);
  fail_unless_equals_float(scaled.disparity_unit, 1.0 / 512);
  fail_unless_equals_float(scaled.disparity_offset, 1.5);
  fail_unless_equals_float(scaled.baseline, 0.1);
  expect_near(gst_rdp_camera_get_depth(half, 999), gst_rdp_camera_get_depth(camera, 999));

  // The matrix belongs to the scaled picture: it projects a point where the camera sees it.
  const double point[4] = {0.5, -0.25, 4, 1};
  double seen[3] = {}, before[3] = {};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      seen[r] += scaled.projection[4 * r + c] * point[c];
      before[r] += matrix[4 * r + c] * point[c];
    }
  }
  expect_near(seen[0] / seen[2], (before[0] / before[2] + 0.5) * 0.5 - 0.5);
  expect_near(seen[1] / seen[2], (before[1] / before[2] + 0.5) * 2 - 0.5);

  // The centre of a picture stays its centre.
  info.principal_x = 320;
  g_autoptr(GstRdpCamera) other = new_camera(info);
  g_autoptr(GstRdpCamera) third = gst_rdp_camera_scale(other, 1920, 480);
  fail_unless_equals_float(gst_rdp_camera_get_info(third)->principal_x, 961);

  info.width = info.height = 0;
  g_autoptr(GstRdpCamera) sizeless = new_camera(info);
  fail_unless(gst_rdp_camera_scale(sizeless, 320, 240) == nullptr);
  expect_critical("*width*", [&] { gst_rdp_camera_scale(camera, 0, 240); });
}

CHECK_TEST(test_crop) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstRdpCamera) part = gst_rdp_camera_crop(camera, 100, 50, 200, 300);
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(part);
  fail_unless_equals_int(info.width, 200);
  fail_unless_equals_int(info.height, 300);
  fail_unless_equals_float(info.focal_length, 500);
  fail_unless_equals_float(info.principal_x, 219.5);
  fail_unless_equals_float(info.principal_y, 189.5);
  fail_unless_equals_float(info.disparity_unit, 1.0 / 256);
  double x, y, part_x, part_y;
  fail_unless(gst_rdp_camera_unproject(camera, 117, 66, &x, &y));
  fail_unless(gst_rdp_camera_unproject(part, 17, 16, &part_x, &part_y));
  fail_unless(x == part_x && y == part_y);
  expect_critical("*width*", [&] { gst_rdp_camera_crop(camera, 0, 0, 0, 1); });
}

// A repeated request, as from a stream's frames, allocates nothing.
CHECK_TEST(test_cached_cameras) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  g_autoptr(GstRdpCamera) same = gst_rdp_camera_scale(camera, 640, 480);
  fail_unless(same == camera);
  g_autoptr(GstRdpCamera) whole = gst_rdp_camera_crop(camera, 0, 0, 640, 480);
  fail_unless(whole == camera);
  g_autoptr(GstRdpCamera) scaled = gst_rdp_camera_scale(camera, 320, 240);
  g_autoptr(GstRdpCamera) cropped = gst_rdp_camera_crop(camera, 1, 2, 300, 200);
  const std::uint64_t before = allocation_count::count;
  bool same_again = true; /* fail_unless() allocates */
  for (int i = 0; i < 100; ++i) {
    GstRdpCamera* again = gst_rdp_camera_scale(camera, 320, 240);
    same_again = same_again && again == scaled;
    gst_rdp_camera_unref(again);
    again = gst_rdp_camera_crop(camera, 1, 2, 300, 200);
    same_again = same_again && again == cropped;
    gst_rdp_camera_unref(again);
  }
  const std::uint64_t allocations = allocation_count::count - before;
  fail_unless(same_again);
  fail_unless_equals_uint64(allocations, 0);
  // Cameras of moving crops do not accumulate; a returned camera lives as long as its holder.
  for (guint i = 0; i < 20; ++i) {
    g_autoptr(GstRdpCamera) moved = gst_rdp_camera_crop(camera, i, 2, 300, 200);
    fail_unless_equals_float(gst_rdp_camera_get_info(moved)->principal_x, 319.5 - i);
  }
  ASSERT_MINI_OBJECT_REFCOUNT(scaled, "scaled", 1);
  fail_unless_equals_float(gst_rdp_camera_get_info(scaled)->focal_length, 250);
}

CHECK_TEST(test_threads) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera_info());
  std::vector<std::thread> threads;
  for (guint t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (guint i = 0; i < 2000; ++i) {
        g_autoptr(GstRdpCamera) part = gst_rdp_camera_crop(camera, (i + t) % 7, 0, 10, 10);
        fail_unless_equals_float(gst_rdp_camera_get_info(part)->principal_x, 319.5 - (i + t) % 7);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

CHECK_CASE(camera)
