// SPDX-License-Identifier: LGPL-2.1-or-later
// The serialised form of segmentations.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/odd_bytes.h"
#include "tests/support/segmentation_fixture.h"

static std::vector<guint8> serialized(GstRdpSegmentation* self) {
  GBytes* bytes = gst_rdp_segmentation_to_bytes(self);
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  std::vector<guint8> result(data, data + size);
  g_bytes_unref(bytes);
  return result;
}

// What is written of bytes that were read: the same, except that no known range goes beyond
// samples.
static std::vector<guint8> clamped(std::vector<guint8> data) {
  for (const std::size_t at : {40, 44}) {
    if (GST_READ_UINT32_LE(data.data() + at) > 65535) GST_WRITE_UINT32_LE(data.data() + at, 65535);
  }
  return data;
}

// Reads `data`, which must give an object that is serialised as the same bytes, or an error. The
// bytes are given at an odd address, and as an allocation of their exact size.
static bool reads(const std::vector<guint8>& data, int* code = nullptr) {
  const rdp::test::OddBytes odd(data);
  GBytes* bytes = g_bytes_new_static(odd.data(), odd.size());
  GError* error = nullptr;
  GstRdpSegmentation* self = gst_rdp_segmentation_new_from_bytes(bytes, &error);
  g_bytes_unref(bytes);
  if (self == nullptr) {
    fail_unless(error != nullptr);
    fail_unless(error->domain == G_IO_ERROR);
    fail_unless(error->message[0] != '\0');
    if (code != nullptr) *code = error->code;
    g_error_free(error);
    return false;
  }
  fail_unless(error == nullptr);
  fail_unless(serialized(self) == clamped(data));
  gst_rdp_segmentation_unref(self);
  return true;
}

static GstRdpSegmentation* new_with_everything() {
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
  return new_segmentation(info,
                          {{{0, 1, 1.5F, 65535}, {2, 16383, 65535, 1e-30F}}, {}, {{7, 7, 3, 3}}});
}

CHECK_TEST(test_serialized_form) {
  // Written down here byte by byte: what is stored today must be readable for ever.
  GstRdpSegmentationInfo info = info_of(2, 3);
  info.frame = 0x0102030405060708;
  GstRdpSegmentation* self = new_segmentation(info, {{{1, 2, 1, 2}}, {}});
  const std::vector<guint8> expected{
      'R', 'D', 'P', 'S', 1,    0,    0,    0,                     // version
      8,   7,   6,   5,   4,    3,    2,    1,                     // frame
      2,   0,   0,   0,   3,    0,    0,    0,                     // width, height
      0,   0,   0,   0,   0,    0,    0x10, 0x40,                  // epsilon 4
      0,   0,   0,   0,   0,    0,    0xf0, 0x3f,                  // sample scale 1
      1,   0,   0,   0,   0xff, 0xff, 0,    0,                     // min, max
      0,   0,   0,   0,   0,    0,    0,    0,                     // domain, median
      0,   0,   0,   0,   0x80, 0x84, 0x2e, 0x41,                  // inverse scale 1e6
      1,   0,   0,   0,   2,    0,    0,    0,                     // column width, columns
      1,   0,   0,   0,   0,    0,    0,    0,                     // segments
      0,   0,   0,   0,   1,    0,    0,    0,    1, 0, 0, 0,      // offsets
      1,   0,   2,   0,   0,    0,    0x80, 0x3f, 0, 0, 0, 0x40};  // rows, values
  fail_unless(serialized(self) == expected);
  fail_unless(reads(expected));
  gst_rdp_segmentation_unref(self);

  // What is done after the split makes it version 2, whose header is longer.
  const auto expect_added = [&](auto change, std::vector<guint8> added, guint8 version = 2) {
    GstRdpSegmentationInfo changed = info;
    change(changed);
    g_autoptr(GstRdpSegmentation) refined = new_segmentation(changed, {{{1, 2, 1, 2}}, {}});
    std::vector<guint8> longer = expected;
    longer[4] = version;
    longer.insert(longer.begin() + 80, added.begin(), added.end());
    fail_unless(serialized(refined) == longer);
    fail_unless(reads(longer));
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
  std::vector<guint8> bounded(56);
  bounded[12] = 18;
  bounded[30] = 0xf0;
  bounded[31] = 0xbf;
  expect_added([](auto& i) { i.merge = i.merge_bounded = TRUE; }, bounded, 5);
}

// Earlier versions of the library wrote ranges that no sample can have: they stay readable.
CHECK_TEST(test_serialized_range) {
  GstRdpSegmentation* self = new_with_everything();
  std::vector<guint8> data = serialized(self);
  gst_rdp_segmentation_unref(self);
  GST_WRITE_UINT32_LE(data.data() + 40, 65536);
  GST_WRITE_UINT32_LE(data.data() + 44, G_MAXUINT32);
  GBytes* bytes = g_bytes_new_static(data.data(), data.size());
  self = gst_rdp_segmentation_new_from_bytes(bytes, nullptr);
  g_bytes_unref(bytes);
  fail_unless(self != nullptr);
  fail_unless_equals_int(gst_rdp_segmentation_get_info(self)->min_value, 65535);
  fail_unless_equals_int(gst_rdp_segmentation_get_info(self)->max_value, 65535);
  gst_rdp_segmentation_unref(self);
}

CHECK_TEST(test_serialized_round_trip) {
  g_autoptr(GstRdpSegmentation) self = new_with_everything();
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_to_bytes(self);
  GError* error = nullptr;
  g_autoptr(GstRdpSegmentation) other = gst_rdp_segmentation_new_from_bytes(bytes, &error);
  g_assert_no_error(error);
  fail_if(other == self);
  const GstRdpSegmentationInfo* a = gst_rdp_segmentation_get_info(self);
  const GstRdpSegmentationInfo* b = gst_rdp_segmentation_get_info(other);
  fail_unless(std::memcmp(a, b, sizeof *a) == 0);
  g_autoptr(GBytes) a_segments = gst_rdp_segmentation_get_segments(self);
  g_autoptr(GBytes) b_segments = gst_rdp_segmentation_get_segments(other);
  fail_unless(g_bytes_equal(a_segments, b_segments));
}

CHECK_TEST(test_serialized_corrupt) {
  GstRdpSegmentation* self = new_with_everything();
  const std::vector<guint8> good = serialized(self);
  gst_rdp_segmentation_unref(self);
  fail_unless(reads(good));

  int code = -1;
  for (gsize size = 0; size < good.size(); ++size) {
    fail_if(reads({good.begin(), good.begin() + size}, &code), "%" G_GSIZE_FORMAT " bytes", size);
    fail_unless_equals_int(code, G_IO_ERROR_INVALID_DATA);
  }
  std::vector<guint8> longer = good;
  longer.push_back(0);
  fail_if(reads(longer));

  // Any one to four bits, anywhere.
  std::mt19937 random(1);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<guint8> data = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      data[random() % data.size()] ^= static_cast<guint8>(1U << random() % 8);
    }
    accepted += reads(data) ? 1 : 0;
  }
  // Values and parameters may be anything, sizes and rows may not.
  fail_unless(accepted > 1000 && accepted < 19000, "%d accepted", accepted);
}

