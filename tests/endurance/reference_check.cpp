// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/reference_check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gst/memory/system_memory.h"
#include "gst/rdpsegment/rdpsegmentationparameters.h"
#include "tests/endurance/nvmm.h"
#include "tests/support/expected.h"
#include "tests/support/parameters.h"

namespace rdp::endurance {
namespace {

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
  OverlayOptions options;
  options.style = setting.style;
  test::Expected made = test::expect(content.view(), setting.parameters, options);
  const Shape& shape = content.shape;
  const auto sum = [&](const std::vector<std::uint8_t>& bytes, std::size_t row) {
    return checksum(bytes.data(), static_cast<std::ptrdiff_t>(row), row, shape.height);
  };
  Expected expected;
  expected.samples = sum(setting.reconstruct ? made.reconstructed : made.samples, row_bytes(shape));
  expected.picture = sum(made.picture, 4 * static_cast<std::size_t>(shape.width));
  expected.segments = std::move(made.segments);
  expected.classes = std::move(made.classes);
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
  const std::string wrong = frames::difference(expected.segments, segmentation);
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
  if (!frame.map(output, frames::video_info(shape), gst::Access::kRead, &reason)) {
    return "its samples cannot be read: " + reason;
  }
  const std::uint64_t found =
      checksum(frame.view().data, frame.view().stride, row_bytes(shape), shape.height);
  return found == expected.samples ? "" : wrong;
}

std::string check_picture(GstBuffer* picture, const Shape& shape, const Expected& expected) {
  const std::vector<std::uint8_t> pixels = frames::pixels(picture, shape);
  if (pixels.empty()) return "its picture cannot be read";
  const std::size_t row = 4 * static_cast<std::size_t>(shape.width);
  const std::uint64_t found =
      checksum(pixels.data(), static_cast<std::ptrdiff_t>(row), row, shape.height);
  return found == expected.picture ? "" : "its picture is not what it should be";
}

}  // namespace rdp::endurance
