// SPDX-License-Identifier: LGPL-2.1-or-later
// Segments in lines of JSON.
#include <gst/rdpsegment/rdpsegmentationkind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gst/elements/rdpmetaconvert/json_columns.h"
#include "gst/elements/rdpmetaconvert/json_numbers.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "gst/elements/rdpmetaconvert/segment_frame.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp {

using namespace json;

namespace {

// The longest texts of what is written.
constexpr std::size_t kMaxSegment = 6 + 2 * 5 + 2 * 15;  // "[…,…,…,…]," with rows and floats
constexpr std::size_t kMaxPoints = 3 + 6 * 16;           // "[…,…,…,…,…,…]," of floats
constexpr std::size_t kMaxClass = 2;                     // "1,"

char* put_segment(char* out, const Segment& segment) {
  *out++ = '[';
  out = put_u16(out, segment.first_row);
  *out++ = ',';
  out = put_u16(out, segment.last_row);
  *out++ = ',';
  out = put_float(out, segment.first_value);
  *out++ = ',';
  out = put_float(out, segment.last_value);
  *out++ = ']';
  return out;
}

char* put_how(char* out, const GstRdpSegmentationInfo& info) {
  out = put_double(put(out, R"(,"epsilon":)"), info.epsilon);
  out = put_double(put(out, R"(,"sample-scale":)"), info.sample_scale);
  out = put(out, info.domain == GST_RDP_DOMAIN_INVERSE ? R"(,"domain":"inverse")"
                                                       : R"(,"domain":"linear")");
  out = put_integer(put(out, R"(,"column-width":)"), info.column_width);
  return put(out, R"(,"columns":[)");
}

// Adds the ground that the classes were told by: null if there is none.
char* put_ground(char* out, GstRdpSegmentation* segmentation) {
  gdouble slope = 0;
  gdouble horizon = 0;
  const bool found = gst_rdp_segmentation_get_ground(segmentation, &slope, &horizon) != FALSE;
  out = put(out, R"(,"ground-slope":)");
  out = found ? put_double(out, slope) : put(out, "null");
  out = put(out, R"(,"horizon":)");
  out = found ? put_double(out, horizon) : put(out, "null");
  const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(segmentation);
  if (info->ground_per_row > 0) {
    // In steps, as doubles have them exactly.
    constexpr gdouble kStep = 4294967296.0;
    const std::array plane = {info->ground_offset, info->ground_per_column, info->ground_per_row};
    out = put_list(put(out, R"(,"ground-plane":)"), plane, [](char* to, gint64 number) {
      return put_double(to, static_cast<gdouble>(number) / kStep);
    });
  }
  return put(out, R"(,"classes":[)");
}

void write(JsonWriter& line, const ConvertedFrame& frame, GstMiniObject*) {
  const SegmentFrame of(frame);
  const std::span offsets = of.segments.offsets();
  line.set_end(put_how(line.reserve(kMaxFixedPart), of.info));
  const std::span segments = of.segments.segments();
  add_columns(line, offsets, kMaxSegment,
              [&](char* out, std::uint32_t i) { return put_segment(out, segments[i]); });
  // Without it nobody could turn the values back into depths.
  if (of.info.domain == GST_RDP_DOMAIN_INVERSE) {
    line.set_end(put_double(put(line.reserve(kMaxFixedPart), R"(,"inverse-scale":)"),
                            of.info.inverse_scale));
  }
  line.add_batch_index();
  if (const guint8* classes = of.classes()) {
    line.set_end(put_ground(line.reserve(kMaxFixedPart), of.segmentation));
    add_columns(line, offsets, kMaxClass, [&](char* out, std::uint32_t i) {
      *out = static_cast<char>('0' + classes[i]);
      return out + 1;
    });
  }
  if (frame.camera == nullptr) return;
  line.add_camera();
  line.set_end(put(line.reserve(kMaxFixedPart), R"(,"points":[)"));
  const std::span points = of.points(&line.floats());
  add_columns(line, offsets, kMaxPoints, [&](char* out, std::uint32_t i) {
    return put_list(out, points.subspan(std::size_t{6} * i, 6), put_float);
  });
}

bool take_camera(GstBuffer* buffer, const GstMeta& meta, ConvertedFrame* frame, GError** error) {
  const auto& segments = reinterpret_cast<const GstRdpSegmentMeta&>(meta);
  frame->camera.reset(gst_rdp_segment_meta_get_camera(buffer, &segments, error));
  return frame->camera != nullptr &&
         meta::metric_camera(frame->camera.get(),
                             gst_rdp_segmentation_get_info(segments.segmentation), &frame->metric,
                             error);
}

}  // namespace

const ConvertKind kSegmentsKind = convert_kind<meta::SegmentationKind>({
    .things = "segments",
    .maker = "rdpsegment",
    .fetch =
        [](GstMiniObject* object, GError** error) {
          return gst_rdp_segmentation_fetch(reinterpret_cast<GstRdpSegmentation*>(object), error) !=
                 FALSE;
        },
    .camera = take_camera,
    .write = write,
});

}  // namespace rdp
