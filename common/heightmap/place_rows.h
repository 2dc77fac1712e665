// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_PLACE_ROWS_H_
#define RDP_COMMON_HEIGHTMAP_PLACE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/geometry.h"

namespace rdp::heightmap {

// Projects pixels [first, end) of a row of the reference from each plane into another view:
// place_of(), kOutside above the horizon. Plane i's places begin at out + i * stride.
void place_rows(const Geometry& geometry, const Sight& sight, const Plane* planes, int count,
                int row, int first, int end, std::int32_t* out, std::ptrdiff_t stride);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_PLACE_ROWS_H_
