// SPDX-License-Identifier: LGPL-2.1-or-later
// Segments in metres, against numbers worked out by hand.
#include <limits>
#include <vector>

#include "tests/support/lost_arrays.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

static constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Fails unless the segmentation has these points: 6 floats per segment.
static void expect_points(GstRdpSegmentation* segmentation, GstRdpCamera* camera,
                          const std::vector<float>& expected) {
  GError* error = nullptr;
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_get_points(segmentation, camera, &error);
  fail_unless(bytes != nullptr, "%s", error != nullptr ? error->message : "no error");
  gsize size = 0;
  const auto* points = static_cast<const float*>(g_bytes_get_data(bytes, &size));
  fail_unless_equals_uint64(size, expected.size() * sizeof(float));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool same = std::isnan(expected[i])
                          ? std::isnan(points[i])
                          : std::fabs(points[i] - expected[i]) <= 1e-6F * std::fabs(points[i]);
    fail_unless(same, "float %d is %.9g instead of %.9g", static_cast<int>(i), points[i],
                expected[i]);
  }
}

// 4 columns, 10 rows; f 100, 50; centre (1.5, 4.5).
static GstRdpCameraInfo small_camera(GstRdpMeasure measures) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 4;
  info.height = 10;
  info.focal_length = 100;
  info.focal_length_y = 50;
  info.principal_x = 1.5;
  info.principal_y = 4.5;
  info.rectified = TRUE;
  info.baseline = 0.5;
  info.measures = measures;
  info.disparity_unit = 0.5;
  info.depth_unit = 0.01;
  return info;
}

// Z = 100 * 0.5 / (sample / 2) = 100 / sample.
CHECK_TEST(test_disparity) {
  g_autoptr(GstRdpCamera) camera = new_camera(small_camera(GST_RDP_MEASURE_DISPARITY));
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info_of(4, 10), {{{0, 4, 10, 20}, {4, 9, 20, 50}}, {}, {}, {{3, 3, 5, 5}}});
  expect_points(segmentation, camera,
                {-0.15F, -0.9F, 10, -0.075F, -0.05F, 5,  //
                 -0.075F, -0.05F, 5, -0.03F, 0.18F, 2,   //
                 0.3F, -0.6F, 20, 0.3F, -0.6F, 20});
}

// Z = 50 / (sample / 2 - 5)
CHECK_TEST(test_offset) {
  GstRdpCameraInfo info = small_camera(GST_RDP_MEASURE_DISPARITY);
  info.disparity_offset = -5;
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info_of(4, 10), {{}, {{4, 5, 20, 10}, {6, 7, 9.5F, 12}}, {}, {}});
  expect_points(segmentation, camera,
                {-0.05F, -0.1F, 10, kNone, kNone, kNone,  //
                 kNone, kNone, kNone, -0.25F, 2.5F, 50});
}

// A value not above 0 has no distance, even if the offset would give it one.
CHECK_TEST(test_not_above_zero) {
  GstRdpCameraInfo info = small_camera(GST_RDP_MEASURE_DISPARITY);
  info.disparity_offset = 5;
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  g_autoptr(GstRdpCamera) depth = new_camera(small_camera(GST_RDP_MEASURE_DEPTH));
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info_of(4, 10), {{{0, 1, 0, -2}, {2, 3, -0.0F, 1e-45F}}, {}, {}, {}});
  gsize size = 0;
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_get_points(segmentation, camera, nullptr);
  const auto* points = static_cast<const float*>(g_bytes_get_data(bytes, &size));
  fail_unless_equals_uint64(size, 48);
  for (int i = 0; i < 9; ++i) fail_unless(std::isnan(points[i]), "%d", i);
  fail_unless_equals_float(points[11], 10);
  g_autoptr(GBytes) of_depth = gst_rdp_segmentation_get_points(segmentation, depth, nullptr);
  points = static_cast<const float*>(g_bytes_get_data(of_depth, &size));
  // A distance that is 0 as a float is invalid.
  for (int i = 0; i < 12; ++i) fail_unless(std::isnan(points[i]), "%d", i);
}

// A distance beyond the range of float is invalid.
CHECK_TEST(test_too_far) {
  GstRdpCameraInfo info = small_camera(GST_RDP_MEASURE_DISPARITY);
  info.disparity_unit = 1e-10;
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info_of(4, 10), {{{0, 1, 1e-30F, 5e11F}}, {}, {}, {}});
  expect_points(segmentation, camera, {kNone, kNone, kNone, -0.015F, -0.07F, 1});
}

// Samples of 1 cm.
CHECK_TEST(test_depth) {
  g_autoptr(GstRdpCamera) camera = new_camera(small_camera(GST_RDP_MEASURE_DEPTH));
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info_of(4, 10), {{{0, 9, 200, 400.5F}}, {}, {}, {}});
  expect_points(segmentation, camera, {-0.03F, -0.18F, 2, -0.060075F, 0.36045F, 4.005F});
}

