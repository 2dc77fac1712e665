// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks as objects and as bytes: what they hold, what is refused, whose their arrays are, what is
// lost; and on buffers. What metadata does there all kinds have in common, and segmentmeta tests
// it.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdptrackskind.h>
#include <gst/video/video.h>

#include "tests/library/kind_on_buffer.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"
#include "tests/support/tracks_fixture.h"

static void expect_same(GstRdpTracks* self, const TracksContent& content) {
  fail_unless(std::memcmp(gst_rdp_tracks_get_info(self), &content.info, sizeof content.info) == 0);
  gsize n = 0;
  const GstRdpTrack* tracks = gst_rdp_tracks_peek_tracks(self, &n);
  fail_unless_equals_int(n, content.tracks.size());
  if (n > 0) fail_unless(std::memcmp(tracks, content.tracks.data(), n * sizeof *tracks) == 0);
  const GstRdpLostTrack* lost = gst_rdp_tracks_peek_lost(self, &n);
  fail_unless_equals_int(n, content.lost.size());
  if (n > 0) fail_unless(std::memcmp(lost, content.lost.data(), n * sizeof *lost) == 0);
}

CHECK_TEST(test_content) {
  const TracksContent content = two_tracks();
  g_autoptr(GstRdpTracks) self = new_tracks(content);
  fail_unless(GST_IS_RDP_TRACKS(self));
  expect_same(self, content);
  gsize n = 0;
  fail_if(gst_rdp_tracks_peek_tracks(self, &n) == content.tracks.data(), "not a copy");
  fail_unless(gst_rdp_tracks_fetch(self, nullptr));
}

CHECK_TEST(test_nothing_found) {
  TracksContent content = two_tracks();
  content.tracks.clear();
  content.lost.clear();
  g_autoptr(GstRdpTracks) self = new_tracks(content);
  expect_same(self, content);
  fail_unless(gst_rdp_tracks_fetch(self, nullptr));
  g_autoptr(GBytes) lost = gst_rdp_tracks_get_lost(self);
  fail_unless_equals_int(g_bytes_get_size(lost), 0);
}

// Bytes are the object's own memory, and keep it.
CHECK_TEST(test_arrays_as_bytes) {
  GstRdpTracks* self = new_tracks(two_tracks());
  gsize n = 0;
  const void* tracks = gst_rdp_tracks_peek_tracks(self, &n);
  const void* lost = gst_rdp_tracks_peek_lost(self, &n);
  g_autoptr(GBytes) tracks_bytes = gst_rdp_tracks_get_tracks(self);
  g_autoptr(GBytes) lost_bytes = gst_rdp_tracks_get_lost(self);
  ASSERT_MINI_OBJECT_REFCOUNT(self, "tracks", 3);
  gst_rdp_tracks_unref(self);
  gsize size = 0;
  fail_unless(g_bytes_get_data(tracks_bytes, &size) == tracks);
  fail_unless_equals_int(size, 64);
  fail_unless(g_bytes_get_data(lost_bytes, &size) == lost);
  fail_unless_equals_int(size, 32);
}

CHECK_TEST(test_words) {
  const char* const words[] = {"unknown", "texture", "outside", "residual",
                               "check",   "crowded", "unknown"};
  for (int i = 0; i < 7; ++i) {
    fail_unless_equals_string(gst_rdp_lost_reason_get_name(static_cast<GstRdpLostReason>(i)),
                              words[i]);
  }
  TracksContent content = two_tracks();
  auto* track = static_cast<GstRdpTrack*>(g_boxed_copy(GST_TYPE_RDP_TRACK, &content.tracks[0]));
  fail_unless(std::memcmp(track, &content.tracks[0], sizeof *track) == 0);
  g_boxed_free(GST_TYPE_RDP_TRACK, track);
  auto* lost =
      static_cast<GstRdpLostTrack*>(g_boxed_copy(GST_TYPE_RDP_LOST_TRACK, &content.lost[1]));
  fail_unless(std::memcmp(lost, &content.lost[1], sizeof *lost) == 0);
  g_boxed_free(GST_TYPE_RDP_LOST_TRACK, lost);
}

