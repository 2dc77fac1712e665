// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cmath>
#include <cstring>
#include <memory>

#include "common/planes/pictures/overlay.h"
#include "tests/conformance/entries.h"
#include "tests/depthplanes/cloud_rig.h"
#include "tests/depthplanes/planes_expected.h"

namespace conformance {
namespace {

const Shape kFrame{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};

// One camera for frames of all sizes, set by properties.
rdp::MetricCamera camera() {
  return rdp::test::plane_camera(kFrame.width, kFrame.height, rdp::SampleType::kU16);
}

// The expected picture of the pad `overlay`.
std::vector<std::uint8_t> picture_of(const Content& content) {
  planes_rig::Expected expected = planes_rig::expect(content.view(), camera());
  const int width = content.shape.width;
  const int height = content.shape.height;
  const rdp::MetricCamera metres = camera();
  const rdp::planes::Parameters parameters;
  std::vector<std::uint8_t> picture(4 * expected.labels.size());
  rdp::planes::OverlayPainter(1).paint(
      content.view(),
      {reinterpret_cast<std::byte*>(expected.labels.data()), width, width, height,
       rdp::SampleType::kU8},
      {&metres, &parameters, &expected.set, {}}, {},
      {reinterpret_cast<std::byte*>(picture.data()), std::ptrdiff_t{4} * width, width, height});
  return picture;
}

Element frames_entry(const std::string& name, const std::string& settings, bool labels) {
  Element element;
  element.name = "depthplanes " + name;
  element.factory = "depthplanes";
  element.settings = settings;
  element.sides = {"overlay"};
  element.in_place = !labels;
  element.waits = labels ? 2 : 1;
  if (!labels) element.metas = 2;  // planes, and the camera from the properties
  element.shapes = {{kFrame},
                    {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
                    {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}},
                    {{GST_VIDEO_FORMAT_GRAY8, 31, 77}}};
  element.prepare = [](GstElement* made) { planes_rig::set_camera(made, camera()); };
  element.draw = [](const Shapes& shapes, unsigned scene) {
    Contents contents{Content(shapes[0])};
    rdp::test::draw_planes(contents[0].view(), rdp::test::PlaneKind::kRoom, scene + 1);
    return contents;
  };
  element.expect = [labels](const Contents& contents) -> Check {
    const auto expected =
        std::make_shared<planes_rig::Expected>(planes_rig::expect(contents[0].view(), camera()));
    return [=, content = contents[0]](GstBuffer* output) {
      const std::string wrong =
          planes_rig::difference(gst_rdp_buffer_get_planes(output), *expected);
      if (!wrong.empty()) return wrong;
      if (!labels) return same_samples(output, content.shape, content.samples.data());
      const Shape shape{GST_VIDEO_FORMAT_GRAY8, content.shape.width, content.shape.height};
      return same_samples(output, shape, expected->labels.data());
    };
  };
  element.expect_side = [](const std::string&, const Contents& contents) -> Check {
    const Shape shape{GST_VIDEO_FORMAT_RGBA, contents[0].shape.width, contents[0].shape.height};
    return [=, picture = picture_of(contents[0])](GstBuffer* output) {
      return same_samples(output, shape, picture.data());
    };
  };
  return element;
}

// A frame with the bytes of a cloud.
Content cloud(unsigned scene) {
  const std::vector<float> points = cloud_rig::draw(600, scene + 1);
  Content content({GST_VIDEO_FORMAT_GRAY8, 12 * 30, 20});
  std::memcpy(content.samples.data(), points.data(), content.samples.size());
  return content;
}

Element clouds_entry(bool labels) {
  Element element;
  element.name = labels ? "depthplanes with labels of points" : "depthplanes of clouds";
  element.factory = "depthplanes";
  element.settings = labels ? "threads=1 output=labels" : "threads=1";
  element.in_place = !labels;
  element.pictures = element.crops = false;
  // The stand-in lacks the kernels for clouds; the emulator's tests run them.
  element.on_gpu = false;
  element.shapes = {{{GST_VIDEO_FORMAT_GRAY8, 12 * 30, 20}}};
  element.draw = [](const Shapes&, unsigned scene) { return Contents{cloud(scene)}; };
  element.caps = [](std::size_t, const Shape&) { return std::string(kCloudCaps); };
  element.expect = [labels](const Contents& contents) -> Check {
    rdp::planes::CloudView view;
    view.data = contents[0].samples.data();
    view.step = 12;
    view.points = 600;
    view.unit = 1.0;
    const auto expected = std::make_shared<planes_rig::Expected>();
    expected->labels.resize(view.points);
    expected->set = rdp::planes::reference::find_in_cloud(view, {}, expected->labels.data());
    return [=, content = contents[0]](GstBuffer* output) {
      const std::string wrong =
          planes_rig::difference(gst_rdp_buffer_get_planes(output), *expected);
      if (!wrong.empty()) return wrong;
      if (!labels) return same_samples(output, content.shape, content.samples.data());
      std::string points;
      for (std::size_t i = 0; i < expected->labels.size(); ++i) {
        const auto* xyz = reinterpret_cast<const char*>(content.samples.data()) + 12 * i;
        points.append(xyz, 12);
        points.push_back(static_cast<char>(expected->labels[i]));
        points.append(3, '\0');
      }
      const std::vector<std::uint8_t> got = frames::bytes(output);
      return std::string(got.begin(), got.end()) == points ? std::string() : "other points";
    };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_depthplanes() {
  Element frames = frames_entry("plain", "threads=1", false);
  add_way(&frames, "threads=3").shapes = {{{GST_VIDEO_FORMAT_GRAY8, 65, 33}}};
  add_way(&frames, "up=<0.1,-0.9,0.2> noise=0.002 directions=30 rounds=2");
  for (const char* style : {"planes", "normals", "nodes", "residual", "depth"}) {
    Element& way = add_way(&frames, std::string("overlay::legend=true overlay::style=") + style);
    way.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120}}};
    way.prepare = [](GstElement* made) {
      planes_rig::set_camera(made, rdp::test::plane_camera(160, 120, rdp::SampleType::kU16));
    };
  }
  Element clouds = clouds_entry(false);
  add_way(&clouds, "tolerance=0.05 resolution=0.001");
  return {frames, frames_entry("with labels and threads", "threads=2 output=labels", true), clouds,
          clouds_entry(true)};
}

}  // namespace conformance
