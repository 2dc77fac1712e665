// SPDX-License-Identifier: LGPL-2.1-or-later
#include <memory>

#include "tests/conformance/entries.h"
#include "tests/support/expected.h"
#include "tests/support/parameters.h"

namespace conformance {
namespace {

Element entry(const std::string& name, const rdp::Parameters& parameters, const char* threads,
              bool reconstruct) {
  Element element;
  element.name = "rdpsegment " + name;
  element.factory = "rdpsegment";
  element.settings = std::string("threads=") + threads;
  if (reconstruct) element.settings += " output=reconstruct";
  element.prepare = [parameters](GstElement* made) { set_parameters(made, parameters); };
  element.writes = reconstruct;
  element.sides = {"overlay"};
  element.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}}, {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
                    {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}},   {{GST_VIDEO_FORMAT_GRAY8, 31, 77}},
                    {{GST_VIDEO_FORMAT_GRAY16_LE, 33, 1}},  {{GST_VIDEO_FORMAT_GRAY8, 2, 64}},
                    {{GST_VIDEO_FORMAT_GRAY16_LE, 100, 7}}};
  element.expect = [parameters, reconstruct](const Contents& contents) -> Check {
    const Shape shape = contents[0].shape;
    const auto expected =
        std::make_shared<rdp::test::Expected>(rdp::test::expect(contents[0].view(), parameters));
    return [=](GstBuffer* output) {
      GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
      if (segmentation == nullptr) return std::string("no segments");
      const std::string wrong = frames::difference(expected->segments, segmentation);
      const auto& samples = reconstruct ? expected->reconstructed : expected->samples;
      return wrong.empty() ? same_samples(output, shape, samples.data()) : wrong;
    };
  };
  element.expect_side = [parameters](const std::string&, const Contents& contents) -> Check {
    const Shape shape{GST_VIDEO_FORMAT_RGBA, contents[0].shape.width, contents[0].shape.height};
    return [=, picture = rdp::test::expect(contents[0].view(), parameters).picture](
               GstBuffer* output) { return same_samples(output, shape, picture.data()); };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_rdpsegment() {
  rdp::Parameters filters;
  filters.domain = rdp::Domain::kInverse;
  filters.median = rdp::Median::k5x5;
  filters.column_width = 3;
  rdp::Parameters merge;
  merge.epsilon = 300;
  merge.merge = true;
  merge.max_gap = 3;
  return {entry("plain", {}, "1", false),
          entry("with filters, threads and reconstruct", filters, "2", true),
          entry("with merge", merge, "1", false)};
}

}  // namespace conformance
