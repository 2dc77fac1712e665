// SPDX-License-Identifier: LGPL-2.1-or-later
// Segments in lines of JSON.
#include <gst/rdpsegment/rdpsegmentationkind.h>

#include <array>
#include <cstddef>
#include <span>

#include "gst/elements/rdpmetaconvert/json_writer.h"
#include "gst/elements/rdpmetaconvert/segment_frame.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp {

using namespace json;

namespace {

using Info = GstRdpSegmentationInfo;

constexpr Row<Info> kInfo[] = {
    {"epsilon", print_member<&Info::epsilon>},
    {"sample-scale", print_member<&Info::sample_scale>},
    {"domain",
     [](char* out, const Info& info) {
       return print(out, info.domain == GST_RDP_DOMAIN_INVERSE ? R"("inverse")" : R"("linear")");
     }},
    {"column-width", print_member<&Info::column_width>},
};

char* print_segment(char* out, const Segment& segment) {
  return print_members<&Segment::first_row, &Segment::last_row, &Segment::first_value,
                       &Segment::last_value>(out, segment);
}

// Adds the ground that the classes were told by: null if there is none.
void add_ground(JsonWriter& line, const SegmentFrame& of) {
  gdouble slope = 0;
  gdouble horizon = 0;
  const bool found = gst_rdp_segmentation_get_ground(of.segmentation, &slope, &horizon) != FALSE;
  line.add_key("ground-slope", slope, found);
  line.add_key("horizon", horizon, found);
  if (of.info.ground_per_row <= 0) return;
  // Converts fixed-point numbers to sample steps, exactly.
  const auto steps = [](gint64 number) { return static_cast<gdouble>(number) / 4294967296.0; };
  const std::array plane = {steps(of.info.ground_offset), steps(of.info.ground_per_column),
                            steps(of.info.ground_per_row)};
  line.add_key("ground-plane");
  line.add_printed([&](char* out) { return print_list(out, plane); });
}

void write(JsonWriter& line, const ConvertedFrame& frame, GstMiniObject*) {
  const SegmentFrame of(frame);
  const std::span offsets = of.segments.offsets();
  const std::span segments = of.segments.segments();
  line.add_keys(of.info, kInfo);
  line.add_columns("columns", offsets,
                   [&](char* out, std::size_t i) { return print_segment(out, segments[i]); });
  // Readers need it to turn the values back into depths.
  if (of.info.domain == GST_RDP_DOMAIN_INVERSE) {
    line.add_key("inverse-scale", of.info.inverse_scale);
  }
  line.add_batch_index();
  if (const guint8* classes = of.classes()) {
    add_ground(line, of);
    line.add_columns("classes", offsets, [&](char* out, std::size_t i) {
      *out = static_cast<char>('0' + classes[i]);
      return out + 1;
    });
  }
  if (frame.camera == nullptr) return;
  line.add_camera();
  const std::span points = of.points(&line.floats());
  line.add_columns("points", offsets, [&](char* out, std::size_t i) {
    return print_list(out, points.subspan(6 * i, 6));
  });
}

bool read_camera(GstBuffer* buffer, const GstMeta& meta, ConvertedFrame* frame, GError** error) {
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
    .camera = read_camera,
    .write = write,
});

}  // namespace rdp
