/* SPDX-License-Identifier: LGPL-2.1-or-later */
// Kalibr's camchain: cam0, cam1, … in one YAML file, each with its motion from the one before.
#include <cmath>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

Motion motion_of(const Field& field, double unit) {
  const std::vector<double> values = field.matrix(4, 4);
  if (values[12] != 0.0 || values[13] != 0.0 || values[14] != 0.0 || values[15] != 1.0) {
    field.fail("another last row", "0 0 0 1 there");
  }
  // Its first three rows and columns are a rotation: asked as one, under this field's name.
  Document part;
  part.file = field.file();
  part.root.kind = Node::Kind::kList;
  part.root.line = field.line();
  for (std::size_t i = 0; i < 12; ++i) {
    if (i % 4 == 3) continue;
    Node number;
    number.kind = Node::Kind::kText;
    gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];
    number.text = g_ascii_dtostr(buffer, sizeof buffer, values[i]);
    number.line = field.line();
    part.root.items.push_back(number);
  }
  Motion motion;
  motion.rotation = rotation_of(Field(part).named(field.path()));
  motion.shift = {values[3] * unit, values[7] * unit, values[11] * unit};
  return motion;
}

View read_camera(const Field& camera) {
  View view(camera);
  if (const auto model = camera.find("camera_model")) {
    if (model->text("pinhole") != "pinhole") {
      model->fail("pinhole: other cameras are not known. Calibrate again with pinhole-radtan");
    }
  }
  const Field intrinsics = camera.at("intrinsics", "4 numbers: fu, fv, pu, pv");
  const std::vector<double> values = intrinsics.numbers(4, "4 numbers: fu, fv, pu, pv");
  set_focal(intrinsics, values[0], values[1], &view);
  view.info.principal_x = values[2];
  view.info.principal_y = values[3];
  const Field model = camera.at("distortion_model", "radtan or none");
  const std::string& name = model.text("radtan or none");
  if (name == "radtan") {
    const Field coefficients = camera.at("distortion_coeffs", "4 numbers: k1, k2, p1, p2");
    set_distortion(coefficients, coefficients.numbers(4, "4 numbers: k1, k2, p1, p2"), &view);
  } else if (name != "none") {
    model.fail(
        "radtan or none: other lenses are not known. Calibrate again with pinhole-radtan, or "
        "undistort the pictures and give the calibration of those");
  }
  const Field resolution = camera.at("resolution", "2 numbers: width and height of the picture");
  if (!resolution.is_list() || resolution.size() != 2) {
    resolution.fail("2 numbers: width and height of the picture");
  }
  view.info.width = resolution.at(0).whole(1, 16384, "a width in pixels");
  view.info.height = resolution.at(1).whole(1, 16384, "a height in pixels");
  return view;
}

}  // namespace

Views read_kalibr(const Document& document, const Options& options) {
  const Field root(document);
  Views views;
  const std::string expected = "the motion from the camera before: 4 rows of 4 numbers";
  for (std::size_t i = 0;; ++i) {
    const auto camera = root.find("cam" + std::to_string(i));
    if (!camera) break;
    views.push_back(read_camera(*camera));
    if (i == 0) continue;
    const Field field = camera->at("T_cn_cnm1", expected);
    const Motion motion = motion_of(field, options.unit);
    set_pose(i == 1 ? Motion{} : pose_of(views[i - 1]), &views[i - 1]);
    set_raw_pair(field, motion, Unit::kOptions, &views[i - 1], &views[i]);
  }
  // Of three and more, none is the other one of a pair.
  if (views.size() != 2) {
    for (View& view : views) {
      view.info.baseline = 0.0;
      view.info.disparity_offset = 0.0;
      set_single(&view);
    }
  }
  return views;
}

}  // namespace rdp::calibration
