// SPDX-License-Identifier: LGPL-2.1-or-later
// Motion in lines of JSON: one key on the line of the segments that it is of.
#include <gst/rdpsegment/rdpmotionkind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gst/elements/rdpmetaconvert/json_columns.h"
#include "gst/elements/rdpmetaconvert/json_numbers.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "gst/elements/rdpmetaconvert/segment_frame.h"

namespace rdp {

using namespace json;

namespace {

// The longest texts of what is written: "[…,…,…,…,…,…,…,…,…]," with two short whole numbers, and
// "[…,…,…,…,…,…,…,…]," with an id.
constexpr std::size_t kMaxSegment = 2 * 6 + 7 * (kMaxFloat + 1) + 3;
constexpr std::size_t kMaxTrack = kMaxNumber + 1 + 7 * (kMaxFloat + 1) + 3;

char* put_floats(char* out, std::span<const gfloat> numbers) {
  for (const gfloat number : numbers) {
    *out++ = ',';
    out = put_float(out, number);
  }
  *out++ = ']';
  return out;
}

char* put_segment(char* out, const GstRdpSegmentMotion& segment) {
  if (segment.tracks == 0) return put(out, "null");
  *out++ = '[';
  out = put_u16(out, segment.tracks);
  *out++ = ',';
  out = put_u16(out, segment.flags);
  return put_floats(out, std::array{segment.dx, segment.dy, segment.spread, segment.vx, segment.vy,
                                    segment.vz, segment.sigma});
}

char* put_track(char* out, const GstRdpTrackMotion& track) {
  *out++ = '[';
  out = put_integer(out, track.id);
  return put_floats(
      out, std::array{track.x, track.y, track.z, track.vx, track.vy, track.vz, track.sigma});
}

char* put_info(char* out, const GstRdpMotionInfo& info) {
  out = put(out, R"(,"motion":{"dt":)");
  out = info.dt > 0 ? put_double(out, info.dt) : put(out, "null");
  out = put(out, R"(,"ego":)");
  return info.ego_known != FALSE ? put_list(out, info.ego, put_double) : put(out, "null");
}

void write(JsonWriter& line, const ConvertedFrame& frame, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpMotion*>(object);
  gsize n_segments = 0;
  gsize n_tracks = 0;
  const GstRdpSegmentMotion* segments = gst_rdp_motion_peek_segments(of, &n_segments);
  const GstRdpTrackMotion* tracks = gst_rdp_motion_peek_tracks(of, &n_tracks);
  char* out = put_info(line.reserve(kMaxFixedPart), *gst_rdp_motion_get_info(of));
  line.set_end(put(out, R"(,"columns":[)"));
  add_columns(line, SegmentFrame(frame).segments.offsets(), kMaxSegment,
              [&](char* to, std::uint32_t i) { return put_segment(to, segments[i]); });
  out = line.reserve(kMaxFixedPart + n_tracks * kMaxTrack);
  if (line.points()) {
    out = put_list(put(out, R"(,"tracks":)"), std::span(tracks, n_tracks), put_track);
  }
  line.set_end(put(out, "}"));
}

// There is a list for each column of the segments: it takes these, and as many.
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
