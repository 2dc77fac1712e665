// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_SEEN_GROUND_H_
#define RDP_COMMON_HEIGHTMAP_SEEN_GROUND_H_

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"

namespace rdp::heightmap {

// Axis-aligned bounding box, as an area, of the plane at the middle height where both the reference
// and another view see it. It depends on the rig alone, so it is the same for all frames. Points
// over eight times as far from the reference camera as the nearest are ignored: the box would reach
// to the horizon. Empty if no other view sees the reference's ground, or it is more than kFarthest
// away (common/heightmap/plane.h).
//
// The rig has no fault (check_rig()). May throw std::bad_alloc.
Area seen_ground(const Rig& rig, const Parameters& parameters);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_SEEN_GROUND_H_
