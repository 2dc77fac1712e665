// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_CAMERA_MESSAGE_H_
#define RDP_GST_ELEMENTS_MCAP_CAMERA_MESSAGE_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <array>
#include <optional>
#include <string>

#include "common/mcap/messages.h"

// Conversion between cameras and ROS messages.
namespace rdp::gst {

// Makes a CameraInfo without a header. It refers to its coefficients in `d`, which must outlive it.
ros::CameraInfo camera_message(const GstRdpCameraInfo& camera, std::array<double, 8>* d);

// The camera of a topic's pictures, which are `rectified` or not. None if the message has no
// camera, or if it is unusable: then *warning says why.
std::optional<GstRdpCameraInfo> camera_of_message(const ros::CameraInfo& message, bool rectified,
                                                  std::string* warning);

// The camera's pose in the world; the camera must have one.
ros::Transform pose_message(const GstRdpCameraInfo& camera);

// The unit quaternion (w >= 0) of a rotation of three rows, computed from its largest component.
ros::Quaternion quaternion_of(const double (&rows)[9]);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_CAMERA_MESSAGE_H_
