// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_CAMERA_MESSAGE_H_
#define RDP_GST_ELEMENTS_MCAP_CAMERA_MESSAGE_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <array>
#include <optional>
#include <string>

#include "common/mcap/messages.h"

// A camera as messages of ROS, and back.
namespace rdp::gst {

// A CameraInfo without its header. `d` has the message's coefficients, and stays as long.
ros::CameraInfo camera_message(const GstRdpCameraInfo& camera, std::array<double, 8>* d);

// The camera of pictures of a topic. `rectified`: they are. Nothing: the message has none, or
// *warning says why it cannot be used.
std::optional<GstRdpCameraInfo> camera_of_message(const ros::CameraInfo& message, bool rectified,
                                                  std::string* warning);

// The pose of the camera in the world. The camera has one.
ros::Transform pose_message(const GstRdpCameraInfo& camera);

// The quaternion of a rotation of three rows: by its largest component, of length 1, w >= 0.
ros::Quaternion quaternion_of(const double (&rows)[9]);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_CAMERA_MESSAGE_H_
