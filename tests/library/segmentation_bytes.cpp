// SPDX-License-Identifier: LGPL-2.1-or-later
// The serialised form of segmentations, and the tests common to all kinds.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdpsegmentationkind.h>

#include "tests/library/kind_row.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

using rdp::test::Bytes;

struct SegmentationContent {
  GstRdpSegmentationInfo info;
  std::vector<guint32> offsets;
  std::vector<GstRdpSegment> segments;
};

template <typename Use>
static void each_array(const SegmentationContent& c, Use use) {
  use(c.offsets, gst_rdp_segmentation_peek_offsets, gst_rdp_segmentation_get_offsets);
  use(c.segments, gst_rdp_segmentation_peek_segments, gst_rdp_segmentation_get_segments);
}

// Clamps the known range to possible samples: earlier library versions wrote larger ones.
static Bytes clamped(Bytes data) {
  for (const std::size_t at : {40, 44}) {
    if (GST_READ_UINT32_LE(data.data() + at) > 65535) GST_WRITE_UINT32_LE(data.data() + at, 65535);
  }
  return data;
}

static SegmentationContent everything() {
  GstRdpSegmentationInfo info = info_of(5, 16384);
  info.frame = G_MAXUINT64 - 1;
  info.epsilon = 0.1;
  info.sample_scale = 1.0 / 256;
  info.min_value = 2;
  info.max_value = 60000;
  info.domain = GST_RDP_DOMAIN_INVERSE;
  info.inverse_scale = 1e5;
  info.median = GST_RDP_MEDIAN_5X5;
  info.column_width = 2;
  info.merge_cost = 0.3;
  info.max_gap = 7;
  info.refine = TRUE;
  info.merge = TRUE;
  info.fit = GST_RDP_FIT_ABSOLUTE;
  info.classify = TRUE;
  info.ground_slope = 0.25;
  info.far_value = 3;
  return {info, {0, 2, 2, 3}, {{0, 1, 1.5F, 65535}, {2, 16383, 65535, 1e-30F}, {7, 7, 3, 3}}};
}

static SegmentationContent three() {
  return {info_of(3, 10), {0, 2, 2, 3}, {{0, 4, 10, 20}, {4, 9, 20, 7}, {3, 3, 65535, 65535}}};
}

static const rdp::test::KindRow<rdp::meta::SegmentationKind, SegmentationContent> kRow = {
    gst_rdp_segmentation_get_type,
    everything(),
    {three()},
    [](const SegmentationContent& c) {
      return gst_rdp_segmentation_new(&c.info, c.offsets.data(), c.offsets.size(),
                                      c.segments.data(), c.segments.size());
    },
    gst_rdp_buffer_get_segmentation,
    gst_rdp_buffer_get_batch_segmentation,
    gst_buffer_add_rdp_segment_meta,
    gst_buffer_get_rdp_segment_meta,
    gst_buffer_get_rdp_segment_meta_of_batch,
    gst_rdp_segment_meta_get_placement,
    clamped};

CHECK_TEST(test_segmentation_as_all_kinds) { kRow.check(); }

static Bytes serialized(GstRdpSegmentation* self) { return kRow.written(self); }

CHECK_TEST(test_serialized_form) {
  // The format byte by byte: data stored today must stay readable forever.
  GstRdpSegmentationInfo info = info_of(2, 3);
  info.frame = 0x0102030405060708;
  GstRdpSegmentation* self = new_segmentation(info, {{{1, 2, 1, 2}}, {}});
  const Bytes expected{'R', 'D', 'P', 'S', 1,    0,    0,    0,     // version
                       8,   7,   6,   5,   4,    3,    2,    1,     // frame
                       2,   0,   0,   0,   3,    0,    0,    0,     // width, height
                       0,   0,   0,   0,   0,    0,    0x10, 0x40,  // epsilon 4
                       0,   0,   0,   0,   0,    0,    0xf0, 0x3f,  // sample scale 1
                       1,   0,   0,   0,   0xff, 0xff, 0,    0,     // min, max
                       0,   0,   0,   0,   0,    0,    0,    0,     // domain, median
                       0,   0,   0,   0,   0x80, 0x84, 0x2e, 0x41,  // inverse scale 1e6
                       1,   0,   0,   0,   2,    0,    0,    0,     // column width, columns
                       1,   0,   0,   0,   0,    0,    0,    0,     // segments
                       0,   0,   0,   0,   1,    0,    0,    0,    1, 0, 0, 0,      // offsets
                       1,   0,   2,   0,   0,    0,    0x80, 0x3f, 0, 0, 0, 0x40};  // rows, values
  fail_unless(serialized(self) == expected);
  fail_unless(kRow.read(expected) != nullptr);
  gst_rdp_segmentation_unref(self);

  // Steps after the split make it version 2, with a longer header.
  const auto expect_added = [&](auto change, Bytes added, guint8 version = 2) {
    GstRdpSegmentationInfo changed = info;
    change(changed);
    g_autoptr(GstRdpSegmentation) refined = new_segmentation(changed, {{{1, 2, 1, 2}}, {}});
    Bytes longer = expected;
    longer[4] = version;
    longer.insert(longer.begin() + 80, added.begin(), added.end());
    fail_unless(serialized(refined) == longer);
    fail_unless(kRow.read(longer) != nullptr);
  };
  expect_added([](auto& i) { i.merge_cost = 4; },
               {0, 0, 0, 0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 0, 0, 0});
  expect_added([](auto& i) { i.max_gap = 258; }, {0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0});
  expect_added([](auto& i) { i.refine = TRUE; }, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  expect_added([](auto& i) { i.merge = TRUE; }, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0});
  expect_added([](auto& i) { i.fit = GST_RDP_FIT_ABSOLUTE; },
               {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0});
  // Classes make it version 3, longer once more.
  expect_added([](auto& i) { i.classify = TRUE; },
               {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0,    0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0xbf},
               3);
  expect_added(
      [](auto& i) {
        i.ground_slope = 4;
        i.far_value = 1;
        i.refine = TRUE;
        i.fit = GST_RDP_FIT_ABSOLUTE;
      },
      {0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0, 9, 0, 0,    0,
       0, 0, 0, 0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f},
      3);
  // A ground plane makes it version 4.
  expect_added(
      [](auto& i) {
        i.classify = TRUE;
        i.ground_offset = -2;
        i.ground_per_column = 0x102;
        i.ground_per_row = G_GINT64_CONSTANT(1) << 44;
      },
      {0,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0,    4,    0,    0,    0,    0,    0,    0,
       0,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0xbf, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff,
       0xff, 0xff, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0,    0,    0,    0,    0x10, 0,    0},
      4);
  // A bounded merge makes it version 5, as long as version 4.
  Bytes bounded(56);
  bounded[12] = 18;
  bounded[30] = 0xf0;
  bounded[31] = 0xbf;
  expect_added([](auto& i) { i.merge = i.merge_bounded = TRUE; }, bounded, 5);
}

