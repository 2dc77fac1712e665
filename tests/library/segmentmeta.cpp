// SPDX-License-Identifier: LGPL-2.1-or-later
// The metadata on buffers: what keeps it, what drops it, and where the segments lie after scaling.
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
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

  std::vector<std::string> tags;
  for (auto tag = gst_meta_api_type_get_tags(GST_RDP_SEGMENT_META_API_TYPE); *tag != nullptr;
       ++tag) {
    tags.emplace_back(*tag);
  }
  const std::vector<std::string> expected{"video", "orientation", "size"};
  fail_unless(tags == expected);
}

// A buffer of `size` bytes with segments. The caller owns both.
static GstBuffer* new_buffer(GstRdpSegmentation* segmentation, gsize size = 30) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, size, nullptr);
  gst_buffer_memset(buffer, 0, 1, size);
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  GST_BUFFER_PTS(buffer) = 0;
  return buffer;
}

CHECK_TEST(test_on_buffer) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  GstBuffer* buffer = gst_buffer_new();
  fail_unless(gst_buffer_get_rdp_segment_meta(buffer) == nullptr);
  fail_unless(gst_rdp_buffer_get_segmentation(buffer) == nullptr);
  GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  fail_unless(meta == gst_buffer_get_rdp_segment_meta(buffer));
  fail_unless(meta->segmentation == segmentation);
  fail_unless(gst_rdp_buffer_get_segmentation(buffer) == segmentation);
  fail_unless_equals_float(meta->scale_x, 1);
  fail_unless_equals_float(meta->scale_y, 1);
  fail_unless_equals_float(meta->offset_x, 0);
  fail_unless_equals_float(meta->offset_y, 0);
  ASSERT_MINI_OBJECT_REFCOUNT(segmentation, "segmentation", 2);

  GstBuffer* shared = gst_buffer_ref(buffer);
  expect_critical("*is_writable*", [&] {
    fail_unless(gst_buffer_add_rdp_segment_meta(buffer, segmentation) == nullptr);
  });
  gst_buffer_unref(shared);
  gst_buffer_unref(buffer);
  ASSERT_MINI_OBJECT_REFCOUNT(segmentation, "segmentation", 1);
}

// A buffer with several frames: each has its own metadata, which copies and scaling keep apart.
CHECK_TEST(test_batch) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  GstBuffer* buffer = new_buffer(segmentation);
  GstRdpSegmentation* others[2];
  for (guint i = 0; i < 2; ++i) {
    others[i] = new_three_columns();
    GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(buffer, others[i]);
    fail_unless_equals_int(meta->batch_index, 0);
    meta->batch_index = 2 - i;
    meta->scale_x = 10 * (i + 1);
  }
  GstBuffer* copy = gst_buffer_copy_deep(buffer);
  for (GstBuffer* one : {buffer, copy}) {
    fail_unless(gst_rdp_buffer_get_segmentation(one) == segmentation);
    fail_unless(gst_rdp_buffer_get_batch_segmentation(one, 0) == segmentation);
    fail_unless(gst_rdp_buffer_get_batch_segmentation(one, 1) == others[1]);
    fail_unless(gst_rdp_buffer_get_batch_segmentation(one, 2) == others[0]);
    fail_unless(gst_rdp_buffer_get_batch_segmentation(one, 3) == nullptr);
    fail_unless(gst_buffer_get_rdp_segment_meta_of_batch(one, 3) == nullptr);
    fail_unless_equals_float(gst_buffer_get_rdp_segment_meta_of_batch(one, 0)->scale_x, 1);
    fail_unless_equals_float(gst_buffer_get_rdp_segment_meta_of_batch(one, 1)->scale_x, 20);
    fail_unless_equals_float(gst_buffer_get_rdp_segment_meta_of_batch(one, 2)->scale_x, 10);
  }
  gst_buffer_unref(copy);
  gst_buffer_unref(buffer);
  GstBuffer* empty = gst_buffer_new();
  fail_unless(gst_rdp_buffer_get_batch_segmentation(empty, 0) == nullptr);
  gst_buffer_unref(empty);
  for (GstRdpSegmentation* other : others) gst_rdp_segmentation_unref(other);
}

CHECK_TEST(test_copies) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  GstBuffer* buffer = new_buffer(segmentation);
  gst_buffer_get_rdp_segment_meta(buffer)->scale_x = 0.5;
  gst_buffer_get_rdp_segment_meta(buffer)->offset_y = 3;

  GstBuffer* shallow = gst_buffer_copy(buffer);
  GstBuffer* deep = gst_buffer_copy_deep(buffer);
  for (GstBuffer* copy : {shallow, deep}) {
    const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(copy);
    fail_unless(meta->segmentation == segmentation);
    fail_unless_equals_float(meta->scale_x, 0.5);
    fail_unless_equals_float(meta->scale_y, 1);
    fail_unless_equals_float(meta->offset_x, 0);
    fail_unless_equals_float(meta->offset_y, 3);
  }
  ASSERT_MINI_OBJECT_REFCOUNT(segmentation, "segmentation", 4);

  GstBuffer* part = gst_buffer_copy_region(buffer, GST_BUFFER_COPY_ALL, 0, 10);
  fail_unless(gst_buffer_get_rdp_segment_meta(part) == nullptr);
  for (GstBuffer* copy : {shallow, deep, part, buffer}) gst_buffer_unref(copy);
  ASSERT_MINI_OBJECT_REFCOUNT(segmentation, "segmentation", 1);
}

