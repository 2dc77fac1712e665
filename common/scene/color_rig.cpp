// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/color_rig.h"

#include <algorithm>
#include <array>

#include "common/scene/turn.h"

// Only +, -, *, / and square roots of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

constexpr double kRoomFocal = 920.0;  // of 1280x720
constexpr double kCrowdFocal = 2600.0;
constexpr double kWidth = 1280.0;
constexpr double kHeight = 720.0;

RoomVector vector_of(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
std::array<double, 3> array_of(const RoomVector& v) { return {v.x, v.y, v.z}; }

}  // namespace

RoomPose color_pose(const RoomPose& depth, const ColorRig& rig) {
  const Turn turn = Turn::of_degrees(rig.angle);
  RoomPose pose;
  pose.eye = along(depth.eye, depth.right, rig.baseline);
  pose.right = along(along({}, depth.right, turn.cosine), depth.ahead, turn.sine);
  pose.down = depth.down;
  pose.ahead = along(along({}, depth.ahead, turn.cosine), depth.right, -turn.sine);
  return pose;
}

TestCamera color_camera_of_room(int width, int height) {
  TestCamera camera = RoomScene::camera(width, height);
  camera.focal = kRoomFocal * std::max(width / kWidth, height / kHeight);
  camera.baseline = RoomScene::baseline_of(camera.focal);
  return camera;
}

CrowdCamera color_camera_of_crowd(int index, double angle, const ColorRig& rig, int width,
                                  int height) {
  CrowdCamera camera = crowd_camera(index, angle, width, height);
  const RoomPose pose = color_pose({vector_of(camera.eye), vector_of(camera.right),
                                    vector_of(camera.down), vector_of(camera.ahead)},
                                   rig);
  camera.focal = kCrowdFocal * width / kWidth;
  camera.eye = array_of(pose.eye);
  camera.right = array_of(pose.right);
  camera.down = array_of(pose.down);
  camera.ahead = array_of(pose.ahead);
  return camera;
}

}  // namespace rdp