CHECK_TEST(test_serialized_refused) {
  GstRdpSegmentation* self = new_three_columns();
  std::vector<guint8> good = serialized(self);
  gst_rdp_segmentation_unref(self);
  const auto refused = [&](gsize at, std::initializer_list<guint8> bytes, int expected) {
    std::vector<guint8> data = good;
    std::copy(bytes.begin(), bytes.end(), data.begin() + at);
    int code = -1;
    fail_if(reads(data, &code), "at %" G_GSIZE_FORMAT, at);
    fail_unless_equals_int(code, expected);
  };
  const int invalid = G_IO_ERROR_INVALID_DATA;
  refused(0, {'r'}, invalid);
  refused(4, {0}, G_IO_ERROR_NOT_SUPPORTED);
  refused(4, {6}, G_IO_ERROR_NOT_SUPPORTED);
  refused(4, {2}, invalid);  // the offsets are no header
  refused(4, {3}, invalid);
  refused(4, {4}, invalid);
  refused(4, {5}, invalid);
  refused(16, {0}, invalid);           // width
  refused(18, {1}, invalid);           // width 65539
  refused(20, {9}, invalid);           // height: a segment ends in row 9
  refused(30, {0xf8, 0x7f}, invalid);  // epsilon NaN
  refused(39, {0xbf}, invalid);        // sample scale -1
  refused(48, {2}, invalid);           // domain
  refused(52, {4}, invalid);           // median
  refused(64, {0}, invalid);           // column width
  refused(64, {2}, invalid);           // column width, not the columns
  refused(68, {4}, invalid);           // columns
  refused(71, {0xff}, invalid);        // columns
  refused(72, {4}, invalid);           // segments: more than the bytes hold
  refused(72, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, invalid);
  refused(76, {0x56, 0x55, 0x55, 0x55}, invalid);  // 12 * this wraps
  refused(80, {1}, invalid);                       // first offset
  refused(84, {3}, invalid);                       // offsets fall
  refused(84, {0xff, 0xff, 0xff, 0xff}, invalid);
  refused(92, {2}, invalid);            // last offset
  refused(96, {5}, invalid);            // first row after last row
  refused(98, {5}, invalid);            // overlap with the next
  refused(111, {0xff}, invalid);        // last row 65289
  refused(102, {0x80, 0x7f}, invalid);  // value infinity

  // Longer headers.
  GstRdpSegmentationInfo info = info_of(1, 9);
  info.classify = TRUE;
  info.ground_per_row = 256;
  self = new_segmentation(info, {{{1, 2, 1, 2}}});
  good = serialized(self);
  gst_rdp_segmentation_unref(self);
  fail_unless(reads(good));
  refused(119, {0x05}, invalid);  // the plane's offset beyond 2^58
  refused(126, {0x11}, invalid);  // 2^44 and more a column
  refused(134, {0x11}, invalid);  // a row
  refused(135, {0x80}, invalid);  // below 0
  self = new_with_everything();
  good = serialized(self);
  gst_rdp_segmentation_unref(self);
  refused(86, {0xf8, 0x7f}, invalid);   // merge cost NaN
  refused(88, {1, 0x40}, invalid);      // max gap 16385
  refused(92, {31}, invalid);           // a flag that nobody knows
  refused(95, {0x80}, invalid);         // another
  refused(103, {0xbf}, invalid);        // ground slope -0.25
  refused(102, {0xf8, 0x7f}, invalid);  // NaN
  refused(110, {0xf0, 0x7f}, invalid);  // far value infinite
  good.erase(good.begin() + 96, good.begin() + 112);
  good[4] = 2;
  refused(92, {15}, invalid);  // version 2 knows no classes
  good[92] = 11;
  fail_unless(reads(good));
}

CHECK_CASE(segmentation_bytes)
