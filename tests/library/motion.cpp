// SPDX-License-Identifier: LGPL-2.1-or-later
// Motion as objects and as bytes: what they hold, what is refused, whose their arrays are; and on
// buffers. What metadata does there all kinds have in common, and segmentmeta tests it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "gst/metadata/motion_pool.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/library/kind_on_buffer.h"
#include "tests/support/check_test.h"
#include "tests/support/motion_fixture.h"
#include "tests/support/segmentation_fixture.h"

static constexpr gfloat kNone = kUnknownMotion;
static constexpr gfloat kInfinity = std::numeric_limits<gfloat>::infinity();

// To the bit: NaN stays the NaN that it was.
static void expect_same(GstRdpMotion* self, const MotionContent& content) {
  fail_unless(std::memcmp(gst_rdp_motion_get_info(self), &content.info, sizeof content.info) == 0);
  gsize n = 0;
  const GstRdpSegmentMotion* segments = gst_rdp_motion_peek_segments(self, &n);
  fail_unless_equals_int(n, content.segments.size());
  if (n > 0) fail_unless(std::memcmp(segments, content.segments.data(), n * sizeof *segments) == 0);
  const GstRdpTrackMotion* tracks = gst_rdp_motion_peek_tracks(self, &n);
  fail_unless_equals_int(n, content.tracks.size());
  if (n > 0) fail_unless(std::memcmp(tracks, content.tracks.data(), n * sizeof *tracks) == 0);
}

// Nothing known of nothing.
static MotionContent nothing() {
  MotionContent content;
  gst_rdp_motion_info_init(&content.info);
  content.info.width = content.info.height = 1;
  return content;
}

CHECK_TEST(test_content) {
  const MotionContent content = two_of_three();
  g_autoptr(GstRdpMotion) self = new_motion(content);
  fail_unless(GST_IS_RDP_MOTION(self));
  expect_same(self, content);
  gsize n = 0;
  fail_if(gst_rdp_motion_peek_segments(self, &n) == content.segments.data(), "not a copy");
  g_autoptr(GstRdpMotion) empty = new_motion(nothing());
  expect_same(empty, nothing());
  g_autoptr(GBytes) bytes = gst_rdp_motion_get_segments(empty);
  fail_unless_equals_int(g_bytes_get_size(bytes), 0);
}

// Bytes are the object's own memory, and keep it.
CHECK_TEST(test_arrays_as_bytes) {
  GstRdpMotion* self = new_motion(two_of_three());
  gsize n = 0;
  const void* segments = gst_rdp_motion_peek_segments(self, &n);
  const void* tracks = gst_rdp_motion_peek_tracks(self, &n);
  g_autoptr(GBytes) segments_bytes = gst_rdp_motion_get_segments(self);
  g_autoptr(GBytes) tracks_bytes = gst_rdp_motion_get_tracks(self);
  ASSERT_MINI_OBJECT_REFCOUNT(self, "motion", 3);
  gst_rdp_motion_unref(self);
  gsize size = 0;
  fail_unless(g_bytes_get_data(segments_bytes, &size) == segments);
  fail_unless_equals_int(size, 96);
  fail_unless(g_bytes_get_data(tracks_bytes, &size) == tracks);
  fail_unless_equals_int(size, 96);
}

template <typename Plain>
static void expect_boxed(GType type, const Plain& plain) {
  gpointer copy = g_boxed_copy(type, &plain);
  fail_unless(std::memcmp(copy, &plain, sizeof plain) == 0);
  g_boxed_free(type, copy);
}

CHECK_TEST(test_types) {
  const MotionContent content = two_of_three();
  expect_boxed(GST_TYPE_RDP_SEGMENT_MOTION, content.segments[0]);
  expect_boxed(GST_TYPE_RDP_TRACK_MOTION, content.tracks[1]);
  expect_boxed(GST_TYPE_RDP_MOTION_INFO, content.info);
  g_autofree gchar* words = g_flags_to_string(GST_TYPE_RDP_MOTION_FLAGS, 7);
  fail_unless_equals_string(words,
                            "GST_RDP_MOTION_MOVING | GST_RDP_MOTION_ABSOLUTE | "
                            "GST_RDP_MOTION_KNOWN");
}

