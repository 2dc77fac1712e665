// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/overlay.h"
#include "tests/heightmap/heights_expected.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>

#include "tests/conformance/entries.h"
#include "tests/support/temporary_files.h"

namespace conformance {
namespace {

using rdp::heightmap::Area;
using rdp::heightmap::Parameters;
using rdp::test::BlockCamera;
using rdp::test::ExpectedHeights;

const Area kArea = {{-1200, -1000}, {1200, -1000}, {1200, 1000}, {-1200, 1000}};
constexpr char kAreaText[] = "area=\"-1.2,-1 1.2,-1 1.2,1 -1.2,1\" cell-size=0.1 ";
constexpr int kCell = 100;

std::vector<BlockCamera> cameras_of(const Shapes& shapes) {
  std::vector<BlockCamera> cameras;
  for (const Shape& shape : shapes) {
    cameras.push_back(
        rdp::test::block_camera(static_cast<int>(cameras.size()), shape.width, shape.height));
  }
  return cameras;
}

Contents draw(const Shapes& shapes, unsigned scene) {
  Contents contents;
  for (const BlockCamera& camera : cameras_of(shapes)) {
    contents.emplace_back(shapes[contents.size()]);
    rdp::test::draw_block(camera, scene, contents.back().view());
  }
  return contents;
}

ExpectedHeights expected(const Contents& contents, const Parameters& parameters, int reference) {
  Shapes shapes;
  std::vector<rdp::DepthView> pictures;
  for (const Content& content : contents) {
    shapes.push_back(content.shape);
    pictures.push_back(content.view());
  }
  rdp::heightmap::Rig rig;
  rig.reference = reference;
  for (const BlockCamera& camera : cameras_of(shapes)) rig.views.push_back(camera.view);
  return rdp::test::expected_heights(rig, parameters, kArea, pictures);
}

std::vector<std::uint16_t> ground_of(const ExpectedHeights& of) {
  const rdp::heightmap::GroundGrid grid = rdp::heightmap::ground_grid(kArea, kCell);
  const auto width = static_cast<int>(grid.columns);
  const auto height = static_cast<int>(grid.rows);
  std::vector<std::uint16_t> cells(static_cast<std::size_t>(width) *
                                   static_cast<std::size_t>(height));
  rdp::heightmap::draw_ground(of.rig, of.parameters, of.map.labels, grid,
                              {reinterpret_cast<std::byte*>(cells.data()), 2 * width, width, height,
                               rdp::SampleType::kU16});
  return cells;
}

Content picture_of(const ExpectedHeights& of, const Content& seen) {
  Content picture({GST_VIDEO_FORMAT_RGBA, seen.shape.width, seen.shape.height});
  rdp::heightmap::OverlayScene scene;
  scene.picture = seen.view();
  scene.rig = &of.rig;
  scene.parameters = &of.parameters;
  scene.area = &kArea;
  scene.cell = kCell;
  scene.labels = of.map.labels;
  scene.heads = of.map.heads;
  rdp::heightmap::OverlayPainter(1).paint(
      scene, {},
      {picture.samples.data(), std::ptrdiff_t{4} * seen.shape.width, seen.shape.width,
       seen.shape.height});
  return picture;
}

// Adds the cameras to the buffers, each with the size of its picture.
void describe(std::size_t input, const Content& content, GstBuffer* buffer) {
  g_autoptr(GstRdpCamera) camera = rdp::test::new_camera(
      rdp::test::block_camera(static_cast<int>(input), content.shape.width, content.shape.height));
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

Element entry(const std::string& name, const std::string& settings, const Parameters& parameters,
              int reference, const std::vector<Shapes>& shapes) {
  Element element;
  element.name = "heightmap " + name;
  element.factory = "heightmap";
  element.settings = kAreaText + settings;
  element.inputs.clear();
  for (std::size_t i = 0; i < shapes[0].size(); ++i) {
    element.inputs.push_back("sink_" + std::to_string(i));
  }
  element.sides = {"overlay", "ground"};
  element.shapes = shapes;
  element.takes = kLumaTaken;
  element.remedy = kLumaRemedy;
  element.needs_all = true;
  element.in_place = false;
  element.waits = 2;
  // Crops of other sizes would need other cameras.
  element.crops = false;
  element.queries = 3 * shapes[0].size();
  element.draw = draw;
  element.main = static_cast<std::size_t>(reference);
  element.expect = [parameters, reference](const Contents& contents) -> Check {
    return [of = expected(contents, parameters, reference)](GstBuffer* output) {
      const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, of.rig.seen().width, of.rig.seen().height};
      const std::string wrong = same_samples(output, shape, of.heights.data());
      return wrong.empty() ? rdp::test::difference_of_metadata(of, output) : wrong;
    };
  };
  element.expect_side = [parameters, reference](const std::string& side,
                                                const Contents& contents) -> Check {
    const ExpectedHeights of = expected(contents, parameters, reference);
    if (side == "ground") {
      return [cells = ground_of(of)](GstBuffer* output) {
        return same_samples(output, {GST_VIDEO_FORMAT_GRAY16_LE, 24, 20}, cells.data());
      };
    }
    const Content picture = picture_of(of, contents[static_cast<std::size_t>(reference)]);
    return [picture](GstBuffer* output) {
      return same_samples(output, picture.shape, picture.samples.data());
    };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_heightmap() {
  Parameters plain;
  plain.min_height = 400;
  plain.max_height = 800;
  plain.height_step = 50;
  plain.window = 3;
  plain.speckle = 4;
  plain.iterations = 6;
  Parameters other = plain;
  other.slope = false;
  other.low_step = 0;
  other.window = 5;
  other.tolerance = 100;
  other.iterations = 30;
  const Shape large{GST_VIDEO_FORMAT_GRAY8, 40, 30};
  const Shape small{GST_VIDEO_FORMAT_GRAY8, 34, 25};
  const std::string heights = "min-height=0.4 max-height=0.8 height-step=0.05 speckle=4 ";
  Element views = entry("plain", heights + "window=3 iterations=6 threads=1", plain, 0,
                        {{large, large}, {small, large}, {large, small}});
  views.describe = describe;
  // A wrong picture size would lose the camera.
  views.layouts = false;
  views.metas = 2 * views.inputs.size();
  for (const char* style : {"heights", "heads", "birdseye"}) {
    add_way(&views,
            std::string("threads=3 output=depth-mm overlay::legend=true overlay::style=") + style);
  }

  Element second = entry("of the second of three",
                         heights +
                             "slope=false low-step=0 window=5 tolerance=100 iterations=30 "
                             "reference=1 threads=2 table-memory=0 track-heads=true",
                         other, 1, {{large, small, large}});
  second.prepare = [](GstElement* element) {
    static rdp::test::Folder folder;
    static const std::string file = folder.write(
        "views.json", rdp::test::block_calibration(cameras_of({{GST_VIDEO_FORMAT_GRAY8, 40, 30},
                                                               {GST_VIDEO_FORMAT_GRAY8, 34, 25},
                                                               {GST_VIDEO_FORMAT_GRAY8, 40, 30}})));
    g_object_set(element, "calibration", file.c_str(), nullptr);
  };
  return {views, second};
}

}  // namespace conformance
