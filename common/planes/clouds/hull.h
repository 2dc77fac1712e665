// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_HULL_H_
#define RDP_COMMON_PLANES_CLOUDS_HULL_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/eigen.h"
#include "common/planes/limits.h"

// The hulls of planes of clouds: of each plane the points that lie farthest in 32 directions. For
// the engines and the kernels.
namespace rdp::planes {

constexpr int kHullAxes = kHullDirections / 2;  // the other directions are opposite to these
constexpr int kHullFraction = 16;               // bits, of a direction

// Cosines of pi i / 16; the sines are those 8 further back. Literals, so that no library rounds.
constexpr double kHullCosines[kHullAxes] = {
    1.0,
    0.98078528040323043,
    0.92387953251128674,
    0.83146961230254524,
    0.70710678118654757,
    0.55557023301960218,
    0.38268343236508978,
    0.19509032201612828,
    0.0,
    -0.19509032201612828,
    -0.38268343236508978,
    -0.55557023301960218,
    -0.70710678118654757,
    -0.83146961230254524,
    -0.92387953251128674,
    -0.98078528040323043,
};

struct HullAxes {
  std::int32_t axis[kHullAxes][3];
};

// Directions in the plane: e1 cos + e2 sin, with e1 across the normal and the axis of its smallest
// component, the first of equals. `cosines`: kHullCosines, or a copy of them.
RDP_HOST_DEVICE inline HullAxes hull_axes(const double normal[3], const double* cosines) {
  const double n[3] = {normal[0] < 0.0 ? -normal[0] : normal[0],
                       normal[1] < 0.0 ? -normal[1] : normal[1],
                       normal[2] < 0.0 ? -normal[2] : normal[2]};
  // No run-time index: kernels keep the arrays in registers.
  const double less = n[1] < n[0] ? n[1] : n[0];
  const int least = n[2] < less ? 2 : n[1] < n[0] ? 1 : 0;
  // Cross product of the normal and the unit vector of that axis.
  double e1[3] = {least == 0   ? 0.0
                  : least == 1 ? -normal[2]
                               : normal[1],
                  least == 0   ? normal[2]
                  : least == 1 ? 0.0
                               : -normal[0],
                  least == 0   ? -normal[1]
                  : least == 1 ? normal[0]
                               : 0.0};
  const double length = sqrt(e1[0] * e1[0] + e1[1] * e1[1] + e1[2] * e1[2]);
  for (int i = 0; i < 3; ++i) e1[i] = e1[i] / length;
  const double e2[3] = {normal[1] * e1[2] - normal[2] * e1[1],
                        normal[2] * e1[0] - normal[0] * e1[2],
                        normal[0] * e1[1] - normal[1] * e1[0]};
  HullAxes axes;
  for (int i = 0; i < kHullAxes; ++i) {
    const double cosine = cosines[i];
    const double sine = i < 8 ? cosines[8 - i] : cosines[i - 8];
    for (int k = 0; k < 3; ++k) {
      const double v = e1[k] * cosine + e2[k] * sine;
      axes.axis[i][k] = static_cast<std::int32_t>(rint(v * (1 << kHullFraction)));
    }
  }
  return axes;
}

// The coordinate of a point along an axis; its size is below 2^38.
RDP_HOST_DEVICE inline std::int64_t along_axis(const std::int32_t axis[3], const CloudPoint& p) {
  return static_cast<std::int64_t>(axis[0]) * p.at[0] +
         static_cast<std::int64_t>(axis[1]) * p.at[1] +
         static_cast<std::int64_t>(axis[2]) * p.at[2];
}

// The coordinate of a point along a direction and its index, as one number. Larger entries lie
// farther; at equal distance the lower index is larger. Never 0.
RDP_HOST_DEVICE inline std::uint64_t hull_entry(std::int64_t along, std::uint32_t point) {
  const std::uint64_t place = static_cast<std::uint64_t>(along + (std::int64_t{1} << 38));
  return place << kMaxCloudBits | ((std::uint32_t{1} << kMaxCloudBits) - 1 - point);
}

RDP_HOST_DEVICE inline std::uint32_t hull_point(std::uint64_t entry) {
  const std::uint32_t mask = (std::uint32_t{1} << kMaxCloudBits) - 1;
  return mask - (static_cast<std::uint32_t>(entry) & mask);
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_HULL_H_
