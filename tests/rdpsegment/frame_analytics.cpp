// SPDX-License-Identifier: LGPL-2.1-or-later
// What GStreamer's analytics metadata is told of a frame: the mask and the obstacles, which any
// GStreamer can make, and the property that asks for them.
#include "gst/metadata/frame_analytics.h"

#include <cstdint>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/segmentation_fixture.h"

using rdp::Obstacle;
using rdp::gst::FrameAnalytics;

namespace {

// Of the street.
GstBuffer* classified_frame(const std::string& source, const std::string& segment) {
  GstHarness* harness =
      gst_harness_new_parse(("depthtestsrc num-buffers=1 " + source +
                             " ! video/x-raw,format=GRAY16_LE,width=161,height=120 ! rdpsegment "
                             "merge=true classify=true column-width=2 " +
                             segment)
                                .c_str());
  gst_harness_play(harness);
  GstBuffer* buffer = gst_harness_pull(harness);
  fail_unless(buffer != nullptr);
  gst_harness_teardown(harness);
  return buffer;
}

std::vector<std::uint8_t> pixels_of(GstBuffer* mask, int width, int height) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(mask);
  fail_unless(meta != nullptr);
  fail_unless_equals_int(meta->format, GST_VIDEO_FORMAT_GRAY8);
  fail_unless_equals_int(meta->width, width);
  fail_unless_equals_int(meta->height, height);
  GstMapInfo map;
  fail_unless(gst_buffer_map(mask, &map, GST_MAP_READ));
  std::vector<std::uint8_t> pixels;
  for (int row = 0; row < height; ++row) {
    const guint8* start = map.data + meta->offset[0] + row * meta->stride[0];
    pixels.insert(pixels.end(), start, start + width);
  }
  gst_buffer_unmap(mask, &map);
  return pixels;
}

}  // namespace

GST_START_TEST(test_mask) {
  GstBuffer* buffer = classified_frame("", "epsilon=2 sample-scale=0.00390625");
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
  FrameAnalytics analytics;
  GstBuffer* mask = analytics.mask(segmentation);
  const std::vector<std::uint8_t> pixels = pixels_of(mask, 161, 120);
  gsize n = 0;
  const guint8* classes = gst_rdp_segmentation_peek_classes(segmentation, &n);
  std::vector<std::uint8_t> expected(161 * 120);
  int counts[rdp::kMaskValues] = {};
  for (guint c = 0; c < gst_rdp_segmentation_get_n_columns(segmentation); ++c) {
    const GstRdpSegment* segments = gst_rdp_segmentation_get_column(segmentation, c, &n);
    for (gsize i = 0; i < n; ++i, ++classes) {
      for (guint row = segments[i].first_row; row <= segments[i].last_row; ++row) {
        for (guint x = 2 * c; x < MIN(2 * c + 2, 161); ++x) {
          expected[row * 161 + x] = static_cast<std::uint8_t>(*classes + 1);
        }
      }
    }
  }
  fail_unless(pixels == expected);
  for (const std::uint8_t value : pixels) ++counts[value];
  // The sky is unknown, and nothing is far.
  fail_unless(counts[0] > 0 && counts[2] > 1000 && counts[3] > 1000, "%d %d %d", counts[0],
              counts[2], counts[3]);

  // The next frame's mask is the same buffer once it is given back, and another one until then.
  GstBuffer* second = analytics.mask(segmentation);
  fail_unless(second != mask);
  GstBuffer* const place = mask;
  gst_buffer_unref(mask);
  mask = analytics.mask(segmentation);
  fail_unless(mask == place);
  gst_buffer_unref(mask);
  gst_buffer_unref(second);
  gst_buffer_unref(buffer);

  // Another size, and nothing left of the frame before.
  GstRdpSegmentationInfo info = info_of(3, 10);
  info.classify = TRUE;
  g_autoptr(GstRdpSegmentation) empty = new_segmentation(info, {{}, {}, {}});
  mask = analytics.mask(empty);
  fail_unless(pixels_of(mask, 3, 10) == std::vector<std::uint8_t>(30));
  gst_buffer_unref(mask);
  g_autoptr(GstRdpSegmentation) without_classes = new_three_columns();
  fail_unless(analytics.mask(without_classes) == nullptr);
  fail_unless(analytics.obstacles(without_classes, nullptr).empty());
}
GST_END_TEST;