template <typename Change>
static void refused(const char* pattern, Change change) {
  MotionContent content = two_of_three();
  change(content);
  expect_critical(pattern, [&] { fail_unless(new_motion(content) == nullptr); });
}

CHECK_TEST(test_info_refused) {
  refused("*1 to 16384*", [](auto& c) { c.info.width = 0; });
  refused("*1 to 16384*", [](auto& c) { c.info.height = 16385; });
  refused("*dt must be 0 or more*", [](auto& c) { c.info.dt = -0.1; });
  refused("*dt must be 0 or more*", [](auto& c) { c.info.dt = kInfinity; });
  refused("*dt must be 0 or more*", [](auto& c) { c.info.dt = std::nan(""); });
  refused("*number 11 of ego: expected a finite one, got inf",
          [](auto& c) { c.info.ego[11] = kInfinity; });
  refused("*number 0 of ego: *ego_known is false*0.8*", [](auto& c) { c.info.ego_known = FALSE; });
  refused("*at most 2 segments*got 3", [](auto& c) {
    c.info.width = 2;
    c.info.height = 1;
  });
}

CHECK_TEST(test_arrays_refused) {
  refused("*segment 0, flags: expected a sum of 1, 2 and 4, got 15",
          [](auto& c) { c.segments[0].flags = 15; });
  refused("*segment 1, flags: expected 4 among them*got 3",
          [](auto& c) { c.segments[1].flags = 3; });
  refused("*segment 0, vx, vy, vz, sigma: expected finite*got 10,inf,*the flags 7",
          [](auto& c) { c.segments[0].vy = kInfinity; });
  refused("*segment 0, vx, vy, vz, sigma: expected finite*nan,*the flags 7",
          [](auto& c) { c.segments[0].vz = kNone; });
  refused("*segment 0, vx*0 or more*-0.75*", [](auto& c) { c.segments[0].sigma = -0.75F; });
  refused("*segment 0, vx, vy, vz, sigma: expected NaN, got 10,*the flags 0",
          [](auto& c) { c.segments[0].flags = 0; });
  refused("*segment 1, vx*got nan,nan,nan,1*", [](auto& c) { c.segments[1].sigma = 1.0F; });
  refused("*segment 1, dx, dy, spread: *nan*", [](auto& c) { c.segments[1].dx = kNone; });
  refused("*segment 1, dx, dy, spread: *-inf*", [](auto& c) { c.segments[1].dy = -kInfinity; });
  refused("*segment 1, dx, dy, spread: *-1", [](auto& c) { c.segments[1].spread = -1.0F; });
  refused("*segment 0, flags: expected 0 without tracks, got 7",
          [](auto& c) { c.segments[0].tracks = 0; });
  refused("*segment 1, dx, dy, spread: expected NaN without tracks*",
          [](auto& c) { c.segments[1].tracks = 0; });
  refused("*track 0, x, y, z: *inf*", [](auto& c) { c.tracks[0].z = kInfinity; });
  refused("*track 0, x, y, z: *nan*", [](auto& c) { c.tracks[0].x = kNone; });
  refused("*track 0, vx, vy, vz, sigma: *-1", [](auto& c) { c.tracks[0].sigma = -1.0F; });
  refused("*track 1, vx*got 1,nan*", [](auto& c) { c.tracks[1].vx = 1.0F; });
  refused("*track 0, vx*NaN without x, y and z*",
          [](auto& c) { c.tracks[0].x = c.tracks[0].y = c.tracks[0].z = kNone; });
  // A place may be anywhere, and a segment have tracks of which nothing comes.
  MotionContent content = two_of_three();
  content.tracks[0].z = -20.0F;
  content.segments[1].dx = content.segments[1].dy = content.segments[1].spread = kNone;
  g_autoptr(GstRdpMotion) self = new_motion(content);
  expect_same(self, content);
}

static GstRdpMotion* read(const std::vector<guint8>& data, GError** error) {
  g_autoptr(GBytes) bytes = g_bytes_new_static(data.data(), data.size());
  return gst_rdp_motion_new_from_bytes(bytes, error);
}

