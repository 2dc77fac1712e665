// SPDX-License-Identifier: LGPL-2.1-or-later
// Motion in lines of JSON: one key on the line of its segments.
#include <gst/rdpsegment/rdpmotionkind.h>

#include <cstddef>
#include <span>

#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "gst/elements/rdpmetaconvert/segment_frame.h"

namespace rdp {

using namespace json;

namespace {

using Segment = GstRdpSegmentMotion;
using Track = GstRdpTrackMotion;

constexpr Row<GstRdpMotionInfo> kInfo[] = {
    {"dt",
     [](char* out, const GstRdpMotionInfo& info) {
       return info.dt > 0 ? print(out, info.dt) : print(out, "null");
     }},
    {"ego",
     [](char* out, const GstRdpMotionInfo& info) {
       return info.ego_known != FALSE ? print_list(out, info.ego) : print(out, "null");
     }},
};
char* print_segment(char* out, const Segment& segment) {
  if (segment.tracks == 0) return print(out, "null");
  return print_members<&Segment::tracks, &Segment::flags, &Segment::dx, &Segment::dy,
                       &Segment::spread, &Segment::vx, &Segment::vy, &Segment::vz, &Segment::sigma>(
      out, segment);
}

char* print_track(char* out, const Track& track) {
  return print_members<&Track::id, &Track::x, &Track::y, &Track::z, &Track::vx, &Track::vy,
                       &Track::vz, &Track::sigma>(out, track);
}

void write(JsonWriter& line, const ConvertedFrame& frame, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpMotion*>(object);
  gsize n_segments = 0;
  gsize n_tracks = 0;
  const Segment* segments = gst_rdp_motion_peek_segments(of, &n_segments);
  const Track* tracks = gst_rdp_motion_peek_tracks(of, &n_tracks);
  line.add_key("motion");
  line.add('{');
  line.add_keys(*gst_rdp_motion_get_info(of), kInfo);
  line.add_columns("columns", SegmentFrame(frame).segments.offsets(),
                   [&](char* out, std::size_t i) { return print_segment(out, segments[i]); });
  if (line.points()) line.add_list("tracks", std::span(tracks, n_tracks), print_track);
  line.add('}');
}

// Motion is written by the segments' columns, so it needs segments, and as many of them.
bool fits(const ConvertedFrame& frame, GstMiniObject* object, GError** error) {
  auto* of = reinterpret_cast<GstRdpMotion*>(object);
  const GstRdpMotionInfo& info = *gst_rdp_motion_get_info(of);
  gsize n = 0;
  gst_rdp_motion_peek_segments(of, &n);
  if (frame.objects[kSegments] == nullptr) {
    g_set_error(error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                "expected the %" G_GSIZE_FORMAT " segments that it describes, got none", n);
    return false;
  }
  const SegmentFrame with(frame);
  const gsize count = with.segments.segment_count();
  if (count == n && with.info.width == info.width && with.info.height == info.height) return true;
  g_set_error(error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
              "expected motion of the frame's %" G_GSIZE_FORMAT
              " segments in %ux%u pixels, got motion of %" G_GSIZE_FORMAT " in %ux%u",
              count, with.info.width, with.info.height, n, info.width, info.height);
  return false;
}

}  // namespace

const ConvertKind kMotionKind = convert_kind<meta::MotionKind>({
    .things = "motion",
    .maker = "rdpmotion",
    .fits = fits,
    .write = write,
});

}  // namespace rdp
