// SPDX-License-Identifier: LGPL-2.1-or-later
// The metadata on buffers: elements that keep it, elements that drop it, and the placement of
// segments behind them. kind_row.h tests the parts without elements.
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

CHECK_TEST(test_registered_once) {
  std::vector<const GstMetaInfo*> infos(8);
  std::vector<std::thread> threads;
  for (auto& info : infos) threads.emplace_back([&] { info = gst_rdp_segment_meta_get_info(); });
  for (std::thread& thread : threads) thread.join();
  for (const GstMetaInfo* info : infos) {
    fail_unless(info != nullptr);
    fail_unless(info == infos[0]);
  }
  fail_unless(gst_meta_get_info("GstRdpSegmentMeta") == infos[0]);
}

// A buffer of `size` bytes with segments. The caller owns both.
static GstBuffer* new_buffer(GstRdpSegmentation* segmentation, gsize size = 30) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, size, nullptr);
  gst_buffer_memset(buffer, 0, 1, size);
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  GST_BUFFER_PTS(buffer) = 0;
  return buffer;
}

struct Place {
  double scale_x, scale_y;
  double offset_x = 0, offset_y = 0;
};

// Pushes a GRAY8 frame of width x height with segments through `elements`, which drop them where
// `expected` is null.
static void check_place(const char* elements, int width, int height, const Place* expected) {
  GstHarness* harness = gst_harness_new_parse(elements);
  if (GstElement* flip = gst_harness_find_element(harness, "videoflip"); flip != nullptr) {
    // GStreamer 1.22.0 forgets the method that it was made with.
    const std::string from = std::strstr(elements, "method=") + std::strlen("method=");
    gst_util_set_object_arg(G_OBJECT(flip), "method", from.substr(0, from.find(' ')).c_str());
    gst_object_unref(flip);
  }
  const std::string caps = "video/x-raw,format=GRAY8,framerate=30/1,pixel-aspect-ratio=1/1,width=" +
                           std::to_string(width) + ",height=" + std::to_string(height);
  gst_harness_set_src_caps_str(harness, caps.c_str());
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  GstBuffer* frame = new_buffer(segmentation, static_cast<gsize>(GST_ROUND_UP_4(width)) * height);
  GstBuffer* result = gst_harness_push_and_pull(harness, frame);
  fail_unless(result != nullptr, "%s", elements);
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(result);
  fail_unless((meta != nullptr) == (expected != nullptr), "%s", elements);
  if (expected != nullptr) {
    fail_unless(meta->segmentation == segmentation);
    fail_unless_equals_float(meta->scale_x, expected->scale_x);
    fail_unless_equals_float(meta->scale_y, expected->scale_y);
    fail_unless_equals_float(meta->offset_x, expected->offset_x);
    fail_unless_equals_float(meta->offset_y, expected->offset_y);
  }
  gst_buffer_unref(result);
  gst_harness_teardown(harness);
  ASSERT_MINI_OBJECT_REFCOUNT(segmentation, "segmentation", 1);
}

static void check_survives(const char* elements, int width, int height, const Place& expected) {
  check_place(elements, width, height, &expected);
}

// From GStreamer 1.28 on, elements that move the picture report the move; earlier, segments are
// dropped.
static void check_moved(const char* elements, int width, int height, const Place& expected) {
#if GST_CHECK_VERSION(1, 28, 0)
  check_place(elements, width, height, &expected);
#else
  check_place(elements, width, height, nullptr);
#endif
}

CHECK_TEST(test_survives) {
  check_survives("identity", 3, 10, {1, 1});
  check_survives("identity drop-allocation=true ! queue", 3, 10, {1, 1});
  check_survives("tee ! queue", 3, 10, {1, 1});
  check_survives("capsfilter caps=video/x-raw,format=GRAY8", 3, 10, {1, 1});
  check_survives("videoconvert ! capsfilter caps=video/x-raw,format=GRAY16_LE", 64, 48, {1, 1});
  check_survives("videoconvert ! capsfilter caps=video/x-raw,format=RGBA", 64, 48, {1, 1});
}

