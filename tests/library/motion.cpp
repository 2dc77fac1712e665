// SPDX-License-Identifier: LGPL-2.1-or-later
// Motion: contents, serialized form, refused contents; kind_row.h tests the rest.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gst/metadata/motion_pool.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/library/kind_row.h"
#include "tests/support/check_test.h"
#include "tests/support/motion_fixture.h"
#include "tests/support/segmentation_fixture.h"

static constexpr gfloat kNone = kUnknownMotion;
static constexpr gfloat kInfinity = std::numeric_limits<gfloat>::infinity();

// Empty motion.
static MotionContent nothing() {
  MotionContent content;
  gst_rdp_motion_info_init(&content.info);
  content.info.width = content.info.height = 1;
  return content;
}

// A place may be anywhere, and a segment have tracks of which nothing comes.
static MotionContent anywhere() {
  MotionContent content = two_of_three();
  content.tracks[0].z = -20.0F;
  content.segments[1].dx = content.segments[1].dy = content.segments[1].spread = kNone;
  return content;
}

template <typename Use>
static void each_array(const MotionContent& c, Use use) {
  use(c.segments, gst_rdp_motion_peek_segments, gst_rdp_motion_get_segments);
  use(c.tracks, gst_rdp_motion_peek_tracks, gst_rdp_motion_get_tracks);
}

static const rdp::test::KindRow<rdp::meta::MotionKind, MotionContent> kRow = {
    gst_rdp_motion_get_type,
    two_of_three(),
    {nothing(), anywhere()},
    new_motion,
    gst_rdp_buffer_get_motion,
    gst_rdp_buffer_get_batch_motion,
    gst_buffer_add_rdp_motion_meta,
    gst_buffer_get_rdp_motion_meta,
    gst_buffer_get_rdp_motion_meta_of_batch,
    gst_rdp_motion_meta_get_placement};

CHECK_TEST(test_motion_as_all_kinds) { kRow.check(); }

CHECK_TEST(test_types) {
  const MotionContent content = two_of_three();
  rdp::test::expect_boxed(GST_TYPE_RDP_SEGMENT_MOTION, content.segments[0]);
  rdp::test::expect_boxed(GST_TYPE_RDP_TRACK_MOTION, content.tracks[1]);
  rdp::test::expect_boxed(GST_TYPE_RDP_MOTION_INFO, content.info);
  g_autofree gchar* words = g_flags_to_string(GST_TYPE_RDP_MOTION_FLAGS, 7);
  fail_unless_equals_string(words,
                            "GST_RDP_MOTION_MOVING | GST_RDP_MOTION_ABSOLUTE | "
                            "GST_RDP_MOTION_KNOWN");
}

CHECK_TEST(test_info_refused) {
  kRow.refused("*1 to 16384*", [](auto& c) { c.info.width = 0; });
  kRow.refused("*1 to 16384*", [](auto& c) { c.info.height = 16385; });
  kRow.refused("*dt must be 0 or more*", [](auto& c) { c.info.dt = -0.1; });
  kRow.refused("*dt must be 0 or more*", [](auto& c) { c.info.dt = kInfinity; });
  kRow.refused("*dt must be 0 or more*", [](auto& c) { c.info.dt = std::nan(""); });
  kRow.refused("*number 11 of ego: expected a finite one, got inf",
               [](auto& c) { c.info.ego[11] = kInfinity; });
  kRow.refused("*number 0 of ego: *ego_known is false*0.8*",
               [](auto& c) { c.info.ego_known = FALSE; });
  kRow.refused("*at most 2 segments*got 3", [](auto& c) {
    c.info.width = 2;
    c.info.height = 1;
  });
}

