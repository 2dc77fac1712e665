// SPDX-License-Identifier: LGPL-2.1-or-later
#include <memory>

#include "tests/conformance/entries.h"
#include "tests/support/expected.h"
#include "tests/support/parameters.h"
#include "tests/support/planes_fixture.h"

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
  Element plain = entry("plain", {}, "1", false);
  const std::string kCamera = "focal-length=51.3 baseline=0.11";
  Element freely = plain;
  freely.prepare = nullptr;
  freely.settings = "epsilon=2 sample-scale=0.00390625";
  add_ways(&freely, {"refine=true median=3x3 classify=true",
                     "threads=3 merge=true column-width=3 max-gap=5 classify=true",
                     "merge=true fit=absolute output=reconstruct",
                     "domain=inverse median=5x5 merge=true classify=true output=reconstruct"});
  for (const char* style : {"segments", "depth", "edges", "classes", "birdseye"}) {
    const std::string looks = kCamera + " overlay::legend=true overlay::style=" + style;
    add_way(&freely, "merge=true classify=true " + looks).shapes = {
        {{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120}}};
  }
  add_way(&freely,
          "median=3x3 merge=true fit=absolute classify=true overlay::style=birdseye " + kCamera)
      .tries_properties = true;
  Element& grounds =
      add_way(&freely,
              "domain=inverse refine=true classify=true ground=planes "
              "column-width=3 depth-unit=0.001 focal-length=4 overlay::style=classes");
  grounds.tries_properties = true;
  grounds.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 8, 6}}};
  grounds.describe = [](std::size_t, const Content&, GstBuffer* buffer) {
    g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
    gst_buffer_add_rdp_planes_meta(buffer, planes);
  };
  plain.ways = freely.ways;
  return {plain, entry("with filters, threads and reconstruct", filters, "2", true),
          entry("with merge", merge, "1", false)};
}

}  // namespace conformance
