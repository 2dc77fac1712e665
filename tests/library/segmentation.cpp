// SPDX-License-Identifier: LGPL-2.1-or-later
// The segmentation object. Its pool, serialised form, remote segments and metadata
// (segmentmeta.cpp) have their own tests.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

extern "C" int use_library_from_c(void);

CHECK_TEST(test_content) {
  g_autoptr(GstRdpSegmentation) self = new_three_columns(7);
  fail_unless(GST_IS_RDP_SEGMENTATION(self));
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 3);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(self), 3);

  const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(self);
  fail_unless_equals_uint64(info->frame, 7);
  fail_unless_equals_int(info->width, 3);
  fail_unless_equals_int(info->height, 10);
  fail_unless_equals_float(info->epsilon, 4.0);
  fail_unless_equals_float(info->sample_scale, 1.0);
  fail_unless_equals_int(info->min_value, 1);
  fail_unless_equals_int(info->max_value, 65535);
  fail_unless_equals_int(info->domain, GST_RDP_DOMAIN_LINEAR);
  fail_unless_equals_int(info->median, GST_RDP_MEDIAN_NONE);
  fail_unless_equals_int(info->column_width, 1);
  fail_unless_equals_float(info->merge_cost, 0.0);
  fail_unless_equals_int(info->max_gap, 0);
  fail_unless(!info->refine && !info->merge && !info->merge_bounded && !info->classify);
  fail_unless_equals_int(info->fit, GST_RDP_FIT_SQUARES);
  fail_unless_equals_float(info->ground_slope, 0.0);
  fail_unless_equals_float(info->far_value, -1.0);

  gsize n = 99;
  const GstRdpSegment* column = gst_rdp_segmentation_get_column(self, 0, &n);
  fail_unless_equals_int(n, 2);
  fail_unless_equals_int(column[1].first_row, 4);
  fail_unless_equals_int(column[1].last_row, 9);
  fail_unless_equals_float(column[1].first_value, 20);
  fail_unless_equals_float(column[1].last_value, 7);
  gst_rdp_segmentation_get_column(self, 1, &n);
  fail_unless_equals_int(n, 0);
  column = gst_rdp_segmentation_get_column(self, 2, &n);
  fail_unless_equals_int(n, 1);
  fail_unless_equals_int(column->first_row, 3);

  gsize n_offsets = 0;
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(self, &n_offsets);
  const std::array<guint32, 4> expected{0, 2, 2, 3};
  fail_unless(std::equal(expected.begin(), expected.end(), offsets, offsets + n_offsets));
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(self, &n);
  fail_unless_equals_int(n, 3);
  fail_unless(segments + 2 == column);

  n = 99;
  expect_critical("*column <*",
                  [&] { fail_unless(gst_rdp_segmentation_get_column(self, 3, &n) == nullptr); });
  fail_unless_equals_int(n, 0);
}

CHECK_TEST(test_column_width) {
  GstRdpSegmentationInfo info = info_of(33, 4);
  info.column_width = 16;
  GstRdpSegmentation* self = new_segmentation(info, {{}, {{0, 3, 1, 2}}, {}});
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 3);
  gst_rdp_segmentation_unref(self);
  expect_critical("*rounded up*", [&] {
    fail_unless(new_segmentation(info, {{}, {}}) == nullptr);
  });
}

static void refuse(const GstRdpSegmentationInfo& info, const Columns& columns, const char* reason) {
  expect_critical(reason, [&] { fail_unless(new_segmentation(info, columns) == nullptr); });
}