CHECK_TEST(test_arrays_refused) {
  kRow.refused("*segment 0, flags: expected a sum of 1, 2 and 4, got 15",
               [](auto& c) { c.segments[0].flags = 15; });
  kRow.refused("*segment 1, flags: expected 4 among them*got 3",
               [](auto& c) { c.segments[1].flags = 3; });
  kRow.refused("*segment 0, vx, vy, vz, sigma: expected finite*got 10,inf,*the flags 7",
               [](auto& c) { c.segments[0].vy = kInfinity; });
  kRow.refused("*segment 0, vx, vy, vz, sigma: expected finite*nan,*the flags 7",
               [](auto& c) { c.segments[0].vz = kNone; });
  kRow.refused("*segment 0, vx*0 or more*-0.75*", [](auto& c) { c.segments[0].sigma = -0.75F; });
  kRow.refused("*segment 0, vx, vy, vz, sigma: expected NaN, got 10,*the flags 0",
               [](auto& c) { c.segments[0].flags = 0; });
  kRow.refused("*segment 1, vx*got nan,nan,nan,1*", [](auto& c) { c.segments[1].sigma = 1.0F; });
  kRow.refused("*segment 1, dx, dy, spread: *nan*", [](auto& c) { c.segments[1].dx = kNone; });
  kRow.refused("*segment 1, dx, dy, spread: *-inf*",
               [](auto& c) { c.segments[1].dy = -kInfinity; });
  kRow.refused("*segment 1, dx, dy, spread: *-1", [](auto& c) { c.segments[1].spread = -1.0F; });
  kRow.refused("*segment 0, flags: expected 0 without tracks, got 7",
               [](auto& c) { c.segments[0].tracks = 0; });
  kRow.refused("*segment 1, dx, dy, spread: expected NaN without tracks*",
               [](auto& c) { c.segments[1].tracks = 0; });
  kRow.refused("*track 0, x, y, z: *inf*", [](auto& c) { c.tracks[0].z = kInfinity; });
  kRow.refused("*track 0, x, y, z: *nan*", [](auto& c) { c.tracks[0].x = kNone; });
  kRow.refused("*track 0, vx, vy, vz, sigma: *-1", [](auto& c) { c.tracks[0].sigma = -1.0F; });
  kRow.refused("*track 1, vx*got 1,nan*", [](auto& c) { c.tracks[1].vx = 1.0F; });
  kRow.refused("*track 0, vx*NaN without x, y and z*",
               [](auto& c) { c.tracks[0].x = c.tracks[0].y = c.tracks[0].z = kNone; });
}

CHECK_TEST(test_form) {
  const MotionContent content = two_of_three();
  const rdp::test::Bytes bytes = kRow.written();
  fail_unless_equals_int(bytes.size(), 140 + 3 * 32 + 3 * 32);
  fail_unless(std::memcmp(bytes.data(), "RDPM\1\0\0\0\7\0\0\0\0\0\0\0\3\0\0\0\12\0\0\0", 24) == 0);
  fail_unless(std::memcmp(bytes.data() + 24, &content.info.dt, 8) == 0);
  fail_unless(std::memcmp(bytes.data() + 32, "\3\0\0\0\3\0\0\0", 8) == 0);
  fail_unless(std::memcmp(bytes.data() + 40, content.info.ego, 96) == 0);
  fail_unless(std::memcmp(bytes.data() + 136, "\1\0\0\0\5\0\7\0", 8) == 0);
}

CHECK_TEST(test_bytes_refused) {
  kRow.refused_bytes(0, {'r'}, "*expected RDPM and a header of 140*");
  kRow.refused_bytes(16, {0}, "*1 to 16384*");
  kRow.refused_bytes(30, {0xF0, 0x7F}, "*dt must be 0 or more*");
  kRow.refused_bytes(32, {4}, "*expected 364 bytes, got 332");
  kRow.refused_bytes(36, {2}, "*expected 300 bytes, got 332");
  kRow.refused_bytes(39, {255}, "*expected * bytes, got 332");
  kRow.refused_bytes(46, {0xF0, 0xFF}, "*number 0 of ego: expected a finite one, got *");
  kRow.refused_bytes(136, {3}, "*unknown flags*2");
  kRow.refused_bytes(136, {0}, "*number 0 of ego*ego_known*");
  kRow.refused_bytes(142, {9}, "*segment 0, flags*got 9");
  kRow.refused_bytes(140 + 96 + 30, {0x80, 0x7F}, "*track 0, vx*inf*");
}

// The memory returns to the element's pool.
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
    kRow.expect_same(self, expected);
  }
}

CHECK_CASE(motion)
