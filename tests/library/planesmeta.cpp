// SPDX-License-Identifier: LGPL-2.1-or-later
// The metadata of planes on buffers. What it does there it has in common with segments, so that
// segmentmeta tests the cases; here is that planes do it, too.
#include <algorithm>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/support/check_test.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/segmentation_fixture.h"

static void expect_placement(GstBuffer* buffer, double scale_x, double scale_y, double offset_x,
                             double offset_y) {
  const GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta(buffer);
  fail_unless(meta != nullptr);
  double found[4] = {};
  gst_rdp_planes_meta_get_placement(buffer, meta, &found[0], &found[1], &found[2], &found[3]);
  fail_unless_equals_float(found[0], scale_x);
  fail_unless_equals_float(found[1], scale_y);
  fail_unless_equals_float(found[2], offset_x);
  fail_unless_equals_float(found[3], offset_y);
}

static GstVideoCropMeta* add_crop(GstBuffer* buffer, guint x, guint y) {
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
  crop->x = x;
  crop->y = y;
  crop->width = 8;
  crop->height = 6;
  return crop;
}

CHECK_TEST(test_registered) {
  fail_unless(gst_meta_get_info("GstRdpPlanesMeta") == nullptr);
  const GstMetaInfo* info = gst_rdp_planes_meta_get_info();
  fail_unless(gst_meta_get_info("GstRdpPlanesMeta") == info);
  fail_unless(info->api != GST_RDP_SEGMENT_META_API_TYPE);
  std::vector<std::string> tags;
  for (auto tag = gst_meta_api_type_get_tags(GST_RDP_PLANES_META_API_TYPE); *tag != nullptr;
       ++tag) {
    tags.emplace_back(*tag);
  }
  const std::vector<std::string> expected{"video", "orientation", "size"};
  fail_unless(tags == expected);
}

CHECK_TEST(test_on_buffer) {
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 48, nullptr);
  fail_unless(gst_rdp_buffer_get_planes(buffer) == nullptr);
  gst_buffer_add_meta(buffer, GST_RDP_PLANES_META_INFO, nullptr);  // an empty one
  fail_unless(gst_buffer_get_rdp_planes_meta(buffer) == nullptr);
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  fail_unless(gst_rdp_buffer_get_planes(buffer) == nullptr);
  GstRdpPlanesMeta* meta = gst_buffer_add_rdp_planes_meta(buffer, planes);
  fail_unless(gst_buffer_get_rdp_planes_meta(buffer) == meta);
  fail_unless(gst_rdp_buffer_get_planes(buffer) == planes);
  fail_unless(gst_rdp_buffer_get_segmentation(buffer) == segmentation);
  expect_placement(buffer, 1, 1, 0, 0);
  ASSERT_MINI_OBJECT_REFCOUNT(planes, "planes", 2);
  meta->scale_x = 0.5;
  meta->offset_y = 3;
  GstBuffer* shallow = gst_buffer_copy(buffer);
  GstBuffer* deep = gst_buffer_copy_deep(buffer);
  for (GstBuffer* copy : {shallow, deep}) {
    fail_unless(gst_rdp_buffer_get_planes(copy) == planes);
    expect_placement(copy, 0.5, 1, 0, 3);
  }
  ASSERT_MINI_OBJECT_REFCOUNT(planes, "planes", 4);
  GstBuffer* part = gst_buffer_copy_region(buffer, GST_BUFFER_COPY_ALL, 0, 10);
  fail_unless(gst_buffer_get_rdp_planes_meta(part) == nullptr);
  for (GstBuffer* one : {shallow, deep, part, buffer}) gst_buffer_unref(one);
  ASSERT_MINI_OBJECT_REFCOUNT(planes, "planes", 1);
}

CHECK_TEST(test_batch) {
  g_autoptr(GstRdpPlanes) upper = new_planes(wall_and_floor());
  g_autoptr(GstRdpPlanes) lower = new_planes(wall_and_floor());
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  gst_buffer_add_rdp_planes_meta(buffer, upper);
  gst_buffer_add_rdp_planes_meta(buffer, lower)->batch_index = 2;
  g_autoptr(GstBuffer) copy = gst_buffer_copy(buffer);
  for (GstBuffer* one : {buffer, copy}) {
    fail_unless(gst_rdp_buffer_get_batch_planes(one, 0) == upper);
    fail_unless(gst_rdp_buffer_get_batch_planes(one, 1) == nullptr);
    fail_unless(gst_rdp_buffer_get_batch_planes(one, 2) == lower);
    fail_unless_equals_int(gst_buffer_get_rdp_planes_meta_of_batch(one, 2)->batch_index, 2);
  }
}

CHECK_TEST(test_scaled) {
  GstHarness* harness = gst_harness_new_parse(
      "videoscale add-borders=false ! capsfilter caps=video/x-raw,width=16,height=3");
  gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY8,framerate=30/1,width=8,height=6");
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 48, nullptr);
  gst_buffer_memset(buffer, 0, 1, 48);
  GST_BUFFER_PTS(buffer) = 0;
  gst_buffer_add_rdp_planes_meta(buffer, planes);
  g_autoptr(GstBuffer) result = gst_harness_push_and_pull(harness, buffer);
  fail_unless(gst_rdp_buffer_get_planes(result) == planes);
  expect_placement(result, 2, 0.5, 0, 0);
  gst_harness_teardown(harness);
}

static gboolean transform(GstBuffer* target, GstBuffer* source, GQuark type, gpointer data) {
  GstMeta* meta = GST_META_CAST(gst_buffer_get_rdp_planes_meta(source));
  return meta->info->transform_func(target, meta, source, type, data);
}

