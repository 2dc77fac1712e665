// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_LABELLED_PLANE_H_
#define RDP_COMMON_PLANES_LABELLED_PLANE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/planes/eigen.h"
#include "common/planes/moments.h"
#include "common/planes/planes.h"

// The final steps shared by planes in frames and in clouds.
namespace rdp::planes {

// Leaves the planes that count, fitted, the largest first. Those too small, too thick or beyond the
// largest number are counted. A `Plane` has moments, a fit and its first pixel or point; `rules`:
// FrameRules or CloudRules.
template <typename Plane, typename Rules>
void keep_planes(const Rules& rules, std::vector<Plane>* planes, Counts* counts) {
  std::size_t kept = 0;
  for (Plane& plane : *planes) {
    if (plane.moments.n < static_cast<std::uint64_t>(rules.min_inliers)) {
      ++counts->small;
      continue;
    }
    plane.fit = fit_of(statistics_of(plane.moments));
    if (rules.max_thickness > 0.0 &&
        plane.fit.variance[0] > rules.max_thickness * plane.fit.variance[1]) {
      ++counts->thick;
      continue;
    }
    std::swap((*planes)[kept++], plane);
  }
  planes->resize(kept);
  std::sort(planes->begin(), planes->end(), [](const Plane& a, const Plane& b) {
    return a.moments.n != b.moments.n ? a.moments.n > b.moments.n : a.first < b.first;
  });
  if (kept > static_cast<std::size_t>(rules.max_planes)) {
    counts->surplus = static_cast<std::int64_t>(kept) - rules.max_planes;
    planes->resize(rules.max_planes);
  }
}

namespace reference {

// A plane of pixels or points, before it is in metres.
struct LabelledPlane {
  std::size_t first = 0;  // pixel or point
  std::uint64_t votes = 0;
  Moments moments;
  Fit fit;
};

}  // namespace reference
}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_LABELLED_PLANE_H_
