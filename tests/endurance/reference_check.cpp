// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/reference_check.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "common/rdp/ground.h"
#include "common/rdp/reference.h"
#include "gst/memory/system_memory.h"
#include "gst/rdpsegment/rdpsegmentationparameters.h"
#include "tests/endurance/nvmm.h"
#include "tests/support/parameters.h"

namespace rdp::endurance {
namespace {

std::string segment_text(const Segment& segment) {
  char text[80];
  std::snprintf(text, sizeof(text), "[%u, %u, %.9g, %.9g]", unsigned{segment.first_row},
                unsigned{segment.last_row}, static_cast<double>(segment.first_value),
                static_cast<double>(segment.last_value));
  return text;
}

std::string compare_columns(GstRdpSegmentation* segmentation, const SegmentList& expected) {
  if (static_cast<int>(gst_rdp_segmentation_get_n_columns(segmentation)) != expected.columns()) {
    return "it has " + std::to_string(gst_rdp_segmentation_get_n_columns(segmentation)) +
           " columns, expected " + std::to_string(expected.columns());
  }
  for (int column = 0; column < expected.columns(); ++column) {
    const auto wanted = expected.column(column);
    gsize count = 0;
    const GstRdpSegment* found =
        gst_rdp_segmentation_get_column(segmentation, static_cast<guint>(column), &count);
    if (count != wanted.size()) {
      return "column " + std::to_string(column) + " has " + std::to_string(count) +
             " segments, expected " + std::to_string(wanted.size());
    }
    for (gsize i = 0; i < count; ++i) {
      const Segment segment{found[i].first_row, found[i].last_row, found[i].first_value,
                            found[i].last_value};
      if (segment == wanted[i]) continue;
      return "column " + std::to_string(column) + ", segment " + std::to_string(i) + " is " +
             segment_text(segment) + ", expected " + segment_text(wanted[i]);
    }
  }
  return {};
}

std::string compare_classes(GstRdpSegmentation* segmentation, const Expected& expected) {
  gsize count = 0;
  const guint8* found = gst_rdp_segmentation_peek_classes(segmentation, &count);
  return std::equal(found, found + count, expected.classes.begin(), expected.classes.end())
             ? ""
             : "its segments have other classes";
}

}  // namespace

void apply(GstElement* element, const Setting& setting) {
  set_parameters(element, setting.parameters);
  g_object_set(element, "output", setting.reconstruct ? 1 : 0, nullptr);
}

Expected expect(const Content& content, const Setting& setting) {
  Expected expected;
  const DepthView view = content.view();
  const reference::Frame filtered = reference::filter(view, setting.parameters);
  reference::segment(filtered.view(), segmented_known_range(setting.parameters, view.type),
                     segment_rules(setting.parameters), &expected.segments);
  if (setting.parameters.classify) {
    const ClassRules rules = class_rules(setting.parameters);
    const Ground ground = find_ground(expected.segments, view.height, rules);
    expected.classes.resize(expected.segments.segment_count());
    classify_segments(expected.segments, ground, rules, expected.classes.data());
  }
  if (setting.reconstruct) {
    Content written = content;
    reference::reconstruct(
        filtered, expected.segments, setting.parameters,
        {written.samples.data(), view.stride, view.width, view.height, view.type});
    expected.samples = checksum(written);
  } else {
    expected.samples = checksum(content);
  }
  const std::size_t picture_row = 4 * static_cast<std::size_t>(view.width);
  std::vector<std::byte> picture(picture_row * static_cast<std::size_t>(view.height));
  OverlayOptions options;
  options.style = setting.style;
  paint_overlay(
      view, expected.segments, setting.parameters,
      overlay_look(view, expected.segments, setting.parameters, options), 0, view.width,
      {picture.data(), static_cast<std::ptrdiff_t>(picture_row), view.width, view.height});
  expected.picture =
      checksum(picture.data(), static_cast<std::ptrdiff_t>(picture_row), picture_row, view.height);
  return expected;
}

bool made_with(const GstRdpSegmentationInfo& info, const Parameters& p) {
  return meta::parameters_from_info(info) == p;
}

std::string check_segments(GstBuffer* output, const Content& content, const Setting& setting,
                           const Expected& expected, std::uint64_t frame) {
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
  if (segmentation == nullptr) return "it came without its segments";
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  if (info.frame != frame) {
    return "its segmentation says that it is frame " + std::to_string(info.frame);
  }
  if (static_cast<int>(info.width) != content.shape.width ||
      static_cast<int>(info.height) != content.shape.height) {
    return "its segmentation says " + std::to_string(info.width) + "x" +
           std::to_string(info.height);
  }
  if (!made_with(info, setting.parameters)) {
    return "its segmentation was made with other parameters than were set";
  }
  const std::string wrong = compare_columns(segmentation, expected.segments);
  return wrong.empty() ? compare_classes(segmentation, expected) : wrong;
}

std::string check_samples(GstBuffer* output, const Shape& shape, const Expected& expected) {
  const char wrong[] = "its samples are not what they should be";
  const std::vector<std::byte> samples = nvmm_samples(output);
  if (!samples.empty()) {
    const gsize tight = row_bytes(shape);
    const std::uint64_t found =
        checksum(samples.data(), static_cast<std::ptrdiff_t>(tight), tight, shape.height);
    return found == expected.samples ? "" : wrong;
  }
  gst::SystemFrame frame;
  std::string reason;
  if (!frame.map(output, video_info(shape), gst::Access::kRead, &reason)) {
    return "its samples cannot be read: " + reason;
  }
  const std::uint64_t found =
      checksum(frame.view().data, frame.view().stride, row_bytes(shape), shape.height);
  return found == expected.samples ? "" : wrong;
}

std::string check_picture(GstBuffer* picture, const Shape& shape, const Expected& expected) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_RGBA, static_cast<guint>(shape.width),
                            static_cast<guint>(shape.height));
  GstVideoFrame frame;
  if (!gst_video_frame_map(&frame, &info, picture, GST_MAP_READ)) {
    return "its picture cannot be read";
  }
  const std::uint64_t found =
      checksum(static_cast<const std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)),
               GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0), 4 * static_cast<std::size_t>(shape.width),
               shape.height);
  gst_video_frame_unmap(&frame);
  return found == expected.picture ? "" : "its picture is not what it should be";
}

}  // namespace rdp::endurance