CHECK_TEST(test_new_refuses) {
  const Columns none(3);
  const GstRdpSegmentationInfo good = info_of(3, 10);
  gst_rdp_segmentation_unref(new_segmentation(good, none));

  const auto with = [&](const char* reason, auto change) {
    GstRdpSegmentationInfo info = good;
    change(info);
    refuse(info, none, reason);
  };
  with("*width*1 to 16384", [](auto& info) { info.width = 0; });
  with("*there must be width*", [](auto& info) { info.width = 4; });
  with("*width*1 to 16384", [](auto& info) { info.width = 16385; });
  with("*height*1 to 16384", [](auto& info) { info.height = 0; });
  with("*height*1 to 16384", [](auto& info) { info.height = 16385; });
  with("*epsilon*", [](auto& info) { info.epsilon = -1; });
  with("*epsilon*", [](auto& info) { info.epsilon = NAN; });
  with("*sample_scale*", [](auto& info) { info.sample_scale = 0; });
  with("*inverse_scale*", [](auto& info) { info.inverse_scale = INFINITY; });
  with("*inverse_scale*", [](auto& info) {
    info.inverse_scale = 0;
    info.domain = GST_RDP_DOMAIN_INVERSE;
  });
  with("*column_width*", [](auto& info) { info.column_width = 0; });
  with("*column_width*", [](auto& info) { info.column_width = 17; });
  with("*max_value must be 0 to 65535*", [](auto& info) { info.max_value = 65536; });
  with("*min_value*", [](auto& info) { info.min_value = G_MAXUINT; });
  with("*merge_cost*", [](auto& info) { info.merge_cost = -1; });
  with("*merge_cost*", [](auto& info) { info.merge_cost = INFINITY; });
  with("*max_gap*", [](auto& info) { info.max_gap = 16385; });
  with("*ground_slope*", [](auto& info) { info.ground_slope = -1; });
  with("*ground_slope*", [](auto& info) { info.ground_slope = INFINITY; });
  with("*far_value*", [](auto& info) { info.far_value = NAN; });
  const guint32 wrong = 2;
  with("*domain*", [&](auto& info) { std::memcpy(&info.domain, &wrong, sizeof wrong); });
  with("*median*", [&](auto& info) { std::memcpy(&info.median, &wrong, sizeof wrong); });
  with("*fit must be squares (0) or absolute (1)*",
       [&](auto& info) { std::memcpy(&info.fit, &wrong, sizeof wrong); });

  refuse(good, {{{4, 3, 1, 1}}, {}, {}}, "*ends above*");
  refuse(good, {{{0, 10, 1, 1}}, {}, {}}, "*below the frame*");
  refuse(good, {{}, {{0, 4, 1, 1}, {3, 9, 1, 1}}, {}}, "*overlap*");
  refuse(good, {{{0, 1, NAN, 1}}, {}, {}}, "*finite*");
  refuse(good, {{{0, 1, 1, -INFINITY}}, {}, {}}, "*finite*");
  refuse(good, {std::vector<GstRdpSegment>(11, {5, 5, 1, 1}), {}, {}}, "*more segments than rows*");

  const GstRdpSegment segment{0, 1, 1, 1};
  const auto refuse_offsets = [&](const std::vector<guint32>& offsets, const char* reason) {
    expect_critical(reason, [&] {
      fail_unless(gst_rdp_segmentation_new(&good, offsets.data(), offsets.size(), &segment, 1) ==
                  nullptr);
    });
  };
  refuse_offsets({0, 1, 1}, "*rounded up*");
  refuse_offsets({0, 0, 0, 0}, "*last offset*");
  refuse_offsets({1, 1, 1, 1}, "*first offset*");
  refuse_offsets({0, 1, 0, 1}, "*smaller*");
  refuse_offsets({0, 4000000000U, 1, 1}, "*smaller*");
}

CHECK_TEST(test_bytes_are_the_memory) {
  GstRdpSegmentation* self = new_three_columns();
  gsize n = 0;
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(self, &n);
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(self, &n);

  g_autoptr(GBytes) segment_bytes = gst_rdp_segmentation_get_segments(self);
  g_autoptr(GBytes) offset_bytes = gst_rdp_segmentation_get_offsets(self);
  ASSERT_MINI_OBJECT_REFCOUNT(self, "segmentation", 3);
  gst_rdp_segmentation_unref(self);
  gsize size = 0;
  fail_unless(g_bytes_get_data(segment_bytes, &size) == segments);
  fail_unless_equals_int(size, 36);
  fail_unless(g_bytes_get_data(offset_bytes, &size) == offsets);
  fail_unless_equals_int(size, 16);
  fail_unless_equals_int(segments[2].first_row, 3);
}

CHECK_TEST(test_immutable) {
  GstRdpSegmentation* self = new_three_columns();
  GstMiniObject* copy = gst_mini_object_copy(GST_MINI_OBJECT_CAST(self));
  fail_unless(copy == GST_MINI_OBJECT_CAST(self));
  ASSERT_MINI_OBJECT_REFCOUNT(self, "segmentation", 2);

  gst_mini_object_unref(copy);

  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_RDP_SEGMENTATION);
  g_value_take_boxed(&value, self);
  fail_unless(g_value_get_boxed(&value) == self);
  g_value_unset(&value);
}

