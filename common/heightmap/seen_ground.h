// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_SEEN_GROUND_H_
#define RDP_COMMON_HEIGHTMAP_SEEN_GROUND_H_

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"

namespace rdp::heightmap {

// A rectangle along the axes, as an area, around what the cameras look at: where the reference and
// another view see the plane in the middle of the heights. It follows from the rig alone, so that
// it is the same for all frames. What is more than eight times as far from the reference camera as
// the nearest of it does not count: up to the horizon there would be no end. Empty where no view
// sees what the reference does, or it is more than kFarthest away (common/heightmap/geometry.h).
//
// The rig has no fault (check_rig()). May throw std::bad_alloc.
Area seen_ground(const Rig& rig, const Parameters& parameters);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_SEEN_GROUND_H_
