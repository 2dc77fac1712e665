// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks in lines of JSON.
#include <gst/rdpsegment/rdptrackskind.h>

#include <span>

#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp {

using namespace json;

namespace {

using Track = GstRdpTrack;

char* print_track(char* out, const Track& track) {
  return print_members<&Track::id, &Track::age, &Track::x, &Track::y, &Track::dx, &Track::dy,
                       &Track::residual, &Track::quality>(out, track);
}

char* print_lost(char* out, const GstRdpLostTrack& lost) {
  out = print(print(print(out, "["), lost.id), ",\"");
  out = print(out, gst_rdp_lost_reason_get_name(static_cast<GstRdpLostReason>(lost.reason)));
  out = print(print(out, "\","), lost.x);
  return print(print(print(out, ","), lost.y), "]");
}

using Warp = GstRdpTrackWarp;

char* print_warp(char* out, const Warp& warp) {
  return print_members<&Warp::a, &Warp::b, &Warp::c, &Warp::d, &Warp::residual, &Warp::age>(out,
                                                                                            warp);
}

void write(JsonWriter& line, const ConvertedFrame&, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpTracks*>(object);
  const GstRdpTracksInfo& info = *gst_rdp_tracks_get_info(of);
  gsize n_tracks = 0;
  gsize n_lost = 0;
  gsize n_warps = 0;
  const Track* tracks = gst_rdp_tracks_peek_tracks(of, &n_tracks);
  const GstRdpLostTrack* lost = gst_rdp_tracks_peek_lost(of, &n_lost);
  const Warp* warps = gst_rdp_tracks_peek_warps(of, &n_warps);
  line.add_size("tracks", info.width, info.height);
  line.add_key("template-pts", info.template_pts, GST_CLOCK_TIME_IS_VALID(info.template_pts));
  line.add_list("tracks", std::span(tracks, n_tracks), print_track);
  line.add_list("lost", std::span(lost, n_lost), print_lost);
  if (n_warps > 0) line.add_list("warps", std::span(warps, n_warps), print_warp);
}

}  // namespace

const ConvertKind kTracksKind = convert_kind<meta::TracksKind>({
    .things = "tracks",
    .maker = "klttrack",
    .fetch =
        [](GstMiniObject* object, GError** error) {
          return gst_rdp_tracks_fetch(reinterpret_cast<GstRdpTracks*>(object), error) != FALSE;
        },
    .write = write,
});

}  // namespace rdp
