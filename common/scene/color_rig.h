// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_COLOR_RIG_H_
#define RDP_COMMON_SCENE_COLOR_RIG_H_

#include "common/scene/crowd_camera.h"
#include "common/scene/room_scene.h"

namespace rdp {

// The user's settings of the colour camera beside the depth camera.
struct ColorRig {
  double baseline = 0.015;  // m to the right of the depth camera
  double angle = 0.45;      // degrees that it is turned to the left, about the axis that goes down

  bool operator==(const ColorRig&) const = default;
};
inline constexpr double kMaxColorBaseline = 1.0;  // to either side
inline constexpr double kMaxColorAngle = 45.0;    // to either side

// The pose of the colour camera beside a depth camera of this pose, in the same world.
RoomPose color_pose(const RoomPose& depth, const ColorRig& rig);

// The colour camera of a room: focal length 920 px for frames of 1280x720, whose field of view
// other frames have at least in one direction. Its baseline only scales disparities.
TestCamera color_camera_of_room(int width, int height);

// The colour camera beside camera `index` of a crowd: focal length 2600 px for a width of 1280.
CrowdCamera color_camera_of_crowd(int index, double angle, const ColorRig& rig, int width,
                                  int height);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_COLOR_RIG_H_
