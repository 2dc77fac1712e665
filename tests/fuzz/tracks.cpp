// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks from untrusted bytes, and as JSON.
#include <gst/rdpsegment/rdptrackskind.h>

#include <cstring>

#include "tests/fuzz/kind_check.h"

using namespace rdp::fuzz;

static void check(GstRdpTracks* self) {
  const GstRdpTracksInfo& info = *gst_rdp_tracks_get_info(self);
  FUZZ_CHECK(info.width >= 1 && info.width <= 16384 && info.height >= 1 && info.height <= 16384,
             "a frame of %ux%u", info.width, info.height);
  JsonObject* line = line_of<rdp::meta::TracksKind>(self);
  FUZZ_CHECK((json_object_get_null_member(line, "template-pts") != FALSE) ==
                 (info.template_pts == GST_CLOCK_TIME_NONE),
             "a template?");
  gsize n = 0;
  const GstRdpTrack* tracks = gst_rdp_tracks_peek_tracks(self, &n);
  JsonArray* read = json_object_get_array_member(line, "tracks");
  FUZZ_CHECK(json_array_get_length(read) == n, "%u tracks", json_array_get_length(read));
  for (guint i = 0; i < n; ++i) {
    JsonArray* track = json_array_get_array_element(read, i);
    const GstRdpTrack& wanted = tracks[i];
    FUZZ_CHECK(wanted.residual >= 0 && wanted.quality >= 0, "a track that is not in order");
    FUZZ_CHECK(json_array_get_length(track) == 8 &&
                   json_array_get_int_element(track, 0) == wanted.id &&
                   json_array_get_int_element(track, 1) == wanted.age,
               "another track");
    guint at = 2;
    for (const float number :
         {wanted.x, wanted.y, wanted.dx, wanted.dy, wanted.residual, wanted.quality}) {
      check_float(track, at++, number);
    }
  }
  const GstRdpLostTrack* lost = gst_rdp_tracks_peek_lost(self, &n);
  read = json_object_get_array_member(line, "lost");
  FUZZ_CHECK(json_array_get_length(read) == n, "%u lost ones", json_array_get_length(read));
  for (guint i = 0; i < n; ++i) {
    JsonArray* one = json_array_get_array_element(read, i);
    FUZZ_CHECK(json_array_get_int_element(one, 0) == lost[i].id, "another lost track");
    FUZZ_CHECK(std::strcmp(json_array_get_string_element(one, 1), "unknown") != 0, "no reason");
    check_float(one, 2, lost[i].x);
    check_float(one, 3, lost[i].y);
  }
  gsize n_warps = 0;
  const GstRdpTrackWarp* warps = gst_rdp_tracks_peek_warps(self, &n_warps);
  FUZZ_CHECK((json_object_has_member(line, "warps") != FALSE) == (n_warps > 0), "warps?");
  if (n_warps == 0) return;
  read = json_object_get_array_member(line, "warps");
  gst_rdp_tracks_peek_tracks(self, &n);
  FUZZ_CHECK(json_array_get_length(read) == n_warps && n == n_warps, "not a warp for each track");
  for (gsize i = 0; i < n; ++i) {
    JsonArray* warp = json_array_get_array_element(read, static_cast<guint>(i));
    FUZZ_CHECK(warps[i].residual >= 0, "a warp that is not in order");
    guint at = 0;
    for (const float number : {warps[i].a, warps[i].b, warps[i].c, warps[i].d, warps[i].residual}) {
      check_float(warp, at++, number);
    }
    FUZZ_CHECK(json_array_get_int_element(warp, at) == warps[i].age, "another warp");
  }
}

extern "C" int LLVMFuzzerInitialize(int*, char***) { return start(); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  damage_read<rdp::meta::TracksKind>({data, size}, check, true);
  return 0;
}