// Earlier library versions wrote ranges beyond all samples: they stay readable.
CHECK_TEST(test_serialized_range) {
  Bytes data = kRow.written();
  GST_WRITE_UINT32_LE(data.data() + 40, 65536);
  GST_WRITE_UINT32_LE(data.data() + 44, G_MAXUINT32);
  const auto self = kRow.read(data);
  fail_unless(self != nullptr);
  fail_unless_equals_int(gst_rdp_segmentation_get_info(self.get())->min_value, 65535);
  fail_unless_equals_int(gst_rdp_segmentation_get_info(self.get())->max_value, 65535);
}

CHECK_TEST(test_serialized_refused) {
  Bytes good = kRow.written(kRow.make(three()).get());
  const auto refused = [&](gsize at, const Bytes& bytes, const char* text = "*") {
    kRow.refused_bytes(good, at, bytes, text);
  };
  kRow.refused_bytes(good, 4, {6}, "*version 6*", G_IO_ERROR_NOT_SUPPORTED);
  for (const guint8 version : {2, 3, 4, 5}) refused(4, {version});  // the offsets are no header
  refused(16, {0});                                                 // width
  refused(18, {1});                                                 // width 65539
  refused(20, {9});           // height: a segment ends in row 9
  refused(30, {0xf8, 0x7f});  // epsilon NaN
  refused(39, {0xbf});        // sample scale -1
  refused(48, {2});           // domain
  refused(52, {4});           // median
  refused(64, {0});           // column width
  refused(64, {2});           // column width, not the columns
  refused(68, {4});           // columns
  refused(71, {0xff});        // columns
  refused(72, {4});           // segments: more than the bytes hold
  refused(72, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
  refused(76, {0x56, 0x55, 0x55, 0x55});  // 12 * this wraps
  refused(80, {1});                       // first offset
  refused(84, {3});                       // offsets fall
  refused(84, {0xff, 0xff, 0xff, 0xff});
  refused(92, {2});            // last offset
  refused(96, {5});            // first row after last row
  refused(98, {5});            // overlap with the next
  refused(111, {0xff});        // last row 65289
  refused(102, {0x80, 0x7f});  // value infinity

  // Longer headers.
  GstRdpSegmentationInfo info = info_of(1, 9);
  info.classify = TRUE;
  info.ground_per_row = 256;
  good = kRow.written(kRow.make({info, {0, 1}, {{1, 2, 1, 2}}}).get());
  fail_unless(kRow.read(good) != nullptr);
  refused(119, {0x05});  // the plane's offset beyond 2^58
  refused(126, {0x11});  // 2^44 and more a column
  refused(134, {0x11});  // a row
  refused(135, {0x80});  // below 0
  good = kRow.written();
  refused(86, {0xf8, 0x7f});   // merge cost NaN
  refused(88, {1, 0x40});      // max gap 16385
  refused(92, {31});           // an unknown flag
  refused(95, {0x80});         // another
  refused(103, {0xbf});        // ground slope -0.25
  refused(102, {0xf8, 0x7f});  // NaN
  refused(110, {0xf0, 0x7f});  // far value infinite
  good.erase(good.begin() + 96, good.begin() + 112);
  good[4] = 2;
  refused(92, {15});  // version 2 knows no classes
  good[92] = 11;
  fail_unless(kRow.read(good) != nullptr);
}

CHECK_CASE(segmentation_bytes)
