// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks in lines of JSON.
#include <gst/rdpsegment/rdptrackskind.h>

#include <array>
#include <cstddef>
#include <span>

#include "gst/elements/rdpmetaconvert/json_numbers.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp {

using namespace json;

namespace {

// The longest texts of what is written: "[…,…,…,…,…,…,…,…]," and "[…,"residual",…,…],".
constexpr std::size_t kMaxTrack = 2 * (kMaxNumber + 1) + 6 * (kMaxFloat + 1) + 3;
constexpr std::size_t kMaxLost = kMaxNumber + 2 * (kMaxFloat + 1) + 16;

char* put_track(char* out, const GstRdpTrack& track) {
  *out++ = '[';
  out = put_integer(out, track.id);
  *out++ = ',';
  out = put_integer(out, track.age);
  for (const gfloat number :
       {track.x, track.y, track.dx, track.dy, track.residual, track.quality}) {
    *out++ = ',';
    out = put_float(out, number);
  }
  *out++ = ']';
  return out;
}

char* put_lost(char* out, const GstRdpLostTrack& lost) {
  *out++ = '[';
  out = put(put_integer(out, lost.id), ",\"");
  out = put(out, gst_rdp_lost_reason_get_name(static_cast<GstRdpLostReason>(lost.reason)));
  out = put_float(put(out, "\","), lost.x);
  *out++ = ',';
  out = put_float(out, lost.y);
  *out++ = ']';
  return out;
}

void write(JsonWriter& line, const ConvertedFrame&, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpTracks*>(object);
  const GstRdpTracksInfo& info = *gst_rdp_tracks_get_info(of);
  gsize n_tracks = 0;
  gsize n_lost = 0;
  const GstRdpTrack* tracks = gst_rdp_tracks_peek_tracks(of, &n_tracks);
  const GstRdpLostTrack* lost = gst_rdp_tracks_peek_lost(of, &n_lost);
  char* out = line.reserve(kMaxFixedPart + n_tracks * kMaxTrack + n_lost * kMaxLost);
  // The keys before them may be about a picture of another size.
  if (info.width != line.head().width || info.height != line.head().height) {
    out = put_integer(put(out, R"(,"tracks-width":)"), info.width);
    out = put_integer(put(out, R"(,"tracks-height":)"), info.height);
  }
  out = put(out, R"(,"template-pts":)");
  out = GST_CLOCK_TIME_IS_VALID(info.template_pts) ? put_integer(out, info.template_pts)
                                                   : put(out, "null");
  out = put_list(put(out, R"(,"tracks":)"), std::span(tracks, n_tracks), put_track);
  out = put_list(put(out, R"(,"lost":)"), std::span(lost, n_lost), put_lost);
  line.set_end(out);
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
