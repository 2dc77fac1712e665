// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_POSE_H_
#define RDP_COMMON_CLOUDS_POSE_H_

#include <array>
#include <string>
#include <string_view>

namespace rdp::clouds {

// The sensor's place and turn: tx ty tz, and the quaternion qw qx qy qz, which
// turns its axes to those of the world. PCD's VIEWPOINT.
using Pose = std::array<double, 7>;
inline constexpr Pose kNoPose = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};

bool is_identity(const Pose& pose);

// Gives the quaternion the length 1; one of few digits stays as it is. False: it was zero, and is
// no rotation now.
bool normalize_rotation(Pose* pose);

// A direction of the world in the sensor's axes.
void turn_to_sensor(const Pose& pose, double direction[3]);

// Seven finite numbers with blanks in between. False: these are not; *pose stays.
bool parse_pose(std::string_view text, Pose* pose);
// Reading it gives the same pose.
std::string pose_text(const Pose& pose);

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_POSE_H_
