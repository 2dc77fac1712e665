// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_PARAMETERS_H_
#define RDP_COMMON_MOTION_PARAMETERS_H_

#include <cstdint>

namespace rdp::motion {

// The source of the camera's own motion.
enum class EgoMotion : std::uint8_t {
  kNone,      // none: velocities are relative to the camera
  kGiven,     // each frame comes with the camera's pose
  kEstimate,  // estimated from the tracks, most of which must be static
};

// The velocity estimator.
enum class Filter : std::uint8_t {
  kNone,    // difference of two frames
  kKalman,  // a Kalman filter for each track
};

inline constexpr int kMaxReach = 16384;       // px: any column of any picture
inline constexpr int kMaxTracks = 65535;      // maximum of min_tracks
inline constexpr double kMaxTolerance = 1e6;  // px
inline constexpr double kLeastNoise = 1e-6;   // px, or 1/m
inline constexpr double kMaxNoise = 1e3;

// The parameters, defined in common/motion/engine.h. The ranges include both ends.
struct Parameters {
  EgoMotion ego_motion = EgoMotion::kNone;
  int reach = 24;                    // 0 to kMaxReach, px of the depth picture
  int min_tracks = 3;                // 1 to kMaxTracks
  int min_age = 3;                   // 0 to 2^31 - 1, frames of the tracker
  double tolerance = 1.0;            // 0 to kMaxTolerance, px of disparity
  double tolerance_relative = 0.05;  // 0 to 1, of the disparity or the depth
  Filter filter = Filter::kKalman;
  double disparity_noise = 0.7;  // kLeastNoise to kMaxNoise, px: sigma of a segment's disparity
  double depth_noise = 0.002;    // the same range, 1/m: sigma of a depth Z is depth_noise * Z^2

  bool operator==(const Parameters&) const = default;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_PARAMETERS_H_
