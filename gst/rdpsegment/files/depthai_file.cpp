/* SPDX-License-Identifier: LGPL-2.1-or-later */
// DepthAI's calibration as OAK cameras keep it, in JSON. Lengths are centimetres.
#include <algorithm>
#include <cmath>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

struct Camera {
  int socket;
  View view;
  Field field;
  int to = -1;  // `motion` maps points to the camera of this socket; -1: none
  Motion motion;
};

// Sockets are small numbers; -1 is none.
int socket_of(const Field& field) {
  const double value = field.number("the number of a socket");
  if (!(value >= -1.0 && value <= 255.0) || value != std::floor(value)) {
    field.fail("the number of a socket");
  }
  return static_cast<int>(value);
}

bool is_empty(const Field& camera) {
  const auto width = camera.find("width");
  return !width || width->node().text == "0";
}

Camera read_camera(int socket, const Field& field) {
  Camera camera{socket, View(field), field, -1, {}};
  View& view = camera.view;
  if (const auto type = field.find("cameraType")) {
    if (type->number() != 0.0) {
      type->fail(
          "0, perspective: fisheye lenses are not known. Undistort the pictures and give the "
          "calibration of those");
    }
  }
  const Field matrix = field.at("intrinsicMatrix", "3 rows of 3 numbers");
  set_camera_matrix(matrix, matrix.matrix(3, 3), &view);
  const Field distortion = field.at("distortionCoeff", "14 coefficients of distortion");
  set_distortion(distortion, distortion.vector({0, 4, 5, 8, 12, 14}), &view);
  view.info.width = field.at("width", "the picture's width").whole(1, 16384, "a width in pixels");
  view.info.height =
      field.at("height", "the picture's height").whole(1, 16384, "a height in pixels");

  const auto extrinsics = field.find("extrinsics");
  if (!extrinsics) return camera;
  camera.to = socket_of(extrinsics->at("toCameraSocket", "the number of a socket"));
  if (camera.to < 0) return camera;
  camera.motion.rotation = rotation_of(extrinsics->at("rotationMatrix", "3 rows of 3 numbers"));
  const Field shift = extrinsics->at("translation", "x, y and z in centimetres");
  constexpr const char* kAxes[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string expected = "a length in centimetres";
    camera.motion.shift[i] = shift.at(kAxes[i], expected).number(expected) * 0.01;
  }
  return camera;
}

// Sets the poses of all cameras that are linked, directly or not, to camera `world`.
void link(std::vector<Camera>* cameras, std::size_t world) {
  set_pose(Motion{}, &(*cameras)[world].view);
  for (bool more = true; more;) {
    more = false;
    for (Camera& camera : *cameras) {
      for (Camera& other : *cameras) {
        if (camera.to != other.socket || &camera == &other) continue;
        const bool known = camera.view.info.has_pose != FALSE;
        if (known == (other.view.info.has_pose != FALSE)) continue;
        more = true;
        if (known) {
          set_pose(after(pose_of(camera.view), inverse(camera.motion)), &other.view);
        } else {
          set_pose(after(pose_of(other.view), camera.motion), &camera.view);
        }
      }
    }
  }
}

}  // namespace

Views read_depthai(const Document& document, const Options&) {
  const Field root(document);
  const Field data = root.at("cameraData", "a list of cameras");
  const std::string expected = "a list of [socket, camera]";
  if (!data.is_list()) data.fail(expected);
  std::vector<Camera> cameras;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Field entry = data.at(i);
    if (!entry.is_list() || entry.size() != 2 || !entry.at(1).is_map())
      entry.fail("[socket, camera]");
    const int socket = socket_of(entry.at(0));
    if (std::any_of(cameras.begin(), cameras.end(),
                    [&](const Camera& camera) { return camera.socket == socket; })) {
      entry.at(0).fail("socket " + std::to_string(socket) + " a second time", "each socket once");
    }
    if (!is_empty(entry.at(1))) cameras.push_back(read_camera(socket, entry.at(1)));
  }
  if (cameras.empty()) data.fail("no camera with a width", "at least one camera");

  // The pair: as stated in the file, else sockets 1 and 2, which are left and right on all boards.
  int left = 1;
  int right = 2;
  if (const auto stereo = root.find("stereoRectificationData")) {
    const auto l = stereo->find("leftCameraSocket");
    const auto r = stereo->find("rightCameraSocket");
    if (l && r && socket_of(*l) >= 0 && socket_of(*r) >= 0) {
      left = socket_of(*l);
      right = socket_of(*r);
    }
  }
  const auto place = [&](int socket) {
    std::size_t i = 0;
    while (i < cameras.size() && cameras[i].socket != socket) ++i;
    return i;
  };
  const std::size_t left_place = place(left);
  const std::size_t right_place = place(right);
  const bool pair = left_place < cameras.size() && right_place < cameras.size() && left != right;
  if (cameras.size() > 1) link(&cameras, pair ? left_place : 0);
  for (Camera& camera : cameras) set_single(&camera.view);
  if (pair && cameras[right_place].view.info.has_pose) {
    View& right_view = cameras[right_place].view;
    const Motion right_from_left = inverse(pose_of(right_view));
    const Camera& linked =
        cameras[left_place].to == right ? cameras[left_place] : cameras[right_place];
    const auto extrinsics = linked.field.find("extrinsics");
    const auto shift = extrinsics ? extrinsics->find("translation") : std::nullopt;
    set_raw_pair(shift ? *shift : linked.field, right_from_left, Unit::kStated,
                 &cameras[left_place].view, &right_view);
  }
  Views views;
  for (const Camera& camera : cameras) views.push_back(camera.view);
  return views;
}

}  // namespace rdp::calibration
