/* SPDX-License-Identifier: LGPL-2.1-or-later */
// Kalibr's camchain: cam0, cam1, … in one YAML file, each with the motion from the previous camera.
// ASL's sensor.yaml, as in EuRoC, has one such camera and its pose on the body.
#include <cmath>
#include <optional>
#include <utility>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

Motion motion_of(const Field& field, double unit) {
  const std::vector<double> values = field.matrix(4, 4);
  if (values[12] != 0.0 || values[13] != 0.0 || values[14] != 0.0 || values[15] != 1.0) {
    field.fail("another last row", "0 0 0 1 there");
  }
  // Checks the upper left 3x3 part as a rotation; errors name this field.
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

// The keys that differ between Kalibr's files and ASL's datasets.
struct Names {
  const char* coefficients;
  const char* models;  // of distortion, as errors list them
};
constexpr Names kKalibr{"distortion_coeffs", "radtan or none"};
constexpr Names kAsl{"distortion_coefficients", "radial-tangential or none"};

View read_camera(const Field& camera, const Names& names) {
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
  const Field model = camera.at("distortion_model", names.models);
  const std::string& name = model.text(names.models);
  if (name == "radtan" || name == "radial-tangential" || name == "plumb_bob") {
    const std::string expected = "4 numbers: k1, k2, p1, p2, or 5 with k3";
    const Field coefficients = camera.at(names.coefficients, expected);
    const std::size_t count = coefficients.size() == 5 ? 5 : 4;
    set_distortion(coefficients, coefficients.numbers(count, expected), &view);
  } else if (name != "none") {
    model.fail(std::string(names.models) +
               ": other lenses are not known. Calibrate again with pinhole-radtan, or "
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

// The pose of the inertial sensor in the camera's frame, if the file has it.
std::optional<Motion> camera_from_imu(const Field& camera, double unit) {
  if (const auto field = camera.find("T_cam_imu")) return motion_of(*field, unit);
  if (const auto field = camera.find("T_imu_cam")) return inverse(motion_of(*field, unit));
  return std::nullopt;
}

// The motion from a camera to the next one, and the field that states it.
std::pair<Motion, Field> motion_between(const Field& before, const Field& camera, double unit) {
  if (const auto field = camera.find("T_cn_cnm1")) return {motion_of(*field, unit), *field};
  const auto first = camera_from_imu(before, unit);
  const auto second = camera_from_imu(camera, unit);
  if (!first || !second) {
    camera.at("T_cn_cnm1",
              "the motion from the camera before: 4 rows of 4 numbers; or T_cam_imu of both");
  }
  return {after(*second, inverse(*first)), *camera.find({"T_cam_imu", "T_imu_cam"})};
}

}  // namespace

Views read_kalibr(const Document& document, const Options& options) {
  const Field root(document);
  Views views;
  std::optional<Field> before;
  for (std::size_t i = 0;; ++i) {
    const auto camera = root.find("cam" + std::to_string(i));
    if (!camera) break;
    views.push_back(read_camera(*camera, kKalibr));
    if (before) {
      const auto [motion, field] = motion_between(*before, *camera, options.unit);
      set_pose(i == 1 ? Motion{} : pose_of(views[i - 1]), &views[i - 1]);
      set_raw_pair(field, motion, Unit::kOptions, &views[i - 1], &views[i]);
    }
    before = camera;
  }
  // Three or more cameras are no stereo pair, so no baseline is known.
  if (views.size() != 2) {
    for (View& view : views) {
      view.info.baseline = 0.0;
      view.info.disparity_offset = 0.0;
      set_single(&view);
    }
  }
  return views;
}

bool is_asl(const Field& root) {
  const auto intrinsics = root.find("intrinsics");
  return (intrinsics && intrinsics->is_list()) || root.find({"sensor_type", "T_BS"});
}

// T_BS maps points from the sensor to the body, in metres: the body is the world.
Views read_asl(const Documents& documents) {
  Views views;
  std::vector<Field> poses;
  for (const Document* document : documents) {
    const Field root(*document);
    if (const auto type = root.find("sensor_type")) {
      if (type->node().text != "camera") type->fail("camera: the sensor.yaml of a camera");
    }
    View view = read_camera(root, kAsl);
    if (const auto field = root.find("T_BS")) {
      set_pose(motion_of(*field, 1.0), &view);
      poses.push_back(*field);
    }
    set_single(&view);
    views.push_back(view);
  }
  if (views.size() == 2 && poses.size() == 2) {
    const Motion right_from_left = after(inverse(pose_of(views[1])), pose_of(views[0]));
    set_raw_pair(poses[1], right_from_left, Unit::kStated, &views[0], &views[1]);
  }
  return views;
}

}  // namespace rdp::calibration
