// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_ALIGN_PARAMETERS_H_
#define RDP_COMMON_ALIGN_PARAMETERS_H_

#include <cmath>
#include <cstdint>

#include "common/filter/parameters.h"
#include "common/image/camera.h"

namespace rdp::align {

// Moves depth from the source camera's view into the target camera's. The reference says how.
struct Parameters {
  MetricCamera source;     // of the depth
  CameraLens target;       // of the aligned depth and of the colours
  Pose movement;           // target from source: rows of [R | t], t in metres
  double unit = 0.001;     // metres a step of the aligned samples
  double tolerance = 6.0;  // 1/km, for cracks and for pixels that the target does not see
  bool fill_cracks = true;

  // The tolerance of aligned samples.
  filter::Tolerance steps() const { return filter::inverse_tolerance(tolerance, 1000.0 / unit); }
};

// pose_between() of common/image/camera.h finds a movement between two poses: from the source's to
// the target's. Callers refuse movements whose R is no rotation, or over kMaxMovement metres, most
// likely in another unit.
constexpr double kMaxMovement = 10.0;

inline double length_of(const Pose& movement) {
  const double* const m = movement.m;
  return std::sqrt(m[3] * m[3] + m[7] * m[7] + m[11] * m[11]);
}

// True if R is a rotation: rows of length 1 at right angles, within what files round to, and no
// reflection. False for NaN.
inline bool is_rotation(const Pose& movement) {
  constexpr double kRounded = 1e-3;
  const double* const m = movement.m;
  const auto product = [&](int a, int b) {
    return m[4 * a] * m[4 * b] + m[4 * a + 1] * m[4 * b + 1] + m[4 * a + 2] * m[4 * b + 2];
  };
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b <= a; ++b) {
      if (!(std::fabs(product(a, b) - (a == b ? 1.0 : 0.0)) <= kRounded)) return false;
    }
  }
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
             m[2] * (m[4] * m[9] - m[5] * m[8]) >
         0.0;
}

// Pixels of the source, of one frame or of several.
struct Counts {
  std::int64_t known = 0;   // with a depth
  std::int64_t landed = 0;  // of these, within the target's frame

  bool operator==(const Counts&) const = default;
};

}  // namespace rdp::align

#endif  // RDP_COMMON_ALIGN_PARAMETERS_H_
