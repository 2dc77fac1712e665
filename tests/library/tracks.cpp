// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks: serialized form, refused contents, losses; kind_row.h tests the rest.
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdptrackskind.h>
#include <gst/video/video.h>

#include "tests/library/kind_row.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"
#include "tests/support/tracks_fixture.h"

static TracksContent nothing() {
  TracksContent content = two_tracks();
  content.tracks.clear();
  content.lost.clear();
  content.info.template_pts = GST_CLOCK_TIME_NONE;
  return content;
}

// Points may lie anywhere: only the tracker declares them lost.
static TracksContent anywhere() {
  TracksContent content = two_tracks();
  content.tracks[1].x = std::nanf("");
  content.tracks[1].dy = -std::numeric_limits<float>::infinity();
  content.lost[0].y = -3.0F;
  return content;
}

template <typename Use>
static void each_array(const TracksContent& c, Use use) {
  use(c.tracks, gst_rdp_tracks_peek_tracks, gst_rdp_tracks_get_tracks);
  use(c.lost, gst_rdp_tracks_peek_lost, gst_rdp_tracks_get_lost);
  use(c.warps, gst_rdp_tracks_peek_warps, gst_rdp_tracks_get_warps);
}

// A lost track whose patch no longer matched, in contents without warps.
static TracksContent patch_lost() {
  TracksContent content = two_tracks();
  content.lost[1].reason = GST_RDP_LOST_TEMPLATE;
  return content;
}

// Damage may turn a lost track's reason into one of version 2; then version 2 is written.
static rdp::test::Bytes as_written(rdp::test::Bytes data) {
  if (data[4] != 1 || (data[104 + 4] != 6 && data[120 + 4] != 6)) return data;
  data[4] = 2;
  data.insert(data.begin() + 40, 8, 0);
  return data;
}

using TracksRow = rdp::test::KindRow<rdp::meta::TracksKind, TracksContent>;

static const TracksRow kRow = {gst_rdp_tracks_get_type,
                               two_tracks(),
                               {nothing(), anywhere(), patch_lost(), warped_tracks()},
                               new_tracks,
                               gst_rdp_buffer_get_tracks,
                               gst_rdp_buffer_get_batch_tracks,
                               gst_buffer_add_rdp_tracks_meta,
                               gst_buffer_get_rdp_tracks_meta,
                               gst_buffer_get_rdp_tracks_meta_of_batch,
                               gst_rdp_tracks_meta_get_placement,
                               as_written};

static TracksRow warped_row() {
  TracksRow row = kRow;
  row.content = warped_tracks();
  row.as_written = nullptr;
  return row;
}

CHECK_TEST(test_tracks_as_all_kinds) { kRow.check(); }

CHECK_TEST(test_warps_as_all_kinds) { warped_row().check(); }

CHECK_TEST(test_words) {
  const char* const words[] = {"unknown", "texture", "outside",  "residual",
                               "check",   "crowded", "template", "unknown"};
  for (int i = 0; i < 8; ++i) {
    fail_unless_equals_string(gst_rdp_lost_reason_get_name(static_cast<GstRdpLostReason>(i)),
                              words[i]);
  }
  const TracksContent content = two_tracks();
  rdp::test::expect_boxed(GST_TYPE_RDP_TRACK, content.tracks[0]);
  rdp::test::expect_boxed(GST_TYPE_RDP_LOST_TRACK, content.lost[1]);
  rdp::test::expect_boxed(GST_TYPE_RDP_TRACK_WARP, warped_tracks().warps[0]);
}

CHECK_TEST(test_refused) {
  kRow.refused("*1 to 16384*", [](auto& c) { c.info.width = 0; });
  kRow.refused("*1 to 16384*", [](auto& c) { c.info.height = 16385; });
  kRow.refused("*residual*", [](auto& c) { c.tracks[1].residual = -1.0F; });
  kRow.refused("*quality*", [](auto& c) { c.tracks[0].quality = std::nanf(""); });
  kRow.refused("*reason*", [](auto& c) { c.lost[0].reason = 0; });
  kRow.refused("*reason*", [](auto& c) { c.lost[1].reason = 7; });
  const TracksRow row = warped_row();
  row.refused("*a warp for each track, or none*", [](auto& c) { c.warps.pop_back(); });
  row.refused("*a warp for each track, or none*", [](auto& c) { c.tracks.clear(); });
  row.refused("*a, b, c and d*", [](auto& c) { c.warps[1].c = std::nanf(""); });
  row.refused("*warp's residual*", [](auto& c) { c.warps[0].residual = -1.0F; });
}