// The same depths as u = 10000 / sample.
CHECK_TEST(test_inverse) {
  g_autoptr(GstRdpCamera) camera = new_camera(small_camera(GST_RDP_MEASURE_DEPTH));
  GstRdpSegmentationInfo info = info_of(4, 10);
  info.domain = GST_RDP_DOMAIN_INVERSE;
  info.inverse_scale = 10000;
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info, {{{0, 9, 50, 25}, {9, 9, -1, 0}}, {}, {}, {}});
  expect_points(segmentation, camera,
                {-0.03F, -0.18F, 2, -0.06F, 0.36F, 4, kNone, kNone, kNone, kNone, kNone, kNone});

  // For disparity: u = 10000 / sample, Z = 100 / sample = u / 100. With an offset there is no such
  // form.
  GstRdpCameraInfo disparity = small_camera(GST_RDP_MEASURE_DISPARITY);
  g_autoptr(GstRdpCamera) of_disparity = new_camera(disparity);
  expect_points(segmentation, of_disparity,
                {-0.0075F, -0.045F, 0.5F, -0.00375F, 0.0225F, 0.25F, kNone, kNone, kNone, kNone,
                 kNone, kNone});
  disparity.disparity_offset = 1;
  g_autoptr(GstRdpCamera) offset = new_camera(disparity);
  GError* error = nullptr;
  fail_unless(gst_rdp_segmentation_get_points(segmentation, offset, &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "domain=inverse", "1 px", "domain=linear");
}

// Joined columns lie at their centre: pixel columns 0 to 2, and 3 alone.
CHECK_TEST(test_groups) {
  g_autoptr(GstRdpCamera) camera = new_camera(small_camera(GST_RDP_MEASURE_DEPTH));
  GstRdpSegmentationInfo info = info_of(4, 10);
  info.column_width = 3;
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info, {{{4, 4, 1000, 1000}}, {{4, 4, 1000, 1000}}});
  expect_points(segmentation, camera,
                {-0.05F, -0.1F, 10, -0.05F, -0.1F, 10, 0.15F, -0.1F, 10, 0.15F, -0.1F, 10});
  info.column_width = 2;
  g_autoptr(GstRdpSegmentation) pairs =
      new_segmentation(info, {{{4, 4, 1000, 1000}}, {{4, 4, 1000, 1000}}});
  expect_points(pairs, camera,
                {-0.1F, -0.1F, 10, -0.1F, -0.1F, 10, 0.1F, -0.1F, 10, 0.1F, -0.1F, 10});
}

// Distortion is removed; where that fails, there is no point.
CHECK_TEST(test_distorted) {
  GstRdpCameraInfo info = small_camera(GST_RDP_MEASURE_DEPTH);
  info.focal_length = info.focal_length_y = 5;
  info.distortion[0] = -0.4;
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  double x, y;
  fail_unless(gst_rdp_camera_unproject(camera, 0, 4, &x, &y));
  fail_unless(x < -0.31 && x > -0.33);
  g_autoptr(GstRdpSegmentation) ends =
      new_segmentation(info_of(4, 10), {{{4, 9, 100, 100}}, {}, {}, {}});
  expect_points(ends, camera,
                {static_cast<float>(x), static_cast<float>(y), 1, kNone, kNone, kNone});
}

CHECK_TEST(test_refused) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  GError* error = nullptr;
  g_autoptr(GstRdpCamera) other = new_camera(small_camera(GST_RDP_MEASURE_DEPTH));
  fail_unless(gst_rdp_segmentation_get_points(segmentation, other, &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "4x10", "3x10",
               "gst_rdp_segment_meta_get_camera");

  GstRdpCameraInfo info = small_camera(GST_RDP_MEASURE_DEPTH);
  info.width = info.height = 0;
  g_autoptr(GstRdpCamera) sizeless = new_camera(info);
  g_autoptr(GBytes) points = gst_rdp_segmentation_get_points(segmentation, sizeless, &error);
  fail_unless(points != nullptr);
  fail_unless_equals_uint64(g_bytes_get_size(points), 3 * 24);

  info.depth_unit = 0;
  g_autoptr(GstRdpCamera) unitless = new_camera(info);
  fail_unless(gst_rdp_segmentation_get_points(segmentation, unitless, &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "no metres", "depth-unit");
  expect_critical("*camera*",
                  [&] { gst_rdp_segmentation_get_points(segmentation, nullptr, nullptr); });

  g_autoptr(GstRdpSegmentation) empty = new_segmentation(info_of(3, 10), {{}, {}, {}});
  g_autoptr(GBytes) none = gst_rdp_segmentation_get_points(empty, sizeless, &error);
  fail_unless(none != nullptr);
  fail_unless_equals_uint64(g_bytes_get_size(none), 0);
}

// Segments lost with a failed GPU are not an empty frame.
CHECK_TEST(test_lost_segments) {
  g_autoptr(GstRdpCamera) camera = new_camera(small_camera(GST_RDP_MEASURE_DEPTH));
  rdp::gst::SegmentationPool pool;
  rdp::gst::SegmentationDraft draft = pool.acquire();
  LostArrays::put_into(&draft, 4, "the card has left the slot");
  g_autoptr(GstRdpSegmentation) lost = draft.finish(info_of(4, 10));
  g_autoptr(GError) error = nullptr;
  fail_unless(gst_rdp_segmentation_get_points(lost, camera, &error) == nullptr);
  fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
  fail_unless(std::strstr(error->message, "the card has left the slot") != nullptr);
}

CHECK_CASE(points)