static std::vector<guint8> written(GstRdpMotion* self) {
  g_autoptr(GBytes) bytes = gst_rdp_motion_to_bytes(self);
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  return {data, data + size};
}

CHECK_TEST(test_form) {
  const MotionContent content = two_of_three();
  g_autoptr(GstRdpMotion) self = new_motion(content);
  const std::vector<guint8> bytes = written(self);
  fail_unless_equals_int(bytes.size(), 140 + 3 * 32 + 3 * 32);
  fail_unless(std::memcmp(bytes.data(), "RDPM\1\0\0\0\7\0\0\0\0\0\0\0\3\0\0\0\12\0\0\0", 24) == 0);
  fail_unless(std::memcmp(bytes.data() + 24, &content.info.dt, 8) == 0);
  fail_unless(std::memcmp(bytes.data() + 32, "\3\0\0\0\3\0\0\0", 8) == 0);
  fail_unless(std::memcmp(bytes.data() + 40, content.info.ego, 96) == 0);
  fail_unless(std::memcmp(bytes.data() + 136, "\1\0\0\0\5\0\7\0", 8) == 0);
  for (const MotionContent& one : {content, nothing()}) {
    g_autoptr(GstRdpMotion) made = new_motion(one);
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpMotion) again = read(written(made), &error);
    g_assert_no_error(error);
    expect_same(again, one);
  }
}

static void refused_bytes(gsize at, std::vector<guint8> with, const char* pattern) {
  g_autoptr(GstRdpMotion) self = new_motion(two_of_three());
  std::vector<guint8> bytes = written(self);
  std::copy(with.begin(), with.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  g_autoptr(GError) error = nullptr;
  fail_unless(read(bytes, &error) == nullptr, "byte %zu", at);
  fail_unless(error->domain == G_IO_ERROR);
  fail_unless(g_pattern_match_simple(pattern, error->message), "%s", error->message);
}

CHECK_TEST(test_bytes_refused) {
  refused_bytes(0, {'r'}, "*expected RDPM and a header of 140*");
  refused_bytes(4, {2}, "*version 2*");
  refused_bytes(16, {0}, "*1 to 16384*");
  refused_bytes(30, {0xF0, 0x7F}, "*dt must be 0 or more*");
  refused_bytes(32, {4}, "*expected 364 bytes, got 332");
  refused_bytes(36, {2}, "*expected 300 bytes, got 332");
  refused_bytes(39, {255}, "*expected * bytes, got 332");
  refused_bytes(46, {0xF0, 0xFF}, "*number 0 of ego: expected a finite one, got *");
  refused_bytes(136, {3}, "*unknown flags*2");
  refused_bytes(136, {0}, "*number 0 of ego*ego_known*");
  refused_bytes(142, {9}, "*segment 0, flags*got 9");
  refused_bytes(140 + 96 + 30, {0x80, 0x7F}, "*track 0, vx*inf*");
}

// What an element makes it in goes back to where it came from.
CHECK_TEST(test_pool) {
  rdp::gst::MotionPool pool;
  const MotionContent content = two_of_three();
  const void* first = nullptr;
  for (int i = 0; i < 3; ++i) {
    rdp::gst::MotionDraft draft = pool.acquire();
    if (i != 1) draft->set(content.segments, content.tracks);
    g_autoptr(GstRdpMotion) self = draft.finish(content.info);
    if (first == nullptr) first = self;
    fail_unless(first == self);
    MotionContent expected = content;
    if (i == 1) expected.segments.clear(), expected.tracks.clear();
    expect_same(self, expected);
  }
}

CHECK_TEST(test_on_buffer) {
  g_autoptr(GstRdpMotion) motion = new_motion(two_of_three());
  rdp::test::KindOnBuffer<GstRdpMotion, GstRdpMotionMeta>{
      "GstRdpMotionMeta",
      gst_rdp_buffer_get_motion,
      gst_rdp_buffer_get_batch_motion,
      gst_buffer_add_rdp_motion_meta,
      [](GstBuffer* buffer) -> const GstRdpMotionMeta* {
        return gst_buffer_get_rdp_motion_meta(buffer);
      },
      gst_rdp_motion_meta_get_placement}
      .check(motion);
}

CHECK_CASE(motion)
