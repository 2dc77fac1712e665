// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cstring>

#include "tests/conformance/entries.h"
#include "tests/points/clouds.h"

namespace conformance {
namespace {

// Points with the colours of pictures.
Element coloured() {
  Element element;
  element.name = "depthpoints with video";
  element.factory = "depthpoints";
  element.settings = "threads=1 focal-length=50 principal-x=11 principal-y=7 depth-unit=0.001";
  element.inputs = {"sink", "video"};
  element.in_place = false;
  element.queries = 6;
  // The pictures must be in system memory.
  element.on_gpu = element.on_nvmm = false;
  element.crops = false;  // neither depth nor pictures
  element.shapes.clear();
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_BGRA,
        GST_VIDEO_FORMAT_GRAY8}) {
    element.shapes.push_back({{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}, {format, 24, 16}});
  }
  element.draw = [](const Shapes& shapes, unsigned scene) {
    Contents contents{frames::draw(shapes[0], frames::Scene::kSurface, scene + 1),
                      Content(shapes[1])};
    for (std::size_t i = 0; i < contents[1].samples.size(); ++i) {
      contents[1].samples[i] = static_cast<std::byte>(i * 37 + i / 251 + scene);
    }
    return contents;
  };
  element.expect = [](const Contents& contents) -> Check {
    const rdp::MetricCamera camera{{50.0, 50.0, 11.0, 7.0, {}}, {false, 0.0, 0.001, 0.0}};
    const std::vector<float> points =
        rdp::points::test::expected_cloud(contents[0].view(), &camera, {});
    const GstVideoFormat format = contents[1].shape.format;
    const bool grey = format == GST_VIDEO_FORMAT_GRAY8;
    const bool blue_first = format == GST_VIDEO_FORMAT_BGR || format == GST_VIDEO_FORMAT_BGRA;
    const std::size_t pixel = contents[1].samples.size() / (points.size() / 3);
    std::vector<std::uint8_t> expected(points.size() / 3 * 16);
    for (std::size_t i = 0; i < points.size() / 3; ++i) {
      std::memcpy(&expected[16 * i], &points[3 * i], 12);
      for (std::size_t c = 0; c < 4; ++c) {
        const std::size_t part = grey ? 0 : blue_first && c < 3 ? 2 - c : c;
        expected[16 * i + 12 + c] =
            c == 3 && pixel < 4 ? 255
                                : static_cast<std::uint8_t>(contents[1].samples[pixel * i + part]);
      }
    }
    return [=](GstBuffer* output) -> std::string {
      return frames::bytes(output) == expected ? "" : "another cloud";
    };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_depthpoints() {
  Element element;
  element.name = "depthpoints";
  element.factory = "depthpoints";
  element.settings =
      "threads=1 focal-length=50 principal-x=11 principal-y=7 depth-unit=0.001 min-value=5";
  element.in_place = false;
  element.aggregates = true;
  element.queries = 3;
  element.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}},
                    {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
                    {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}},
                    {{GST_VIDEO_FORMAT_GRAY8, 31, 77}}};
  element.expect = [](const Contents& contents) -> Check {
    const rdp::MetricCamera camera{{50.0, 50.0, 11.0, 7.0, {}}, {false, 0.0, 0.001, 0.0}};
    rdp::points::Parameters parameters;
    parameters.known.first = 5;
    const int width = contents[0].shape.width;
    const std::vector<float> expected =
        rdp::points::test::expected_cloud(contents[0].view(), &camera, parameters);
    return [=](GstBuffer* output) -> std::string {
      std::vector<float> points(expected.size());
      const gsize bytes = points.size() * sizeof(float);
      if (gst_buffer_get_size(output) != bytes) return "a cloud of another size";
      gst_buffer_extract(output, 0, points.data(), bytes);
      return rdp::points::test::difference(expected, points.data(), width);
    };
  };
  add_ways(&element, {"threads=3", "axes=forward-left-up"});
  add_way(&element, "").settings =
      "focal-length=50 principal-x=11.3 principal-y=7.1 baseline=0.11 disparity-unit=0.3333 "
      "disparity-offset=-0.7";
  Element& distorted = add_way(&element, "");
  distorted.settings =
      "calibration=" RDP_SOURCES "/tests/library/camera_files/opencv.json depth-unit=0.001";
  distorted.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 640, 480}}};
  return {element, coloured()};
}

}  // namespace conformance
