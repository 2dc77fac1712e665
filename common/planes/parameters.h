// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PARAMETERS_H_
#define RDP_COMMON_PLANES_PARAMETERS_H_

#include <cstdint>

namespace rdp::planes {

// Parameters of the plane search, as the element's properties have them, with lengths in metres.
// common/planes/frames/reference.h (frames) and common/planes/clouds/reference.h (clouds) define
// each. The method chooses a number that is 0, unless 0 is meaningful.
struct Parameters {
  // Both.
  double tolerance = 0.0;        // 0: 0.005 of frames, 0.020 of clouds
  double max_thickness = -1.0;   // of sqrt(l1 / l2); 0: any; below 0: any of frames, 0.2 of clouds
  int directions = 0;            // from pole to pole, 2 to 128; 0: 45
  double distance_step = 0.0;    // 0: 0.040 of frames; of clouds by their size
  int rounds = 0;                // 0: 4 of frames, 2 of clouds
  std::int64_t min_inliers = 0;  // 0: a 300th of a frame's pixels, 0.2 % of a cloud's points
  int max_planes = 64;           // 1 to kMaxPlanes
  bool hull = true;
  double up[3] = {0.0, -1.0, 0.0};  // in the axes of the camera or cloud; any length
  bool up_given = false;      // false: -y is only the default, which clouds with z up do not follow
  double ground_tilt = 30.0;  // degrees

  // Frames.
  int min_value = 1;  // samples outside of these two are unknown
  int max_value = 65535;
  double noise = 0.0;            // 1/m, what deviates at 1 m; 0: measured in each frame
  double noise_floor = 0.002;    // deviation at any distance
  double bend = 0.004;           // bend of a plane, per metre
  double tolerance_z2 = 1.5e-3;  // 1/m: grows with the square of the distance
  double fill = 0.5;             // share of a node that must be known
  bool connected = true;

  // Clouds.
  int min_level = 2;
  int max_depth = 0;  // 0: 7, 8 above a million points
  int min_points = 30;
  double resolution = 0.0;  // 0: the longest edge / 2^20
  bool zero_is_unknown = true;

  bool operator==(const Parameters&) const = default;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PARAMETERS_H_
