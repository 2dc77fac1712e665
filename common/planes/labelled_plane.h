// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_LABELLED_PLANE_H_
#define RDP_COMMON_PLANES_LABELLED_PLANE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/planes/eigen.h"
#include "common/planes/moments.h"
#include "common/planes/planes.h"

// The last steps that the definitions of planes in frames and in clouds share.
namespace rdp::planes::reference {

// A plane of pixels or points, before it is in metres.
struct LabelledPlane {
  std::size_t first = 0;  // pixel or point
  std::uint64_t votes = 0;
  Moments moments;
  Fit fit;
};

// The planes that count, fitted, the largest first. Those too small, too thick or beyond the
// largest number are counted. `rules`: FrameRules or CloudRules.
template <typename Rules>
std::vector<LabelledPlane> keep_planes(const std::vector<LabelledPlane>& planes, const Rules& rules,
                                       Counts* counts) {
  std::vector<LabelledPlane> kept;
  for (LabelledPlane plane : planes) {
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
    kept.push_back(plane);
  }
  std::sort(kept.begin(), kept.end(), [](const LabelledPlane& a, const LabelledPlane& b) {
    return a.moments.n != b.moments.n ? a.moments.n > b.moments.n : a.first < b.first;
  });
  if (kept.size() > static_cast<std::size_t>(rules.max_planes)) {
    counts->surplus = static_cast<std::int64_t>(kept.size()) - rules.max_planes;
    kept.resize(rules.max_planes);
  }
  return kept;
}

}  // namespace rdp::planes::reference

#endif  // RDP_COMMON_PLANES_LABELLED_PLANE_H_