CHECK_TEST(test_scaled) {
  // Without borders: this version of the element does not report them to metadata.
  const char* scale =
      "videoscale add-borders=false ! capsfilter caps=video/x-raw,width=32,height=96";
  check_survives(scale, 64, 48, {0.5, 2});
  check_survives("videoscale ! capsfilter caps=video/x-raw,width=64,height=48", 64, 48, {1, 1});
  check_survives(
      "videoscale add-borders=false ! capsfilter caps=video/x-raw,width=30,height=100 ! videoscale "
      "add-borders=false ! capsfilter caps=video/x-raw,width=90,height=150",
      60, 50, {1.5, 3});
}

CHECK_TEST(test_moved) {
  check_moved("videoflip method=horizontal-flip", 64, 48, {-1, 1, 64, 0});
  check_moved("videoflip method=rotate-180", 64, 48, {-1, -1, 64, 48});
  check_moved("videocrop left=10 top=5", 64, 48, {1, 1, -10, -5});
  check_moved("videobox left=-8 top=4 autocrop=false", 64, 48, {1, 1, 8, -4});
  check_moved("videocrop left=10 ! videoflip method=vertical-flip", 64, 48, {1, -1, -10, 48});
#if GST_CHECK_VERSION(1, 28, 0)
  // 64x48 in the middle of 64x96.
  check_survives(
      "videoscale ! capsfilter caps=video/x-raw,width=64,height=96,"
      "pixel-aspect-ratio=1/1",
      64, 48, {1, 1, 0, 24});
#endif
  // Columns that have become rows.
  check_place("videoflip method=clockwise", 64, 48, nullptr);
  check_place("videoflip method=upper-left-diagonal", 64, 48, nullptr);
}

// The size that the scaling starts from changes in mid-stream.
CHECK_TEST(test_scaled_renegotiated) {
  g_autoptr(GstHarness) harness = gst_harness_new_parse(
      "videoscale add-borders=false ! capsfilter caps=video/x-raw,width=100,height=100");
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  for (const int side : {50, 200, 400}) {
    const std::string size = std::to_string(side);
    gst_harness_set_src_caps_str(
        harness,
        ("video/x-raw,format=GRAY8,framerate=30/1,width=" + size + ",height=" + size).c_str());
    g_autoptr(GstBuffer) result = gst_harness_push_and_pull(
        harness, new_buffer(segmentation, static_cast<gsize>(side) * side));
    const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(result);
    fail_unless(meta != nullptr);
    fail_unless_equals_float(meta->scale_x, 100.0 / side);
    fail_unless_equals_float(meta->scale_y, 100.0 / side);
  }
}

static void expect_placement(GstBuffer* buffer, const Place& expected) {
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer);
  fail_unless(meta != nullptr);
  Place place{};
  gst_rdp_segment_meta_get_placement(buffer, meta, &place.scale_x, &place.scale_y, &place.offset_x,
                                     &place.offset_y);
  fail_unless_equals_float(place.scale_x, expected.scale_x);
  fail_unless_equals_float(place.scale_y, expected.scale_y);
  fail_unless_equals_float(place.offset_x, expected.offset_x);
  fail_unless_equals_float(place.offset_y, expected.offset_y);
  gst_rdp_segment_meta_get_placement(buffer, meta, nullptr, nullptr, nullptr, nullptr);
}

