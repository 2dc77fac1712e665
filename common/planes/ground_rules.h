// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_GROUND_RULES_H_
#define RDP_COMMON_PLANES_GROUND_RULES_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/moments.h"

// Rules that decide which points lie under a plane, for the host and the kernels: see ground.h.
namespace rdp::planes {

// The mean of the points in a cell of a frame or of a cloud's octree.
struct CellMean {
  std::int64_t n = 0;  // known points; 0: the mean is none
  double mean[3] = {};
};

// The mean of a cell from moments of integer coordinates; `unit`: metres.
RDP_HOST_DEVICE inline CellMean cell_mean(const Moments& moments, double unit) {
  CellMean cell;
  cell.n = static_cast<std::int64_t>(moments.n);
  if (cell.n == 0) return cell;
  const Statistics statistics = statistics_of(moments);
  for (int i = 0; i < 3; ++i) cell.mean[i] = statistics.mean[i] * unit;
  return cell;
}

// The rules from the parameters and the noise. Points may deviate by T at the depth z and at the
// distance e from the plane's centroid: T^2 = (floor + factor z^2)^2 + (bend e)^2.
struct GroundRules {
  double up[3] = {0.0, -1.0, 0.0};  // of length 1; all 0: there is no ground
  double least_cosine = 0.0;        // of ground_tilt
  double floor = 0.0;
  double factor = 0.0;
  double bend = 0.0;
};

// A candidate for the ground, as kernels receive it.
struct GroundCandidate {
  double normal[3];
  double distance;
  double centroid[3];
};

RDP_HOST_DEVICE inline bool lies_under(const double mean[3], const GroundCandidate& plane,
                                       const GroundRules& rules) {
  const double* n = plane.normal;
  const double below = n[0] * mean[0] + n[1] * mean[1] + n[2] * mean[2] - plane.distance;
  if (!(below > 0.0)) return false;
  const double x = mean[0] - plane.centroid[0];
  const double y = mean[1] - plane.centroid[1];
  const double z = mean[2] - plane.centroid[2];
  const double local = rules.floor + rules.factor * mean[2] * mean[2];
  const double bent = rules.bend * rules.bend * (x * x + y * y + z * z);
  return below * below > 4.0 * (local * local + bent);
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_GROUND_RULES_H_
