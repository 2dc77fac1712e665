// SPDX-License-Identifier: LGPL-2.1-or-later
// The elements that read metadata: rdpmetaconvert and rdpoverlay. What they make is compared with
// what they make in the plainest stream, which tests of their own look at.
#include "common/rdp/reference.h"
#include "tests/conformance/entries.h"

namespace conformance {
namespace {

const Shape kDepth{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16};

// The segments that the reference finds.
void add_segments(std::size_t, const Content& content, GstBuffer* buffer) {
  if (content.shape.format != GST_VIDEO_FORMAT_GRAY16_LE) return;
  rdp::SegmentList found;
  rdp::reference::segment_filtered(content.view(), {}, &found);
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = static_cast<guint>(content.shape.width);
  info.height = static_cast<guint>(content.shape.height);
  std::vector<guint32> offsets{0};
  std::vector<GstRdpSegment> segments;
  for (int column = 0; column < found.columns(); ++column) {
    for (const rdp::Segment& s : found.column(column)) {
      segments.push_back({s.first_row, s.last_row, s.first_value, s.last_value});
    }
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  GstRdpSegmentation* segmentation = gst_rdp_segmentation_new(&info, offsets.data(), offsets.size(),
                                                              segments.data(), segments.size());
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  gst_rdp_segmentation_unref(segmentation);
}

}  // namespace

std::vector<Element> entries_of_rdpmetaconvert() {
  Element element;
  element.name = element.factory = "rdpmetaconvert";
  element.describe = add_segments;
  element.in_place = element.crops = false;
  element.allocations = 1;  // the line's memory
  // But for the time, which differs.
  element.result = [](const Shapes&, GstBuffer* output) {
    const std::vector<std::uint8_t> line = frames::bytes(output);
    const std::string text(line.begin(), line.end());
    const std::string::size_type from = text.find("\"pts\":");
    const std::string::size_type to = text.find(',', from);
    fail_unless(from != std::string::npos && to != std::string::npos, "%s", text.c_str());
    return std::vector<std::uint8_t>(line.begin() + static_cast<std::ptrdiff_t>(to), line.end());
  };
  // It looks at no sample.
  element.pictures = element.on_gpu = false;
  return {element};
}

std::vector<Element> entries_of_rdpoverlay() {
  Element element;
  element.name = element.factory = "rdpoverlay";
  element.inputs = {"video", "segments"};
  element.queries = 6;
  element.writes = true;
  element.shapes = {{{GST_VIDEO_FORMAT_RGBA, 24, 16}, kDepth},
                    {{GST_VIDEO_FORMAT_RGBA, 33, 17}, kDepth}};
  element.draw = [](const Shapes& shapes, unsigned scene) {
    Contents contents{Content(shapes[0]),
                      frames::draw(shapes[1], frames::Scene::kSurface, scene + 1)};
    for (std::size_t i = 0; i < contents[0].samples.size(); ++i) {
      contents[0].samples[i] = static_cast<std::byte>(i * 37 + i / 251 + scene);
    }
    return contents;
  };
  element.describe = add_segments;
  element.result = [](const Shapes& shapes, GstBuffer* output) {
    return samples_of(output, shapes[0]);
  };
  element.crops = element.makes_context = false;
  element.waits = 2;  // the segments are brought to the device
  return {element};
}

}  // namespace conformance
