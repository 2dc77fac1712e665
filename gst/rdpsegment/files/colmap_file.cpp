/* SPDX-License-Identifier: LGPL-2.1-or-later */
// COLMAP's cameras.txt. Each line is a camera: ID MODEL WIDTH HEIGHT PARAMETERS. The centre of the
// first pixel is (0.5, 0.5).
#include <algorithm>
#include <string_view>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

// A camera model. Its parameters are, in this order: one or two focal lengths, the principal point,
// and distortion coefficients in OpenCV's order.
struct Model {
  std::string_view name;
  std::size_t focals;
  std::size_t coefficients;
  std::string_view parameters;  // as errors list them
};
constexpr Model kModels[] = {
    {"SIMPLE_PINHOLE", 1, 0, "f, cx, cy"},
    {"PINHOLE", 2, 0, "fx, fy, cx, cy"},
    {"SIMPLE_RADIAL", 1, 1, "f, cx, cy, k"},
    {"RADIAL", 1, 2, "f, cx, cy, k1, k2"},
    {"OPENCV", 2, 4, "fx, fy, cx, cy, k1, k2, p1, p2"},
    {"FULL_OPENCV", 2, 8, "fx, fy, cx, cy, k1, k2, p1, p2, k3, k4, k5, k6"},
};
constexpr std::size_t kFirst = 4;  // index of the first parameter in a line

const Model* model_of(const Field& field) {
  std::string names;
  for (const Model& model : kModels) {
    if (field.node().text == model.name) return &model;
    names += (names.empty()                     ? ""
              : &model == std::end(kModels) - 1 ? " or "
                                                : ", ") +
             std::string(model.name);
  }
  field.fail(names +
             ": other lenses are not known. Undistort the pictures (colmap image_undistorter), and "
             "give the cameras.txt of those");
}

View read_camera(const Field& line) {
  if (line.size() < kFirst) {
    line.fail("ID, MODEL, WIDTH, HEIGHT and parameters, as in COLMAP's cameras.txt");
  }
  const Model& model = *model_of(line.at(1));
  const std::size_t centre = kFirst + model.focals;
  const std::size_t count = centre + 2 + model.coefficients;
  if (line.size() != count) {
    line.fail(std::to_string(line.size() - kFirst) + " parameters",
              std::to_string(count - kFirst) + " of " + std::string(model.name) + ": " +
                  std::string(model.parameters));
  }
  const auto number = [&](std::size_t i) { return line.at(i).number(); };
  View view(line);
  view.info.width = line.at(2).whole(1, 16384, "a width in pixels");
  view.info.height = line.at(3).whole(1, 16384, "a height in pixels");
  set_focal(line, number(kFirst), number(centre - 1), &view);
  view.info.principal_x = number(centre) - 0.5;
  view.info.principal_y = number(centre + 1) - 0.5;
  std::vector<double> coefficients;
  for (std::size_t i = centre + 2; i < count; ++i) coefficients.push_back(number(i));
  set_distortion(line, coefficients, &view);
  set_single(&view);
  return view;
}

}  // namespace

Views read_colmap(const Document& document) {
  const Field root(document);
  Views views;
  std::vector<std::string> ids;
  for (const std::string& name : root.node().names) {
    const Field line = *root.find(name);
    views.push_back(read_camera(line));
    const std::string& id = line.at(0).node().text;
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
      line.fail("camera " + id + " a second time", "each camera once");
    }
    ids.push_back(id);
  }
  return views;
}

}  // namespace rdp::calibration
