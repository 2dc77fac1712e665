// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/reference.h"
#include "tests/conformance/entries.h"
#include "tests/stereo/stereo_patterns.h"

namespace conformance {
namespace {

Element entry(const std::string& name, const std::string& settings,
              const rdp::stereo::Parameters& parameters) {
  Element element;
  element.name = "depthstereo " + name;
  element.factory = "depthstereo";
  element.settings = "disparities=16 " + settings;
  element.inputs = {"left", "right"};
  element.sides = {"overlay", "confidence", "rectified"};
  element.in_place = false;
  element.queries = 6;
  for (const auto& [width, height] : {std::pair{40, 24}, {33, 17}}) {
    const Shape shape{GST_VIDEO_FORMAT_GRAY8, width, height};
    element.shapes.push_back({shape, shape});
  }
  element.shapes.erase(element.shapes.begin());
  element.draw = [parameters](const Shapes& shapes, unsigned scene) {
    Contents views{Content(shapes[0]), Content(shapes[1])};
    rdp::test::draw_pair(rdp::test::PairKind::kTextured, {views[0].view(), views[1].view(), {}, {}},
                         parameters, scene + 1);
    return views;
  };
  element.expect = [parameters](const Contents& views) -> Check {
    const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, views[0].shape.width, views[0].shape.height};
    Content disparity(shape);
    Content confidence(views[0].shape);
    rdp::stereo::reference::match({views[0].view(), views[1].view(), {}, {}}, parameters,
                                  {disparity.view(), confidence.view()});
    return [=](GstBuffer* output) { return same_samples(output, shape, disparity.samples.data()); };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_depthstereo() {
  rdp::stereo::Parameters plain;
  plain.disparities = 16;
  rdp::stereo::Parameters paths = plain;
  paths.paths = 8;
  paths.median = 5;
  return {entry("plain", "threads=1", plain),
          entry("with 8 paths", "threads=1 paths=8 median=5x5", paths)};
}

}  // namespace conformance
