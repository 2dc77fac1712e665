// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/camera_message.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace rdp::gst {
namespace {

constexpr double kOne[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// Adapts the camera to a picture that is a part of the sensor's, with binned pixels or not.
void take_part(const ros::CameraInfo& message, GstRdpCameraInfo* camera) {
  const ros::RegionOfInterest& roi = message.roi;
  if (roi.width > 0 && roi.height > 0) {
    camera->principal_x -= roi.x_offset;
    camera->principal_y -= roi.y_offset;
    camera->width = roi.width;
    camera->height = roi.height;
  }
  const double by_x = std::max(message.binning_x, 1U);
  const double by_y = std::max(message.binning_y, 1U);
  camera->focal_length /= by_x;
  camera->focal_length_y /= by_y;
  camera->principal_x = (camera->principal_x + 0.5) / by_x - 0.5;
  camera->principal_y = (camera->principal_y + 0.5) / by_y - 0.5;
  camera->width /= std::max(message.binning_x, 1U);
  camera->height /= std::max(message.binning_y, 1U);
}

bool take_distortion(const ros::CameraInfo& message, GstRdpCameraInfo* camera,
                     std::string* warning) {
  const std::size_t count = message.d.size();
  bool none = true;
  for (std::size_t i = 0; i < count; ++i) none = none && message.d[i] == 0.0;
  if (none) return true;
  const std::string_view model = message.distortion_model;
  if ((model == "plumb_bob" || model == "rational_polynomial") && count >= 4 && count <= 8) {
    for (std::size_t i = 0; i < count; ++i) camera->distortion[i] = message.d[i];
    return true;
  }
  *warning = "its distortion model is \"" + std::string(model) + "\" with " +
             std::to_string(count) +
             " coefficients, expected plumb_bob or rational_polynomial with 4 to 8: record "
             "undistorted pictures, or set the camera on the elements that follow";
  return false;
}

}  // namespace

ros::CameraInfo camera_message(const GstRdpCameraInfo& camera, std::array<double, 8>* d) {
  ros::CameraInfo message;
  message.height = camera.height;
  message.width = camera.width;
  std::copy(std::begin(camera.distortion), std::end(camera.distortion), d->begin());
  const bool rational = std::any_of(d->begin() + 5, d->end(), [](double k) { return k != 0.0; });
  message.distortion_model = rational ? "rational_polynomial" : "plumb_bob";
  if (!camera.rectified) {
    message.d = ros::Packed<double>(std::span<const double>(*d).first(rational ? 8 : 5));
  }
  const double fx = camera.focal_length;
  const double fy = camera.focal_length_y;
  message.k = {fx, 0, camera.principal_x, 0, fy, camera.principal_y, 0, 0, 1};
  std::copy(std::begin(kOne), std::end(kOne), message.r.begin());
  message.p = {fx, 0, camera.principal_x, 0, 0, fy, camera.principal_y, 0, 0, 0, 1, 0};
  return message;
}

std::optional<GstRdpCameraInfo> camera_of_message(const ros::CameraInfo& message, bool rectified,
                                                  std::string* warning) {
  GstRdpCameraInfo camera;
  gst_rdp_camera_info_init(&camera);
  const auto at = [&](std::size_t row, std::size_t column) {
    return rectified ? message.p[4 * row + column] : message.k[3 * row + column];
  };
  if (message.k[0] == 0.0 || !(at(0, 0) > 0.0) || !(at(1, 1) > 0.0)) return std::nullopt;
  camera.width = message.width;
  camera.height = message.height;
  camera.focal_length = at(0, 0);
  camera.focal_length_y = at(1, 1);
  camera.principal_x = at(0, 2);
  camera.principal_y = at(1, 2);
  camera.rectified = rectified;
  if (!rectified && !take_distortion(message, &camera, warning)) return std::nullopt;
  take_part(message, &camera);
  return camera;
}

ros::Quaternion quaternion_of(const double (&m)[9]) {
  // Four times the square of each component, w first.
  const double squares[4] = {1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8],
                             1 - m[0] - m[4] + m[8]};
  const auto largest = std::max_element(std::begin(squares), std::end(squares)) - squares;
  double q[4] = {};  // w, x, y, z, times four times the largest
  switch (largest) {
    case 0:
      q[0] = squares[0], q[1] = m[7] - m[5], q[2] = m[2] - m[6], q[3] = m[3] - m[1];
      break;
    case 1:
      q[0] = m[7] - m[5], q[1] = squares[1], q[2] = m[1] + m[3], q[3] = m[2] + m[6];
      break;
    case 2:
      q[0] = m[2] - m[6], q[1] = m[1] + m[3], q[2] = squares[2], q[3] = m[5] + m[7];
      break;
    default:
      q[0] = m[3] - m[1], q[1] = m[2] + m[6], q[2] = m[5] + m[7], q[3] = squares[3];
  }
  double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (q[0] < 0.0) length = -length;
  return {q[1] / length, q[2] / length, q[3] / length, q[0] / length};
}

ros::Transform pose_message(const GstRdpCameraInfo& camera) {
  const double(&p)[12] = camera.pose;
  return {{p[3], p[7], p[11]},
          quaternion_of({p[0], p[1], p[2], p[4], p[5], p[6], p[8], p[9], p[10]})};
}

}  // namespace rdp::gst
