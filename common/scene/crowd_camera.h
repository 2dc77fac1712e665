// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_CROWD_CAMERA_H_
#define RDP_COMMON_SCENE_CROWD_CAMERA_H_

#include <array>

namespace rdp {

// The cameras around a crowd (see crowd_walk.h for the world). Pixel centres have integer
// coordinates, beginning with (0, 0).

inline constexpr int kMaxCrowdCameras = 16;
inline constexpr double kMaxCrowdAngle = 45.0;  // degrees

using CrowdMatrix = std::array<std::array<double, 4>, 3>;

// A camera of a frame's size: x ~ K (R X + t), with K of focal length and centre, and the rows of R
// right, down and ahead.
struct CrowdCamera {
  static constexpr double kHeight = 8.0;     // above the ground, m
  static constexpr double kDistance = 11.0;  // from the middle of the area, along the ground
  static constexpr double kAim = 1.2;  // height of the point above that middle that it looks at

  double focal;  // px: 1750 for a width of 781
  double centre_column, centre_row;
  std::array<double, 3> eye;
  std::array<double, 3> right, down, ahead;  // its axes in the world

  // World to image, 3 x 4, metres to pixels. `shift`: columns that the picture is moved to the
  // right by.
  CrowdMatrix projection(double shift = 0.0) const;
};

// Camera number `index`, 0 to kMaxCrowdCameras - 1, of frames of this size. Camera 0 is in the
// middle, at Y = -kDistance; 1, 3, 5, … stand to the right of it, 2, 4, 6, … to its left, each
// `angle` (degrees, 0 to kMaxCrowdAngle) further round the area. Only +, -, *, / and square roots.
CrowdCamera crowd_camera(int index, double angle, int width, int height);

// Pixels per metre at the point that all these cameras look at, for frames of this width or a
// camera of this focal length.
double crowd_scale(int width);
double crowd_scale_of(double focal);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_CROWD_CAMERA_H_