// A buffer that returns to its pool lets go of its segments.
CHECK_TEST(test_buffer_pool) {
  g_autoptr(GstBufferPool) pool = gst_buffer_pool_new();
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, nullptr, 30, 1, 1);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  GstRdpSegmentation* segmentation = new_three_columns();
  for (int i = 0; i < 3; ++i) {
    GstBuffer* buffer = nullptr;
    fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
    fail_unless(gst_buffer_get_rdp_segment_meta(buffer) == nullptr);
    gst_buffer_add_rdp_segment_meta(buffer, segmentation);
    ASSERT_MINI_OBJECT_REFCOUNT(segmentation, "segmentation", 2);
    gst_buffer_unref(buffer);
    ASSERT_MINI_OBJECT_REFCOUNT(segmentation, "segmentation", 1);
  }
  gst_rdp_segmentation_unref(segmentation);
  gst_buffer_pool_set_active(pool, FALSE);
}

// Metadata that somebody has added without a segmentation.
CHECK_TEST(test_empty_meta) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  fail_unless(gst_buffer_add_meta(buffer, GST_RDP_SEGMENT_META_INFO, nullptr) != nullptr);
  fail_unless(gst_rdp_buffer_get_segmentation(buffer) == nullptr);
  g_autoptr(GstBuffer) copy = gst_buffer_copy(buffer);
  fail_unless(gst_rdp_buffer_get_segmentation(copy) == nullptr);
}

// It does not hide what others have added, in front of it or behind.
CHECK_TEST(test_empty_meta_in_front) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstRdpSegmentation) second = new_three_columns();
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  gst_buffer_add_meta(buffer, GST_RDP_SEGMENT_META_INFO, nullptr);
  fail_unless(gst_buffer_get_rdp_segment_meta(buffer) == nullptr);
  fail_unless(gst_buffer_get_rdp_segment_meta_of_batch(buffer, 0) == nullptr);
  GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  gst_buffer_add_meta(buffer, GST_RDP_SEGMENT_META_INFO, nullptr);
  GstRdpSegmentMeta* of_second = gst_buffer_add_rdp_segment_meta(buffer, second);
  of_second->batch_index = 1;
  fail_unless(gst_buffer_get_rdp_segment_meta(buffer) == meta);
  fail_unless(gst_buffer_get_rdp_segment_meta_of_batch(buffer, 0) == meta);
  fail_unless(gst_buffer_get_rdp_segment_meta_of_batch(buffer, 1) == of_second);
  fail_unless(gst_rdp_buffer_get_segmentation(buffer) == segmentation);
  fail_unless(gst_rdp_buffer_get_batch_segmentation(buffer, 0) == segmentation);
  fail_unless(gst_rdp_buffer_get_batch_segmentation(buffer, 1) == second);
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

// What moves the picture says where it is now from GStreamer 1.28 on. Before, segments are dropped.
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
  // Without borders: this version of the element does not tell metadata where they are.
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
  GstHarness* harness = gst_harness_new_parse(
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
  gst_harness_teardown(harness);
}

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

// What crops a frame in place tells no metadata. Its own numbers stay, and what is shown is found.
CHECK_TEST(test_placement) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstBuffer) buffer = new_buffer(segmentation);
  GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer);
  expect_placement(buffer, {1, 1, 0, 0});
  meta->scale_x = 2;
  meta->offset_y = 5;
  expect_placement(buffer, {2, 1, 0, 5});
  GstVideoCropMeta* crop = add_crop(buffer, 20, 10);
  expect_placement(buffer, {2, 1, -20, -5});
  crop->x = 3;  // as another videocrop does
  expect_placement(buffer, {2, 1, -3, -5});
  fail_unless_equals_float(meta->offset_x, 0);
  fail_unless_equals_float(meta->offset_y, 5);

  // A copy has the crop, too.
  g_autoptr(GstBuffer) copy = gst_buffer_copy(buffer);
  fail_unless_equals_float(gst_buffer_get_rdp_segment_meta(copy)->offset_y, 5);
  expect_placement(copy, {2, 1, -3, -5});

  expect_critical("*meta*", [&] {
    gst_rdp_segment_meta_get_placement(buffer, nullptr, nullptr, nullptr, nullptr, nullptr);
  });
}

// Segments of what is shown are at its corner.
CHECK_TEST(test_placement_of_cropped) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  GstVideoCropMeta* crop = add_crop(buffer, 20, 10);
  GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  fail_unless_equals_float(meta->offset_x, 20);
  fail_unless_equals_float(meta->offset_y, 10);
  expect_placement(buffer, {1, 1, 0, 0});
  crop->x += 7;
  expect_placement(buffer, {1, 1, -7, 0});
}

