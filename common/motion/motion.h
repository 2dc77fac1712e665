// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_MOTION_H_
#define RDP_COMMON_MOTION_MOTION_H_

#include <cstdint>

// Motion results, in the memory layout of the metadata.
//
// Velocities are in metres a second and in the axes of the camera at the current frame: x right, y
// down, z forward. They are relative to the camera, or absolute if the camera's own motion is
// known. Unknown values are NaN.
namespace rdp::motion {

inline constexpr std::uint16_t kMoving =
    1;  // faster than three sigma and than 1 m/s, with neighbours
inline constexpr std::uint16_t kAbsolute = 2;  // the velocity is over ground, not camera-relative
inline constexpr std::uint16_t kKnown = 4;     // there is a velocity

// The motion of a segment: lower medians over the tracks that support it.
struct SegmentMotion {
  std::uint16_t tracks;  // number of supporting tracks; 65535: that many or more
  std::uint16_t flags;
  float dx;  // px of the depth picture, since the previous pair of frames
  float dy;
  float spread;  // px, the median absolute deviation of dx or of dy, the larger one
  float vx;
  float vy;
  float vz;
  float sigma;  // m/s, of the velocity
};
static_assert(sizeof(SegmentMotion) == 32);

// A track in space.
struct TrackMotion {
  std::uint32_t id;
  float x;  // m
  float y;
  float z;
  float vx;
  float vy;
  float vz;
  float sigma;  // m/s: the root of the sum of the variances of vx, vy and vz
};
static_assert(sizeof(TrackMotion) == 32);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_MOTION_H_
