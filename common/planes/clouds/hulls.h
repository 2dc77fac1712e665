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

// Finds cells that may contain a plane's farthest point in one of the 32 directions. It compares
// their corners, as floats with a margin: it excludes nearly all cells, but never one with such a
// point.
class HullBounds {
 public:
  HullBounds() = default;
  HullBounds(const CloudRules& rules, const HullAxes& axes);

  // Adds a cell that contains a point of the plane.
  void add(const CellCorner& cell);
  void add(const HullBounds& other);
  // A bit mask of the directions in which a point of this cell may be the farthest.
  std::uint32_t open(const CellCorner& cell) const;

 private:
  alignas(64) float axes_[3][kHullAxes];
  alignas(64) float below_[kHullAxes];  // from a corner to the least that a point may have
  alignas(64) float above_[kHullAxes];
  alignas(64) float least_[kHullDirections];  // lower bound of the farthest point
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_HULLS_H_
