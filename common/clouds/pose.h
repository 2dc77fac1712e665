// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_POSE_H_
#define RDP_COMMON_CLOUDS_POSE_H_

#include <array>
#include <string>
#include <string_view>

namespace rdp::clouds {

// The sensor's pose, PCD's VIEWPOINT: its position tx ty tz, and the quaternion qw qx qy qz that
// turns the sensor's axes to the world's.
using Pose = std::array<double, 7>;
inline constexpr Pose kNoPose = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};

bool is_identity(const Pose& pose);

// Normalises the quaternion, unless its length is 1 up to rounding. Returns false for a zero
// quaternion, which becomes the identity.
bool normalize_rotation(Pose* pose);

// Turns a direction from the world's axes to the sensor's.
void turn_to_sensor(const Pose& pose, double direction[3]);

// Parses seven finite numbers separated by blanks. On failure returns false and leaves *pose.
bool parse_pose(std::string_view text, Pose* pose);
// Text that parse_pose() reads as the same pose.
std::string pose_text(const Pose& pose);

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_POSE_H_