// The nearest first, whatever the values are.
GST_START_TEST(test_obstacles) {
  FrameAnalytics analytics;
  GstRdpSegmentationInfo info = info_of(2, 40);
  info.classify = TRUE;
  g_autoptr(GstRdpSegmentation) segmentation =
      new_segmentation(info, {{{0, 15, 900, 900}, {20, 39, 4000, 4000}}, {}});
  GstRdpCameraInfo of_camera;
  gst_rdp_camera_info_init(&of_camera);
  of_camera.focal_length = of_camera.focal_length_y = 100;
  of_camera.rectified = TRUE;
  of_camera.baseline = 0.1;
  of_camera.disparity_unit = 1.0 / 256;
  of_camera.depth_unit = 0.001;
  const auto nearest = [&](GstRdpMeasure measures, GstRdpDomain domain) {
    of_camera.measures = measures;
    info.domain = domain;
    g_autoptr(GstRdpSegmentation) of =
        new_segmentation(info, {{{0, 15, 900, 900}, {20, 39, 4000, 4000}}, {}});
    g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&of_camera, nullptr);
    fail_unless(camera != nullptr);
    const auto found = analytics.obstacles(of, camera);
    fail_unless_equals_int(found.size(), 2);
    return found[0].value;
  };
  const auto by_value = analytics.obstacles(segmentation, nullptr);
  fail_unless_equals_int(by_value.size(), 2);
  fail_unless(by_value[0] == (Obstacle{0, 0, 20, 39, 4000.0}));
  fail_unless(by_value[1] == (Obstacle{0, 0, 0, 15, 900.0}));
  fail_unless(nearest(GST_RDP_MEASURE_DISPARITY, GST_RDP_DOMAIN_LINEAR) == 4000.0);
  fail_unless(nearest(GST_RDP_MEASURE_DEPTH, GST_RDP_DOMAIN_LINEAR) == 900.0);
  fail_unless(nearest(GST_RDP_MEASURE_DEPTH, GST_RDP_DOMAIN_INVERSE) == 4000.0);

  // On the street there are some, within the frame.
  GstBuffer* buffer = classified_frame("", "epsilon=2 sample-scale=0.00390625");
  const auto found = analytics.obstacles(gst_rdp_buffer_get_segmentation(buffer), nullptr);
  fail_unless(found.size() > 3, "%zu", found.size());
  double before = 1e9;
  for (const Obstacle& box : found) {
    fail_unless(box.value <= before && box.last_column < 161 && box.last_row < 120);
    before = box.value;
  }
  gst_buffer_unref(buffer);
}
GST_END_TEST;

// Frames go on where the build has no such metadata, and the user is told once; elsewhere they
// carry it, and only where it was asked for.
GST_START_TEST(test_property) {
  for (const char* content : {"none", "classes", "obstacles", "all"}) {
    for (const bool classify : {false, true}) {
      GstHarness* harness = gst_harness_new_parse(
          (std::string(
               "depthtestsrc num-buffers=3 ! rdpsegment sample-scale=0.00390625 analytics=") +
           content + (classify ? " classify=true" : ""))
              .c_str());
      GstBus* bus = gst_bus_new();
      gst_element_set_bus(harness->element, bus);
      gst_harness_play(harness);
      bool attached = false;
      for (int i = 0; i < 3; ++i) {
        GstBuffer* buffer = gst_harness_pull(harness);
        fail_unless(gst_rdp_buffer_get_segmentation(buffer) != nullptr);
        gpointer state = nullptr;
        while (GstMeta* meta = gst_buffer_iterate_meta(buffer, &state)) {
          attached =
              attached || std::string(g_type_name(meta->info->type)) == "GstAnalyticsRelationMeta";
        }
        gst_buffer_unref(buffer);
      }
      int warnings = 0;
      while (GstMessage* message = gst_bus_pop_filtered(bus, GST_MESSAGE_WARNING)) {
        ++warnings;
        gst_message_unref(message);
      }
      const bool wanted = std::string(content) != "none";
      fail_unless_equals_int(warnings, wanted && !attached ? 1 : 0);
      fail_unless(!attached || (wanted && classify));
      gst_element_set_bus(harness->element, nullptr);
      gst_object_unref(bus);
      gst_harness_teardown(harness);
    }
  }
}
GST_END_TEST;

static Suite* frame_analytics_suite(void) {
  Suite* suite = suite_create("frame_analytics");
  TCase* tcase = tcase_create("analytics");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_mask);
  tcase_add_test(tcase, test_obstacles);
  tcase_add_test(tcase, test_property);
  return suite;
}

GST_CHECK_MAIN(frame_analytics)