// A road of half a step a row under a wall and the sky, in both columns.
CHECK_TEST(test_classes) {
  GstRdpSegmentationInfo info = info_of(2, 100);
  info.sample_scale = 0.5;
  const Columns columns(2,
                        {{0, 20, 1, 1}, {21, 50, 40, 40}, {51, 60, 90, 70}, {61, 99, 30.5, 49.5}});
  GstRdpSegmentation* self = new_segmentation(info, columns);
  gsize n = 99;
  gdouble slope = 9;
  gdouble horizon = 9;
  fail_unless(gst_rdp_segmentation_peek_classes(self, &n) == nullptr);
  fail_unless_equals_int(n, 0);
  fail_unless(gst_rdp_segmentation_get_classes(self) == nullptr);
  fail_if(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  fail_unless(slope == 0 && horizon == 0);
  gst_rdp_segmentation_unref(self);

  info.classify = TRUE;
  self = new_segmentation(info, columns);
  fail_unless(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  fail_unless(std::abs(slope - 0.25) < 0.0005, "%f", slope);  // in the unit of epsilon
  fail_unless(std::abs(horizon) <= 1.0, "%f", horizon);
  fail_unless(gst_rdp_segmentation_get_ground(self, nullptr, nullptr));
  const guint8* classes = gst_rdp_segmentation_peek_classes(self, &n);
  const std::vector<guint8> expected{GST_RDP_SEGMENT_CLASS_FAR,   GST_RDP_SEGMENT_CLASS_UPRIGHT,
                                     GST_RDP_SEGMENT_CLASS_OTHER, GST_RDP_SEGMENT_CLASS_GROUND,
                                     GST_RDP_SEGMENT_CLASS_FAR,   GST_RDP_SEGMENT_CLASS_UPRIGHT,
                                     GST_RDP_SEGMENT_CLASS_OTHER, GST_RDP_SEGMENT_CLASS_GROUND};
  fail_unless(std::vector<guint8>(classes, classes + n) == expected);
  // The bytes share the memory and outlive the segmentation.
  GBytes* bytes = gst_rdp_segmentation_get_classes(self);
  fail_unless(g_bytes_get_data(bytes, &n) == classes);
  fail_unless_equals_int(n, 8);
  gst_rdp_segmentation_unref(self);
  fail_unless_equals_int(static_cast<const guint8*>(g_bytes_get_data(bytes, &n))[3],
                         GST_RDP_SEGMENT_CLASS_GROUND);
  g_bytes_unref(bytes);

  // Explicit settings: nothing is as steep as this ground, and nothing is far.
  info.ground_slope = 5;
  info.far_value = 0;
  self = new_segmentation(info, columns);
  fail_unless(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  fail_unless_equals_float(slope, 5);
  fail_unless(std::isinf(horizon));
  classes = gst_rdp_segmentation_peek_classes(self, &n);
  for (gsize i = 0; i < 8; ++i) fail_unless_equals_int(classes[i], GST_RDP_SEGMENT_CLASS_UPRIGHT);
  gst_rdp_segmentation_unref(self);

  // A plane seen by a rolled camera: 40 steps higher per column.
  info.width = 3;
  info.ground_slope = 0;
  info.far_value = -1;
  constexpr gint64 kStep = G_GINT64_CONSTANT(1) << 32;
  info.ground_offset = -10 * kStep;
  info.ground_per_column = 40 * kStep;
  info.ground_per_row = kStep / 2;
  // The same segment in all columns lies on the plane only in the middle one.
  self = new_segmentation(info, Columns(3, {{80, 80, 70, 70}}));
  fail_unless(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  fail_unless_equals_float(slope, 0.25);
  fail_unless_equals_float(horizon, -60);
  classes = gst_rdp_segmentation_peek_classes(self, &n);
  fail_unless_equals_int(n, 3);
  fail_unless_equals_int(classes[0], GST_RDP_SEGMENT_CLASS_OTHER);
  fail_unless_equals_int(classes[1], GST_RDP_SEGMENT_CLASS_GROUND);
  fail_unless_equals_int(classes[2], GST_RDP_SEGMENT_CLASS_OTHER);
  gst_rdp_segmentation_unref(self);

  // A frame without segments has an empty array of classes.
  info = info_of(3, 10);
  info.classify = TRUE;
  self = new_segmentation(info, Columns(3));
  fail_unless(gst_rdp_segmentation_peek_classes(self, &n) != nullptr);
  fail_unless_equals_int(n, 0);
  fail_if(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  gst_rdp_segmentation_unref(self);
}

CHECK_TEST(test_from_c) { fail_unless_equals_int(use_library_from_c(), 0); }

CHECK_CASE(segmentation)