// What scales reads what is shown.
CHECK_TEST(test_scaled_from_crop) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstBuffer) buffer = new_buffer(segmentation);
  gst_buffer_get_rdp_segment_meta(buffer)->offset_x = 4;
  add_crop(buffer, 20, 10);
  GstVideoInfo in;
  gst_video_info_set_format(&in, GST_VIDEO_FORMAT_GRAY8, 40, 30);
  GstVideoInfo out;
  gst_video_info_set_format(&out, GST_VIDEO_FORMAT_GRAY8, 20, 90);
  GstVideoMetaTransform scale = {&in, &out};
  g_autoptr(GstBuffer) target = gst_buffer_new();
  fail_unless(transform(target, buffer, gst_video_meta_transform_scale_get_quark(), &scale));
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(target);
  fail_unless_equals_float(meta->scale_x, 0.5);
  fail_unless_equals_float(meta->scale_y, 3);
  fail_unless_equals_float(meta->offset_x, (4 - 20) * 0.5);
  fail_unless_equals_float(meta->offset_y, -10 * 3);
}

// The element itself, before one that takes crops.
CHECK_TEST(test_videocrop_in_place) {
  GstHarness* harness = gst_harness_new_parse("identity ! videocrop left=20 top=10 right=4");
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
  gst_harness_teardown(harness);
}

// What nobody has described to the metadata drops it.
CHECK_TEST(test_unknown_transform) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstBuffer) buffer = new_buffer(segmentation);
  g_autoptr(GstBuffer) target = gst_buffer_new();
  fail_if(transform(target, buffer, g_quark_from_static_string("no-such-transform"), nullptr));

  // A scale from nothing says nothing.
  GstVideoInfo nothing;
  gst_video_info_init(&nothing);
  GstVideoInfo something;
  gst_video_info_set_format(&something, GST_VIDEO_FORMAT_GRAY8, 4, 4);
  GstVideoMetaTransform scale = {&nothing, &something};
  fail_if(transform(target, buffer, gst_video_meta_transform_scale_get_quark(), &scale));
  fail_unless(gst_buffer_get_rdp_segment_meta(target) == nullptr);
}

#if GST_CHECK_VERSION(1, 24, 0)
CHECK_TEST(test_serialized_meta) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns(11);
  GstBuffer* buffer = new_buffer(segmentation);
  gst_buffer_get_rdp_segment_meta(buffer)->scale_x = 0.5;
  gst_buffer_get_rdp_segment_meta(buffer)->offset_y = -8;
  GByteArray* data = g_byte_array_new();
  fail_unless(
      gst_meta_serialize_simple(GST_META_CAST(gst_buffer_get_rdp_segment_meta(buffer)), data));
  gst_buffer_unref(buffer);

  GstBuffer* target = gst_buffer_new();
  guint32 consumed = 0;
  fail_unless(gst_meta_deserialize(target, data->data, data->len, &consumed) != nullptr);
  fail_unless_equals_int(consumed, data->len);
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(target);
  fail_unless_equals_float(meta->scale_x, 0.5);
  fail_unless_equals_float(meta->scale_y, 1);
  fail_unless_equals_float(meta->offset_x, 0);
  fail_unless_equals_float(meta->offset_y, -8);
  fail_unless_equals_uint64(gst_rdp_segmentation_get_info(meta->segmentation)->frame, 11);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(meta->segmentation), 3);
  gst_buffer_unref(target);

  // Which frame of a batch it is comes through, too.
  GByteArray* of_batch = g_byte_array_new();
  buffer = new_buffer(segmentation);
  gst_buffer_get_rdp_segment_meta(buffer)->batch_index = 70000;
  gst_buffer_get_rdp_segment_meta(buffer)->offset_y = 3;
  fail_unless(
      gst_meta_serialize_simple(GST_META_CAST(gst_buffer_get_rdp_segment_meta(buffer)), of_batch));
  gst_buffer_unref(buffer);
  target = gst_buffer_new();
  fail_unless(gst_meta_deserialize(target, of_batch->data, of_batch->len, &consumed) != nullptr);
  fail_unless_equals_int(gst_buffer_get_rdp_segment_meta(target)->batch_index, 70000);
  fail_unless_equals_float(gst_buffer_get_rdp_segment_meta(target)->offset_y, 3);
  fail_unless_equals_int(
      gst_rdp_segmentation_get_n_segments(gst_rdp_buffer_get_segmentation(target)), 3);
  gst_buffer_unref(target);
  g_byte_array_unref(of_batch);

  // The last byte belongs to a value: as part of NaN it is refused.
  target = gst_buffer_new();
  std::fill(data->data + data->len - 4, data->data + data->len, 0xff);
  fail_unless(gst_meta_deserialize(target, data->data, data->len, &consumed) == nullptr);
  fail_unless(gst_buffer_get_rdp_segment_meta(target) == nullptr);
  gst_buffer_unref(target);
  g_byte_array_unref(data);
}
#endif

#if GST_CHECK_VERSION(1, 28, 0)
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

  // The rectangles are of what is shown.
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
