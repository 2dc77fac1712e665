// SPDX-License-Identifier: LGPL-2.1-or-later
#include <memory>

#include "common/obstacles/overlay.h"
#include "tests/conformance/entries.h"
#include "tests/depthobstacles/obstacles_expected.h"

namespace conformance {
namespace {

const Shape kFrame{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};

// One camera for frames of all sizes, set by properties.
rdp::MetricCamera camera() { return obstacles_rig::camera_of(kFrame, 60.0); }

Contents draw(const Shapes& shapes, unsigned scene) {
  const double y = 0.1 * scene;
  const obstacles_rig::Board boards[] = {{1.5, y, y - 0.4, 0.3}, {2.5, y + 1.0, y + 0.5, 0.6}};
  return {obstacles_rig::draw(shapes[0], camera(), obstacles_rig::ground_at(0.5, 25.0), boards)};
}

// The picture of the pad `overlay` without objects.
std::vector<std::uint8_t> picture_of(const Content& content,
                                     const rdp::obstacles::Parameters& parameters) {
  const rdp::MetricCamera metres = camera();
  const rdp::obstacles::Ground start = obstacles_rig::ground_at(0.52, 24.0);
  const auto found = obstacles_rig::expect(content.view(), metres, &start, parameters);
  const int width = content.shape.width;
  std::vector<std::uint8_t> picture(4 * found.classes.size());
  rdp::obstacles::OverlayPainter(1).paint(content.view(), {&metres, &parameters, &found, {}}, {},
                                          {reinterpret_cast<std::byte*>(picture.data()),
                                           std::ptrdiff_t{4} * width, width, content.shape.height});
  return picture;
}

Element entry(const std::string& name, const std::string& settings,
              const rdp::obstacles::Parameters& parameters) {
  Element element;
  element.name = "depthobstacles " + name;
  element.factory = "depthobstacles";
  element.settings =
      "ground=given camera-height=0.52 camera-pitch=24 focal-length=60 "
      "principal-x=31.5 principal-y=23.5 depth-unit=0.001 " +
      settings;
  element.waits = 2;  // for the cells, and for the samples of objects
  element.sides = {"overlay"};
  element.metas = 2;  // obstacles, and the camera from the properties
  element.shapes = {{kFrame},
                    {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
                    {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}},
                    {{GST_VIDEO_FORMAT_GRAY8, 31, 77}}};
  element.draw = draw;
  element.expect = [parameters](const Contents& contents) -> Check {
    const rdp::obstacles::Ground start = obstacles_rig::ground_at(0.52, 24.0);
    const auto expected = std::make_shared<obstacles_rig::Obstacles>(
        obstacles_rig::expect(contents[0].view(), camera(), &start, parameters));
    return [=, content = contents[0]](GstBuffer* output) {
      const std::string wrong = obstacles_rig::difference(
          obstacles_rig::obstacles_of(output), *expected, parameters, GST_RDP_GROUND_GIVEN);
      return wrong.empty() ? same_samples(output, content.shape, content.samples.data()) : wrong;
    };
  };
  // Pictures with objects also show ids, which depend on earlier frames.
  element.expect_side = [](const std::string&, const Contents&) {
    return [](GstBuffer*) { return std::string(); };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_depthobstacles() {
  rdp::obstacles::Parameters plain;
  plain.range = 5.0;
  plain.cell_size = 0.1;
  plain.cell_samples = 1;
  plain.object_samples = 5;
  const std::string near = "range=5 cell-size=0.1 cell-samples=1 object-samples=5 ";
  Element element = entry("plain", "threads=1 " + near, plain);
  add_ways(&element, {"threads=3 drop-depth=0.1 area=\"0,-1 4,-1 4,1 0,1\"",
                      "ground=auto scan-bins=72 scan-fov=90 split-height=0.1 link=2"});
  for (const char* style : {"boxes", "birdseye", "scan"}) {
    Element& way = add_way(&element, std::string("overlay::legend=true overlay::style=") + style);
    way.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120}}};
  }
  rdp::obstacles::Parameters other = plain;
  other.known = {2, 60000};
  other.refine = false;
  other.min_height = 0.15;
  other.max_height = 0.5;
  other.ground_tolerance = 0.0;
  other.object_samples = 100000;
  Element bare = entry("with threads",
                       "threads=2 " + near +
                           "refine=false min-value=2 max-value=60000 min-height=0.15 "
                           "max-height=0.5 ground-tolerance=0 object-samples=100000",
                       other);
  bare.waits = 1;  // no objects, so no samples of them
  bare.expect_side = [other](const std::string&, const Contents& contents) -> Check {
    const Shape shape{GST_VIDEO_FORMAT_RGBA, contents[0].shape.width, contents[0].shape.height};
    return [shape, picture = picture_of(contents[0], other)](GstBuffer* output) {
      return same_samples(output, shape, picture.data());
    };
  };
  return {element, bare};
}

}  // namespace conformance
