// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/overlay.h"
#include "common/stereo/reference.h"
#include "tests/conformance/entries.h"
#include "tests/stereo/stereo_patterns.h"

namespace conformance {
namespace {

struct Matched {
  Content disparity;
  Content confidence;
};
Matched match(const Contents& views, const rdp::stereo::Parameters& parameters) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, views[0].shape.width, views[0].shape.height};
  Matched matched{Content(shape), Content(views[0].shape)};
  rdp::stereo::reference::match({views[0].view(), views[1].view(), {}, {}}, parameters,
                                {matched.disparity.view(), matched.confidence.view()});
  return matched;
}

// The expected picture of the pad `overlay`.
Content picture_of(const Content& disparity) {
  const int width = disparity.shape.width;
  const int height = disparity.shape.height;
  rdp::OverlayOptions options;
  options.style = rdp::OverlayStyle::kDepth;
  rdp::SegmentList none;
  none.resize_columns(0)[0] = 0;
  Content picture({GST_VIDEO_FORMAT_RGBA, width, height});
  rdp::paint_overlay(disparity.view(), none, {},
                     rdp::overlay_look(disparity.view(), none, {}, options), 0, width,
                     {picture.samples.data(), std::ptrdiff_t{4} * width, width, height});
  return picture;
}

Check has_samples_of(const Content& content) {
  return [content](GstBuffer* output) {
    return same_samples(output, content.shape, content.samples.data());
  };
}

Element entry(const std::string& name, const std::string& settings,
              const rdp::stereo::Parameters& parameters) {
  Element element;
  element.name = "depthstereo " + name;
  element.factory = "depthstereo";
  element.settings = "disparities=16 " + settings;
  element.inputs = {"left", "right"};
  element.takes = kLumaTaken;
  element.remedy = kLumaRemedy;
  element.sides = {"overlay", "confidence", "rectified"};
  element.needs_all = true;
  element.in_place = false;
  element.queries = 6;
  element.waits = 2;
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
    return has_samples_of(match(views, parameters).disparity);
  };
  element.expect_side = [parameters](const std::string& side, const Contents& views) -> Check {
    // Without a calibration, the left view is taken as rectified.
    if (side == "rectified") return has_samples_of(views[0]);
    const Matched matched = match(views, parameters);
    return has_samples_of(side == "confidence" ? matched.confidence
                                               : picture_of(matched.disparity));
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
  Element pairs = entry("plain", "threads=1", plain);
  add_way(&pairs, "threads=3 output=depth-mm calibration=pair.json");
  Element& joined =
      add_way(&pairs, "packing=side-by-side calibration=pair.json rectify=on speckle-size=4");
  joined.inputs = {"left"};
  joined.tries_properties = true;
  const Shape view{GST_VIDEO_FORMAT_GRAY8, 40, 24};
  joined.shapes = {{{GST_VIDEO_FORMAT_GRAY8, 2 * view.width, view.height}}};
  joined.draw = [draw = pairs.draw, view](const Shapes& shapes, unsigned scene) {
    const Contents views = draw({view, view}, scene);
    Content both(shapes[0]);
    for (int row = 0; row < view.height; ++row) {
      for (int column = 0; column < 2 * view.width; ++column) {
        const Content& from = views[column < view.width ? 0 : 1];
        both.view().set(row, column, from.view().at(row, column % view.width));
      }
    }
    return Contents{both};
  };
  return {pairs, entry("with 8 paths", "threads=1 paths=8 median=5x5", paths)};
}

}  // namespace conformance
