/* SPDX-License-Identifier: LGPL-2.1-or-later */
// The calib.txt of a rectified pair, as Middlebury (2014 and later) and ETH3D have it. Lengths are
// millimetres.
#include <cmath>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

// Files round the offset and the principal points to a thousandth of a pixel, at most sizes.
constexpr double kSameOffset = 0.05;

Rectified read_camera(const Field& root, const char* name) {
  const std::string expected = "the camera's matrix, [f 0 cx; 0 f cy; 0 0 1]";
  const Field field = root.at(name, expected);
  const std::vector<double> m = field.numbers(9, "9 numbers: " + expected);
  View view(field);
  set_camera_matrix(field, m, &view);
  return {field, {m[0], m[1], m[2], 0.0, m[3], m[4], m[5], 0.0, m[6], m[7], m[8], 0.0}};
}

}  // namespace

Views read_middlebury(const Document& document) {
  const Field root(document);
  const Rectified left = read_camera(root, "cam0");
  const Rectified right = read_camera(root, "cam1");
  check_alike(left, right);
  const Field baseline = root.at("baseline", "a length in millimetres");
  const double metres = baseline.number("a length in millimetres") * 0.001;
  check_baseline(baseline, metres, Unit::kStated);
  double offset = right.p[2] - left.p[2];
  if (const auto doffs = root.find("doffs")) {
    const double stated = doffs->number("an offset of disparity in pixels");
    if (std::fabs(stated - offset) > kSameOffset) {
      doffs->fail(to_text(stated) + " px", to_text(offset) +
                                               " px, the distance of the principal points of cam1 "
                                               "and cam0: all values for one size of the pictures");
    }
    offset = stated;
  }
  const auto width = root.find("width");
  const auto height = root.find("height");
  Views views{rectified_view(left), rectified_view(right)};
  for (View& view : views) {
    view.info.baseline = metres;
    view.info.disparity_offset = offset;
    if (!width && !height) continue;
    view.info.width = root.at("width", "the picture's width, as height is there")
                          .whole(1, 16384, "a width in pixels");
    view.info.height = root.at("height", "the picture's height, as width is there")
                           .whole(1, 16384, "a height in pixels");
  }
  Motion to_right;
  to_right.shift = {metres, 0.0, 0.0};
  set_pose(Motion{}, &views[0]);
  set_pose(to_right, &views[1]);
  return views;
}

}  // namespace rdp::calibration