template <typename Change>
static void refused(const char* pattern, Change change) {
  TracksContent content = two_tracks();
  change(content);
  expect_critical(pattern, [&] { fail_unless(new_tracks(content) == nullptr); });
}

CHECK_TEST(test_refused) {
  refused("*1 to 16384*", [](auto& c) { c.info.width = 0; });
  refused("*1 to 16384*", [](auto& c) { c.info.height = 16385; });
  refused("*residual*", [](auto& c) { c.tracks[1].residual = -1.0F; });
  refused("*quality*", [](auto& c) { c.tracks[0].quality = std::nanf(""); });
  refused("*reason*", [](auto& c) { c.lost[0].reason = 0; });
  refused("*reason*", [](auto& c) { c.lost[1].reason = 6; });
  // Points may be anywhere: whoever tracks them says that they are lost.
  TracksContent content = two_tracks();
  content.tracks[1].x = std::nanf("");
  content.tracks[1].dy = -std::numeric_limits<float>::infinity();
  content.lost[0].y = -3.0F;
  g_autoptr(GstRdpTracks) self = new_tracks(content);
  expect_same(self, content);
}

static GstRdpTracks* read(const std::vector<guint8>& data, GError** error) {
  g_autoptr(GBytes) bytes = g_bytes_new_static(data.data(), data.size());
  return gst_rdp_tracks_new_from_bytes(bytes, error);
}

static std::vector<guint8> written(GstRdpTracks* self) {
  g_autoptr(GBytes) bytes = gst_rdp_tracks_to_bytes(self);
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  return {data, data + size};
}

CHECK_TEST(test_form) {
  TracksContent content = two_tracks();
  for (const guint64 template_pts : {content.info.template_pts, GST_CLOCK_TIME_NONE}) {
    content.info.template_pts = template_pts;
    g_autoptr(GstRdpTracks) self = new_tracks(content);
    const std::vector<guint8> bytes = written(self);
    fail_unless_equals_int(bytes.size(), 40 + 2 * 32 + 2 * 16);
    fail_unless(std::memcmp(bytes.data(), "RDPT\1\0\0\0\7\0\0\0\0\0\0\0\10\0\0\0\6\0\0\0", 24) ==
                0);
    fail_unless(std::memcmp(bytes.data() + 32, "\2\0\0\0\2\0\0\0\3\0\0\0", 12) == 0);
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpTracks) again = read(bytes, &error);
    g_assert_no_error(error);
    expect_same(again, content);
    std::vector<guint8> damaged = bytes;
    damaged[36] = 3;  // one lost track more than there are bytes of
    fail_unless(read(damaged, &error) == nullptr);
    fail_unless(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA));
    fail_unless(std::strstr(error->message, "expected 152 bytes, got 136") != nullptr);
  }
}

// Arrays that an owner fetches, and those that it has lost.
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
  const GstRdpTracksArrays announced = {nullptr, 2, nullptr, 2};
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
      expect_same(self, content);
      continue;
    }
    fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
    fail_unless_equals_string(error->message, "the tracks of frame 7 are lost: the wire is cut");
    fail_unless(gst_rdp_tracks_to_bytes(self) == nullptr);
  }
}

CHECK_TEST(test_on_buffer) {
  g_autoptr(GstRdpTracks) tracks = new_tracks(two_tracks());
  rdp::test::KindOnBuffer<GstRdpTracks, GstRdpTracksMeta>{
      "GstRdpTracksMeta",
      gst_rdp_buffer_get_tracks,
      gst_rdp_buffer_get_batch_tracks,
      gst_buffer_add_rdp_tracks_meta,
      [](GstBuffer* buffer) -> const GstRdpTracksMeta* {
        return gst_buffer_get_rdp_tracks_meta(buffer);
      },
      gst_rdp_tracks_meta_get_placement}
      .check(tracks);
}

CHECK_CASE(tracks)