// The element itself, before one that takes crops.
CHECK_TEST(test_videocrop_in_place) {
  g_autoptr(GstHarness) harness =
      gst_harness_new_parse("identity ! videocrop left=20 top=10 right=4");
  gst_harness_add_propose_allocation_meta(harness, GST_VIDEO_META_API_TYPE, nullptr);
  gst_harness_add_propose_allocation_meta(harness, GST_VIDEO_CROP_META_API_TYPE, nullptr);
  gst_harness_set_src_caps_str(harness,
                               "video/x-raw,format=GRAY8,width=64,height=48,framerate=1/1");
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstBuffer) result =
      gst_harness_push_and_pull(harness, new_buffer(segmentation, gsize{64} * 48));
  fail_unless(gst_buffer_get_video_crop_meta(result) != nullptr);
  expect_placement(result, {1, 1, -20, -10});
  fail_unless_equals_float(gst_buffer_get_rdp_segment_meta(result)->offset_x, 0);
}

#if GST_CHECK_VERSION(1, 28, 0)
static gboolean transform(GstBuffer* target, GstBuffer* source, GQuark type, gpointer data) {
  GstMeta* meta = GST_META_CAST(gst_buffer_get_rdp_segment_meta(source));
  return meta->info->transform_func(target, meta, source, type, data);
}

static GstVideoCropMeta* add_crop(GstBuffer* buffer, guint x, guint y) {
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
  crop->x = x;
  crop->y = y;
  crop->width = 40;
  crop->height = 30;
  return crop;
}

CHECK_TEST(test_matrix) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstBuffer) buffer = new_buffer(segmentation);
  gst_buffer_get_rdp_segment_meta(buffer)->offset_x = 10;
  GstVideoInfo in;
  gst_video_info_set_format(&in, GST_VIDEO_FORMAT_GRAY8, 100, 50);
  GstVideoInfo out;
  gst_video_info_set_format(&out, GST_VIDEO_FORMAT_GRAY8, 200, 300);
  // The picture without a margin of 20 columns, in the middle third of the new one.
  const GstVideoRectangle from = {20, 0, 80, 50};
  const GstVideoRectangle to = {0, 100, 200, 100};
  GstVideoMetaTransformMatrix matrix;
  gst_video_meta_transform_matrix_init(&matrix, &in, &from, &out, &to);
  const GQuark quark = gst_video_meta_transform_matrix_get_quark();

  GstBuffer* target = gst_buffer_new();
  fail_unless(transform(target, buffer, quark, &matrix));
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(target);
  fail_unless_equals_float(meta->scale_x, 2.5);
  fail_unless_equals_float(meta->scale_y, 2);
  fail_unless_equals_float(meta->offset_x, 2.5 * 10 - 2.5 * 20);
  fail_unless_equals_float(meta->offset_y, 100);
  gst_buffer_unref(target);

  // The rectangles are relative to the cropped region.
  add_crop(buffer, 4, 2);
  target = gst_buffer_new();
  fail_unless(transform(target, buffer, quark, &matrix));
  meta = gst_buffer_get_rdp_segment_meta(target);
  fail_unless_equals_float(meta->offset_x, 2.5 * (10 - 4) - 2.5 * 20);
  fail_unless_equals_float(meta->offset_y, 2 * -2 + 100);
  gst_buffer_unref(target);

  // Mirrored, by the numbers of pixels or by their edges: the first pixel's left edge is the last's
  // right one.
  for (const float shift : {199.0F, 200.0F}) {
    matrix.matrix[0][0] = -2.5F;
    matrix.matrix[0][2] = shift;
    target = gst_buffer_new();
    fail_unless(transform(target, buffer, quark, &matrix));
    meta = gst_buffer_get_rdp_segment_meta(target);
    fail_unless_equals_float(meta->scale_x, -2.5);
    fail_unless_equals_float(meta->offset_x, 200 - 2.5 * (10 - 4 - 20));
    gst_buffer_unref(target);
  }

  matrix.matrix[0][1] = 0.1F;
  target = gst_buffer_new();
  fail_if(transform(target, buffer, quark, &matrix));
  fail_unless(gst_buffer_get_rdp_segment_meta(target) == nullptr);
  gst_buffer_unref(target);
}
#endif

CHECK_CASE(segmentmeta)