CHECK_TEST(test_cropped) {
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  GstVideoCropMeta* crop = add_crop(buffer, 20, 10);
  // Planes of what is shown are at its corner.
  fail_unless_equals_float(gst_buffer_add_rdp_planes_meta(buffer, planes)->offset_x, 20);
  expect_placement(buffer, 1, 1, 0, 0);
  crop->x = 24;
  expect_placement(buffer, 1, 1, -4, 0);
  // What scales reads what is shown.
  GstVideoInfo in;
  gst_video_info_set_format(&in, GST_VIDEO_FORMAT_GRAY8, 8, 6);
  GstVideoInfo out;
  gst_video_info_set_format(&out, GST_VIDEO_FORMAT_GRAY8, 24, 12);
  GstVideoMetaTransform scale = {&in, &out};
  g_autoptr(GstBuffer) target = gst_buffer_new();
  fail_unless(transform(target, buffer, gst_video_meta_transform_scale_get_quark(), &scale));
  expect_placement(target, 3, 2, -12, 0);
  g_autoptr(GstBuffer) other = gst_buffer_new();
  fail_if(transform(other, buffer, g_quark_from_static_string("no-such-transform"), nullptr));
}

#if GST_CHECK_VERSION(1, 28, 0)
CHECK_TEST(test_matrix) {
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  gst_buffer_add_rdp_planes_meta(buffer, planes);
  GstVideoInfo in;
  gst_video_info_set_format(&in, GST_VIDEO_FORMAT_GRAY8, 8, 6);
  GstVideoInfo out;
  gst_video_info_set_format(&out, GST_VIDEO_FORMAT_GRAY8, 16, 18);
  const GstVideoRectangle from = {2, 0, 4, 6};
  const GstVideoRectangle to = {0, 6, 16, 6};
  GstVideoMetaTransformMatrix matrix;
  gst_video_meta_transform_matrix_init(&matrix, &in, &from, &out, &to);
  g_autoptr(GstBuffer) target = gst_buffer_new();
  fail_unless(transform(target, buffer, gst_video_meta_transform_matrix_get_quark(), &matrix));
  expect_placement(target, 4, 1, -8, 6);
}
#endif

#if GST_CHECK_VERSION(1, 24, 0)
CHECK_TEST(test_serialized) {
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  for (const guint batch_index : {0U, 5U}) {
    g_autoptr(GstBuffer) buffer = gst_buffer_new();
    GstRdpPlanesMeta* meta = gst_buffer_add_rdp_planes_meta(buffer, planes);
    meta->scale_x = -2;
    meta->offset_y = 7;
    meta->batch_index = batch_index;
    g_autoptr(GByteArray) data = g_byte_array_new();
    fail_unless(gst_meta_serialize_simple(GST_META_CAST(meta), data));
    g_autoptr(GstBuffer) target = gst_buffer_new();
    guint32 consumed = 0;
    fail_unless(gst_meta_deserialize(target, data->data, data->len, &consumed) != nullptr);
    fail_unless_equals_int(consumed, data->len);
    expect_placement(target, -2, 1, 0, 7);
    GstRdpPlanes* read = gst_rdp_buffer_get_batch_planes(target, batch_index);
    g_autoptr(GBytes) expected = gst_rdp_planes_to_bytes(planes);
    g_autoptr(GBytes) found = gst_rdp_planes_to_bytes(read);
    fail_unless(g_bytes_equal(expected, found));
    // The last byte is a label.
    data->data[data->len - 1] = 3;
    g_autoptr(GstBuffer) other = gst_buffer_new();
    fail_unless(gst_meta_deserialize(other, data->data, data->len, &consumed) == nullptr);
    fail_unless(gst_buffer_get_rdp_planes_meta(other) == nullptr);
  }
}
#endif

// The camera of the frame that planes were found in, wherever its picture went since.
CHECK_TEST(test_camera) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 8;
  info.height = 6;
  info.focal_length = info.focal_length_y = 4;
  info.principal_x = 3.5;
  info.principal_y = 2.5;
  info.rectified = TRUE;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.001;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  GstRdpPlanesMeta* meta = gst_buffer_add_rdp_planes_meta(buffer, planes);
  g_autoptr(GError) error = nullptr;
  fail_unless(gst_rdp_planes_meta_get_camera(buffer, meta, &error) == nullptr && error == nullptr);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
  // As if the planes were found before the picture became half as large.
  meta->scale_x = meta->scale_y = 0.5;
  g_autoptr(GstRdpCamera) found = gst_rdp_planes_meta_get_camera(buffer, meta, &error);
  g_assert_no_error(error);
  fail_unless_equals_float(gst_rdp_camera_get_info(found)->focal_length, 8);
  fail_unless_equals_float(gst_rdp_camera_get_info(found)->principal_x, 7.5);
  fail_unless_equals_int(gst_rdp_camera_get_info(found)->width, 8);
  meta->scale_x = -1;
  fail_unless(gst_rdp_planes_meta_get_camera(buffer, meta, &error) == nullptr);
  fail_unless(g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS));
  // A cloud's points are in no picture.
  g_autoptr(GstRdpPlanes) cloud = new_planes(triangle_in_cloud());
  g_autoptr(GError) none = nullptr;
  GstRdpPlanesMeta* of_cloud = gst_buffer_add_rdp_planes_meta(buffer, cloud);
  fail_unless(gst_rdp_planes_meta_get_camera(buffer, of_cloud, &none) == nullptr);
  fail_unless(none == nullptr);
}

CHECK_CASE(planesmeta)
