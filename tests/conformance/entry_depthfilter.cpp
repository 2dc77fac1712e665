// SPDX-License-Identifier: LGPL-2.1-or-later
#include <memory>

#include "common/filter/overlay.h"
#include "tests/conformance/entries.h"
#include "tests/depthfilter/filtered.h"

namespace conformance {
namespace {

Content filtered(const Content& content, const rdp::filter::Parameters& parameters) {
  rdp::filter::reference::State state;
  rdp::filter::Counts counts;
  return filter_rig::filtered(content, parameters, &state, &counts);
}

std::vector<std::uint8_t> picture_of(const Content& content,
                                     const rdp::filter::Parameters& parameters) {
  const int width = content.shape.width;
  const int height = content.shape.height;
  const Content after = filtered(content, parameters);
  std::vector<std::uint8_t> picture(4 * static_cast<std::size_t>(width * height));
  rdp::filter::OverlayPainter(1).paint(
      content.view(), after.view(), parameters.decimation, {},
      {reinterpret_cast<std::byte*>(picture.data()), std::ptrdiff_t{4} * width, width, height});
  return picture;
}

Element entry(const std::string& name, const std::string& settings,
              const rdp::filter::Parameters& parameters) {
  Element element;
  element.name = "depthfilter " + name;
  element.factory = "depthfilter";
  element.settings = settings;
  element.sides = {"overlay"};
  element.in_place = element.writes = parameters.decimation == 1;
  element.crops = parameters.decimation == 1;  // some crops are smaller than a block
  element.metas = 0;
  element.waits = parameters.decimation == 1 ? 1 : 2;  // decimated frames are copied to the host
  element.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}},
                    {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
                    {{GST_VIDEO_FORMAT_GRAY8, 31, 77}}};
  if (parameters.decimation == 1) {
    element.shapes.push_back({{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}});
    element.shapes.push_back({{GST_VIDEO_FORMAT_GRAY16_LE, 33, 1}});
  }
  element.expect = [parameters](const Contents& contents) -> Check {
    return [expected = filtered(contents[0], parameters)](GstBuffer* output) {
      return same_samples(output, expected.shape, expected.samples.data());
    };
  };
  element.expect_side = [parameters](const std::string&, const Contents& contents) -> Check {
    const Shape shape{GST_VIDEO_FORMAT_RGBA, contents[0].shape.width, contents[0].shape.height};
    return [=, picture = picture_of(contents[0], parameters)](GstBuffer* output) {
      return same_samples(output, shape, picture.data());
    };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_depthfilter() {
  rdp::filter::Parameters plain;
  plain.tolerance = rdp::filter::inverse_tolerance(6.0, 1e6);
  Element element = entry("plain", "threads=1 depth-unit=0.001", plain);
  // The state persists from frame to frame: the same frames give the same results in all streams.
  add_way(&element, "threads=3 temporal-frames=4 hole-filling=gap");
  add_ways(&element, {"median=3x3 max-distance=20 overlay::legend=true",
                      "flying=false spatial-radius=0 max-value=65535"});
  rdp::filter::Parameters smaller;
  smaller.tolerance = rdp::filter::linear_tolerance(300.0, 0.5);
  smaller.known = {2, 60000};
  smaller.median = 5;
  smaller.speckle_size = 9;
  smaller.decimation = 3;
  smaller.spatial_radius = 2;
  smaller.hole_filling = rdp::filter::HoleFilling::kFarthest;
  smaller.hole_size = 7;
  smaller.disparity = true;
  return {element, entry("with decimation and threads",
                         "threads=2 domain=linear tolerance=300 sample-scale=0.5 min-value=2 "
                         "max-value=60000 median=5x5 speckle-size=9 decimation=3 spatial-radius=2 "
                         "hole-filling=farthest hole-size=7",
                         smaller)};
}

}  // namespace conformance
