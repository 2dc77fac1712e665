// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/conformance/entries.h"
#include "tests/points/clouds.h"

namespace conformance {

std::vector<Element> entries_of_depthpoints() {
  Element element;
  element.name = "depthpoints";
  element.factory = "depthpoints";
  element.settings =
      "threads=1 focal-length=50 principal-x=11 principal-y=7 depth-unit=0.001 min-value=5";
  element.in_place = false;
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
  return {element};
}

}  // namespace conformance
