// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_GROUND_H_
#define RDP_COMMON_OBSTACLES_GROUND_H_

#include <optional>

#include "common/image/camera.h"
#include "common/obstacles/ground_rules.h"

// Sources of the ground from which the refinement starts. None: the numbers do not describe a
// ground below the camera.
namespace rdp::obstacles {

// The plane with this normal of any length; `distance` is in units of that length. A normal that
// points towards the camera has a negative distance, and gives no ground.
std::optional<Ground> ground_of_plane(const double normal[3], double distance);

// The camera's height in metres, its pitch in degrees, positive downwards, and its roll in degrees,
// positive if the right side is lower.
std::optional<Ground> ground_of_mount(double height, double pitch, double roll);

// The ground whose value at a pixel is (a * column + b * row) + c, where a depth is scale / value.
std::optional<Ground> ground_of_line(double a, double b, double c, double scale,
                                     const CameraLens& lens);

// The ground z = 0 of the pose's world, whose z is up.
std::optional<Ground> ground_of_pose(const Pose& pose);

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_GROUND_H_
