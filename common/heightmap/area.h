// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_AREA_H_
#define RDP_COMMON_HEIGHTMAP_AREA_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/heightmap/result.h"

namespace rdp::heightmap {

// True if a place lies inside an area; integer arithmetic, coordinates are at most 10^9 mm. Edges
// are half open (see Area): a place on an edge shared by two areas belongs to exactly one.
inline bool contains(const Area& area, int x, int y) {
  if (area.empty()) return true;
  bool inside = false;
  for (std::size_t i = 0; i < area.size(); ++i) {
    GroundPoint a = area[i];
    GroundPoint b = area[(i + 1) % area.size()];
    if (a.y > b.y) std::swap(a, b);
    if (y < a.y || y >= b.y) continue;
    // The edge is on the +X side of the place if `edge` is larger.
    const std::int64_t edge = (std::int64_t{b.x} - a.x) * (std::int64_t{y} - a.y);
    const std::int64_t place = (std::int64_t{x} - a.x) * (std::int64_t{b.y} - a.y);
    if (edge > place) inside = !inside;
  }
  return inside;
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_AREA_H_
