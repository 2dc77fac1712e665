// SPDX-License-Identifier: LGPL-2.1-or-later
// GStreamer's analytics metadata of a frame: the mask and the obstacles, which any GStreamer
// version can build, and the property that enables them. Builds with that metadata also read it
// from frames with GStreamer's own functions.
#include "gst/metadata/attach_analytics.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#ifdef RDP_HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

using rdp::Obstacle;
using rdp::gst::FrameAnalytics;

namespace {

#ifdef RDP_HAVE_ANALYTICS
constexpr bool kAttaches = true;
#else
constexpr bool kAttaches = false;
#endif

// A classified frame of the street.
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

CHECK_TEST(test_mask) {
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
  // The sky is unknown, and no segment is far.
  fail_unless(counts[0] > 0 && counts[2] > 1000 && counts[3] > 1000, "%d %d %d", counts[0],
              counts[2], counts[3]);

  // The next frame's mask reuses the buffer once it is returned, and is another one until then.
  GstBuffer* second = analytics.mask(segmentation);
  fail_unless(second != mask);
  GstBuffer* const place = mask;
  gst_buffer_unref(mask);
  mask = analytics.mask(segmentation);
  fail_unless(mask == place);
  gst_buffer_unref(mask);
  gst_buffer_unref(second);
  gst_buffer_unref(buffer);

  // Another size, without remains of the previous frame.
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

// Nearest first, for depths and disparities.
CHECK_TEST(test_obstacles) {
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

  // The street has obstacles, inside the frame.
  g_autoptr(GstBuffer) buffer = classified_frame("", "epsilon=2 sample-scale=0.00390625");
  const auto found = analytics.obstacles(gst_rdp_buffer_get_segmentation(buffer), nullptr);
  fail_unless(found.size() > 3, "%zu", found.size());
  double before = 1e9;
  for (const Obstacle& box : found) {
    fail_unless(box.value <= before && box.last_column < 161 && box.last_row < 120);
    before = box.value;
  }
}

// Without such metadata in the build, frames go on and the user is warned once. With it, frames
// carry it only if requested.
CHECK_TEST(test_property) {
  for (const char* content : {"none", "classes", "obstacles", "all"}) {
    for (const bool classify : {false, true}) {
      g_autoptr(GstHarness) harness = gst_harness_new_parse(
          (std::string(
               "depthtestsrc num-buffers=3 ! rdpsegment sample-scale=0.00390625 analytics=") +
           content + (classify ? " classify=true" : ""))
              .c_str());
      g_autoptr(GstBus) bus = gst_bus_new();
      gst_element_set_bus(harness->element, bus);
      gst_harness_play(harness);
      bool attached = false;
      for (int i = 0; i < 3; ++i) {
        g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
        fail_unless(gst_rdp_buffer_get_segmentation(buffer) != nullptr);
        gpointer state = nullptr;
        while (GstMeta* meta = gst_buffer_iterate_meta(buffer, &state)) {
          attached =
              attached || std::string(g_type_name(meta->info->type)) == "GstAnalyticsRelationMeta";
        }
      }
      int warnings = 0;
      while (GstMessage* message = gst_bus_pop_filtered(bus, GST_MESSAGE_WARNING)) {
        ++warnings;
        gst_message_unref(message);
      }
      const bool wanted = std::string(content) != "none";
      fail_unless_equals_int(attached, kAttaches && wanted && classify);
      fail_unless_equals_int(warnings, wanted && !attached ? 1 : 0);
      gst_element_set_bus(harness->element, nullptr);
    }
  }
}

// Objects keep the time of their first frame until they are lost, also while hidden.
CHECK_TEST(test_object_times) {
  rdp::gst::ObjectTimes times;
  const auto see = [&](std::vector<guint32> ids, std::vector<guint32> lost, GstClockTime now) {
    GstRdpObstaclesInfo info;
    gst_rdp_obstacles_info_init(&info);
    info.width = info.height = 1;
    std::vector<GstRdpObstacle> objects;
    for (const guint32 id : ids) {
      objects.emplace_back().id = id;
      objects.back().flags = GST_RDP_OBSTACLE_SPEED;
    }
    g_autoptr(GstRdpObstacles) obstacles =
        gst_rdp_obstacles_new(&info, objects.data(), objects.size(), lost.data(), lost.size(),
                              nullptr, 0, nullptr, nullptr, 0, nullptr, nullptr, 0);
    fail_unless(obstacles != nullptr);
    times.update(obstacles, now);
  };
  see({1, 2}, {}, 10);
  see({2, 3}, {}, 20);
  fail_unless(times.first_seen(1) == 10 && times.first_seen(2) == 10 && times.first_seen(3) == 20);
  see({1}, {2}, 30);
  fail_unless(times.first_seen(1) == 10 && times.first_seen(2) == GST_CLOCK_TIME_NONE);
}

#ifdef RDP_HAVE_ANALYTICS
namespace {

// The number of results of the type, and the first of them.
gsize count_results(GstAnalyticsRelationMeta* relations, GstAnalyticsMtdType type,
                    GstAnalyticsMtd* first) {
  gsize n = 0;
  gpointer state = nullptr;
  GstAnalyticsMtd result;
  while (gst_analytics_relation_meta_iterate(relations, &state, type, &result)) {
    if (n++ == 0) *first = result;
  }
  return n;
}

void check_mask(GstAnalyticsRelationMeta* relations, const std::vector<std::uint8_t>& expected) {
  GstAnalyticsMtd regions;
  fail_unless_equals_int(
      count_results(relations, gst_analytics_segmentation_mtd_get_mtd_type(), &regions), 1);
  gint x = -1;
  gint y = -1;
  guint width = 0;
  guint height = 0;
  GstBuffer* mask = gst_analytics_segmentation_mtd_get_mask(&regions, &x, &y, &width, &height);
  fail_unless(x == 0 && y == 0 && width == 161 && height == 120, "%d %d %u %u", x, y, width,
              height);
  fail_unless(pixels_of(mask, 161, 120) == expected);
  gst_buffer_unref(mask);
  // A value's name is found as GStreamer's documentation describes.
  GstAnalyticsMtd names;
  fail_unless(gst_analytics_relation_meta_get_direct_related(
      relations, regions.id, GST_ANALYTICS_REL_TYPE_RELATE_TO, gst_analytics_cls_mtd_get_mtd_type(),
      nullptr, &names));
  const std::vector<std::string> expected_names = {"unknown", "other", "ground", "upright", "far"};
  fail_unless_equals_int(gst_analytics_segmentation_mtd_get_region_count(&regions),
                         rdp::kMaskValues);
  fail_unless_equals_int(gst_analytics_cls_mtd_get_length(&names), rdp::kMaskValues);
  for (guint value = 0; value < rdp::kMaskValues; ++value) {
    gsize index = 99;
    fail_unless(gst_analytics_segmentation_mtd_get_region_index(&regions, &index, value));
    const GQuark name = gst_analytics_cls_mtd_get_quark(&names, index);
    fail_unless(g_quark_to_string(name) == expected_names[value], "%u is %s", value,
                g_quark_to_string(name));
    fail_unless(gst_analytics_cls_mtd_get_level(&names, index) == -1.0F);
  }
}

void check_obstacles(GstAnalyticsRelationMeta* relations, std::span<const Obstacle> expected,
                     gsize skip) {
  gpointer state = nullptr;
  GstAnalyticsMtd detection;
  gsize n = 0;
  while (gst_analytics_relation_meta_iterate(relations, &state, gst_analytics_od_mtd_get_mtd_type(),
                                             &detection)) {
    if (n++ < skip) continue;
    fail_unless(n - skip <= expected.size());
    const Obstacle& box = expected[n - skip - 1];
    gint x;
    gint y;
    gint width;
    gint height;
    gfloat confidence;
    fail_unless(
        gst_analytics_od_mtd_get_location(&detection, &x, &y, &width, &height, &confidence));
    fail_unless(x == box.first_column && y == box.first_row && x + width - 1 == box.last_column &&
                    y + height - 1 == box.last_row,
                "%d %d %d %d", x, y, width, height);
    fail_unless(confidence == 1.0F);
    fail_unless(gst_analytics_od_mtd_get_obj_type(&detection) == g_quark_from_string("obstacle"));
  }
  fail_unless_equals_int(n - skip, expected.size());
}

}  // namespace

CHECK_TEST(test_attached) {
  for (const std::string content : {"classes", "obstacles", "all"}) {
    GstBuffer* buffer =
        classified_frame("", "epsilon=2 sample-scale=0.00390625 analytics=" + content);
    GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
    fail_unless(relations != nullptr, "%s", content.c_str());
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
    FrameAnalytics own;
    GstAnalyticsMtd result;
    if (content == "obstacles") {
      fail_unless_equals_int(
          count_results(relations, gst_analytics_segmentation_mtd_get_mtd_type(), &result), 0);
    } else {
      g_autoptr(GstBuffer) mask = own.mask(segmentation);
      check_mask(relations, pixels_of(mask, 161, 120));
    }
    const auto obstacles = own.obstacles(segmentation, nullptr);
    fail_unless(!obstacles.empty());
    check_obstacles(relations, content == "classes" ? std::span<const Obstacle>() : obstacles, 0);
    // A copy has the metadata, and outlives the frame.
    g_autoptr(GstBuffer) copy = gst_buffer_copy_deep(buffer);
    gst_buffer_unref(buffer);
    relations = gst_buffer_get_analytics_relation_meta(copy);
    fail_unless(relations != nullptr);
    segmentation = gst_rdp_buffer_get_segmentation(copy);
    if (content != "obstacles") {
      g_autoptr(GstBuffer) mask = own.mask(segmentation);
      check_mask(relations, pixels_of(mask, 161, 120));
    }
  }
}

// Results of other elements stay.
CHECK_TEST(test_added_to_others) {
  g_autoptr(GstHarness) harness = gst_harness_new_parse(
      "rdpsegment merge=true classify=true analytics=all epsilon=2 "
      "sample-scale=0.00390625");
  gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY16_LE,width=161,height=120");
  g_autoptr(GstHarness) source = gst_harness_new_parse(
      "depthtestsrc num-buffers=3 ! video/x-raw,format=GRAY16_LE,width=161,height=120 ! identity");
  gst_harness_play(source);
  for (int i = 0; i < 3; ++i) {
    g_autoptr(GstBuffer) buffer = gst_buffer_make_writable(gst_harness_pull(source));
    GstAnalyticsODMtd other;
    fail_unless(gst_analytics_relation_meta_add_od_mtd(
        gst_buffer_add_analytics_relation_meta(buffer), g_quark_from_string("cat"), 1, 2, 3, 4,
        0.5F, &other));
    buffer = gst_harness_push_and_pull(harness, buffer);
    fail_unless(buffer != nullptr);
    guint metas = gst_buffer_get_n_meta(buffer, GST_ANALYTICS_RELATION_META_API_TYPE);
    fail_unless_equals_int(metas, 1);
    GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
    GstAnalyticsMtd result;
    count_results(relations, gst_analytics_od_mtd_get_mtd_type(), &result);
    fail_unless(gst_analytics_od_mtd_get_obj_type(&result) == g_quark_from_string("cat"));
    FrameAnalytics own;
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
    check_obstacles(relations, own.obstacles(segmentation, nullptr), 1);
    g_autoptr(GstBuffer) mask = own.mask(segmentation);
    check_mask(relations, pixels_of(mask, 161, 120));
  }
}
#endif

CHECK_CASE(frame_analytics)
