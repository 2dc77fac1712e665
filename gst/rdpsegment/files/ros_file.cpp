/* SPDX-License-Identifier: LGPL-2.1-or-later */
// ROS' camera_info: the file of camera_calibration and of camera_info_manager, and the message as
// `rostopic echo` prints it, in ROS 1 and 2.
#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

struct Camera {
  View raw;
  Matrix3 rectification = Motion{}.rotation;
  std::optional<Rectified> projection;
};

Camera read_camera(const Document& document) {
  const Field root(document);
  const bool message = !root.find("camera_matrix") && !root.find("image_width");
  const auto at = [&](std::string_view of_file, std::string_view of_message,
                      const std::string& expected) {
    if (!message) return root.at(of_file, expected);
    const std::string lower(1, g_ascii_tolower(of_message[0]));
    if (of_message.size() == 1 && !root.find(of_message) && root.find(lower)) {
      return root.at(lower, expected);
    }
    return root.at(of_message, expected);
  };
  const Field matrix = at("camera_matrix", "K", "the camera's matrix, 3 rows of 3 numbers");
  Camera camera{View(matrix), {}, {}};
  camera.rectification = Motion{}.rotation;
  View& view = camera.raw;
  set_camera_matrix(matrix, matrix.matrix(3, 3), &view);
  view.info.width =
      at("image_width", "width", "the picture's width").whole(1, 16384, "a width in pixels");
  view.info.height =
      at("image_height", "height", "the picture's height").whole(1, 16384, "a height in pixels");

  const std::string models = "plumb_bob or rational_polynomial";
  const Field model = at("distortion_model", "distortion_model", models);
  const bool nothing =
      model.is_nothing() || model.node().text.empty() || model.node().text == "none";
  const Field coefficients = at("distortion_coefficients", "D", "the distortion's coefficients");
  if (nothing) {
    const std::vector<double> values = coefficients.vector({0, 1, 4, 5, 8, 12, 14});
    if (!is_zero(values)) model.fail(models);
  } else if (model.text(models) == "plumb_bob") {
    set_distortion(coefficients, coefficients.vector({0, 4, 5}), &view);
  } else if (model.node().text == "rational_polynomial") {
    set_distortion(coefficients, coefficients.vector({8, 12, 14}), &view);
  } else {
    model.fail(models +
               ": other lenses are not known. Undistort the pictures and give the "
               "calibration of those");
  }

  // Drivers write zeros if they have no matrix.
  const Field rotation = at("rectification_matrix", "R", "the rectification, 3 rows of 3 numbers");
  if (!is_zero(rotation.matrix(3, 3))) camera.rectification = rotation_of(rotation);
  const Field projection = at("projection_matrix", "P", "the projection, 3 rows of 4 numbers");
  if (!is_zero(projection.matrix(3, 4))) camera.projection = rectified_of(projection);
  return camera;
}

// For a right camera without its left: assumes equal principal points, as rectification makes them.
void set_baseline_alone(const Rectified& projection, const Options& options, View* view) {
  std::vector<double> left = projection.p;
  left[3] = left[7] = 0.0;
  View left_view = *view;
  set_rectified_pair({projection.field, left}, projection, options, &left_view, view);
  view->info.disparity_offset = 0.0;
}

void set_size_of(const View& raw, View* view) {
  view->info.width = raw.info.width;
  view->info.height = raw.info.height;
}

}  // namespace

bool is_ros(const Field& root) {
  if (root.find({"distortion_model", "projection_matrix", "rectification_matrix"})) return true;
  return root.find("width") && root.find("height") && root.find({"K", "k", "P", "p"});
}

Views read_ros(const Documents& documents, const Options& options) {
  std::vector<Camera> cameras;
  for (const Document* document : documents) cameras.push_back(read_camera(*document));

  // Minus focal length times the distance from the reference camera: 0 for the left one of most
  // pairs. The reference of KITTI's colour cameras is a grey one.
  const auto shift = [](const Camera& camera) { return camera.projection->p[3]; };
  if (cameras.size() == 2 && cameras[0].projection && cameras[1].projection &&
      shift(cameras[0]) != 0.0 && cameras[0].projection->p == cameras[1].projection->p) {
    const Field& first = cameras[0].projection->field;
    cameras[1].projection->field.fail(
        "the same projection as " + first.file() + ":" + std::to_string(first.line()) +
            ", so no baseline",
        "that of the other camera of the pair: name the files of both");
  }
  const bool pair = cameras.size() == 2 && cameras[0].projection && cameras[1].projection &&
                    shift(cameras[0]) != shift(cameras[1]);
  Views views;
  if (pair) {
    // The files may come in any order.
    const std::size_t left = shift(cameras[0]) > shift(cameras[1]) ? 0 : 1;
    const std::size_t right = 1 - left;
    std::vector<View> rectified;
    for (const Camera& camera : cameras) {
      rectified.push_back(rectified_view(*camera.projection));
      set_size_of(camera.raw, &rectified.back());
    }
    set_rectified_pair(*cameras[left].projection, *cameras[right].projection, options,
                       &rectified[left], &rectified[right]);
    // The world is the left camera before rectification, which turns each camera by its own R.
    Motion turn;
    turn.rotation = transposed(cameras[left].rectification);
    Motion to_right;
    to_right.shift = {rectified[left].info.baseline, 0.0, 0.0};
    const Motion right_pose = after(turn, to_right);
    set_pose(turn, &rectified[left]);
    set_pose(right_pose, &rectified[right]);
    Motion back;
    back.rotation = cameras[right].rectification;
    set_pose(Motion{}, &cameras[left].raw);
    set_pose(after(right_pose, back), &cameras[right].raw);
    views = rectified;
  } else {
    for (const Camera& camera : cameras) {
      if (!camera.projection) continue;
      views.push_back(rectified_view(*camera.projection));
      set_size_of(camera.raw, &views.back());
      if (shift(camera) != 0.0) set_baseline_alone(*camera.projection, options, &views.back());
    }
  }
  for (Camera& camera : cameras) {
    if (pair) {
      camera.raw.info.baseline = views.front().info.baseline;
    } else {
      set_single(&camera.raw);
    }
    views.push_back(camera.raw);
  }
  return views;
}

}  // namespace rdp::calibration