CHECK_TEST(test_form) {
  const rdp::test::Bytes bytes = kRow.written();
  fail_unless_equals_int(bytes.size(), 40 + 2 * 32 + 2 * 16);
  fail_unless(std::memcmp(bytes.data(), "RDPT\1\0\0\0\7\0\0\0\0\0\0\0\10\0\0\0\6\0\0\0", 24) == 0);
  fail_unless(std::memcmp(bytes.data() + 32, "\2\0\0\0\2\0\0\0\3\0\0\0", 12) == 0);
  // One lost track more than the bytes hold.
  kRow.refused_bytes(36, {3}, "*expected 152 bytes, got 136*");
}

// Warps, or a reason that only warps have, need version 2; otherwise version 1 is written.
CHECK_TEST(test_form_of_warps) {
  const TracksRow row = warped_row();
  const rdp::test::Bytes bytes = row.written();
  fail_unless_equals_int(bytes.size(), 48 + 2 * 32 + 2 * 16 + 2 * 24);
  fail_unless(std::memcmp(bytes.data(), "RDPT\2\0\0\0", 8) == 0);
  fail_unless(std::memcmp(bytes.data() + 32, "\2\0\0\0\2\0\0\0\2\0\0\0\0\0\0\0\3", 17) == 0);
  row.refused_bytes(40, {1}, "*expected 168 bytes, got 192*");
  row.refused_bytes(44, {9}, "*expected 0 at byte 44, got 9*");
  rdp::test::Bytes of_lost = row.written(row.make(patch_lost()).get());
  fail_unless_equals_int(of_lost.size(), 48 + 2 * 32 + 2 * 16);
  fail_unless_equals_int(of_lost[4], 2);
  of_lost[48 + 64 + 16 + 4] = GST_RDP_LOST_CROWDED;
  fail_unless(row.written(row.read(of_lost).get()) == kRow.written());
}

// Arrays that an owner fetches or has lost.
static bool there = false;
static gboolean fetch(gpointer, gpointer arrays, const gchar** why) noexcept {
  static const TracksContent content = two_tracks();
  *why = "the wire is cut";
  auto* to = static_cast<GstRdpTracksArrays*>(arrays);
  to->tracks = content.tracks.data();
  to->lost = content.lost.data();
  return there ? TRUE : FALSE;
}

CHECK_TEST(test_elsewhere) {
  static constexpr GstRdpOwnerClass kOwner = {fetch, nullptr, nullptr};
  const TracksContent content = two_tracks();
  const GstRdpTracksArrays announced = {nullptr, 2, nullptr, 2, nullptr, 0};
  for (const bool lost : {false, true}) {
    there = !lost;
    GstRdpTracks* blank = gst_rdp_tracks_blank_new();
    gst_rdp_tracks_blank_fill(blank, &content.info, &announced, &kOwner, nullptr);
    g_autoptr(GstRdpTracks) self = blank;
    gsize n = 1;
    gst_rdp_tracks_peek_lost(self, &n);
    fail_unless_equals_int(n, lost ? 0 : 2);
    g_autoptr(GError) error = nullptr;
    fail_unless_equals_int(gst_rdp_tracks_fetch(self, &error), !lost);
    if (!lost) {
      gst_rdp_tracks_peek_tracks(self, &n);
      fail_unless_equals_int(n, 2);
      continue;
    }
    fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
    fail_unless_equals_string(error->message, "the tracks of frame 7 are lost: the wire is cut");
    fail_unless(gst_rdp_tracks_to_bytes(self) == nullptr);
  }
}

CHECK_CASE(tracks)
