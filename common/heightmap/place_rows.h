// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_PLACE_ROWS_H_
#define RDP_COMMON_HEIGHTMAP_PLACE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/geometry.h"

namespace rdp::heightmap {

// Finds the places in another view of pixels [first, end) of a row of the reference, if they are on
// a plane: place_of() of each, kOutside above the horizon. Those of plane i begin at out + i *
// stride.
void place_rows(const Geometry& geometry, const Sight& sight, const Plane* planes, int count,
                int row, int first, int end, std::int32_t* out, std::ptrdiff_t stride);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_PLACE_ROWS_H_
