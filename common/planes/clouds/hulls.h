// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_HULLS_H_
#define RDP_COMMON_PLANES_CLOUDS_HULLS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/planes/clouds/hull.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/clouds/runs.h"

namespace rdp::planes {

// Tells which cells may have a point of a plane that lies farthest in one of the 32 directions: by
// where their corners are, in floats with a margin, so that nearly all cells are left out and none
// is that must not be.
class HullBounds {
 public:
  HullBounds() = default;
  HullBounds(const CloudRules& rules, const HullAxes& axes);

  // A cell that has a point of the plane.
  void add(const CellCorner& cell);
  void add(const HullBounds& other);
  // The directions in which a point of this cell may lie farthest, a bit each.
  std::uint32_t open(const CellCorner& cell) const;

 private:
  alignas(64) float axes_[3][kHullAxes];
  alignas(64) float below_[kHullAxes];  // from a corner to the least that a point may have
  alignas(64) float above_[kHullAxes];
  alignas(64) float least_[kHullDirections];  // what some point surely has
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_HULLS_H_
