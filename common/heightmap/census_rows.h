// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_CENSUS_ROWS_H_
#define RDP_COMMON_HEIGHTMAP_CENSUS_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"

namespace rdp::heightmap {

// Elements of census_rows()' scratch memory.
std::size_t census_scratch(int width);

// Computes the census of rows [first, end) of a picture, row by row without padding; `out` is the
// whole picture's. The bits equal the definition's, in another order.
void census_rows(const DepthView& picture, int first, int end, std::uint16_t* scratch,
                 std::uint32_t* out);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_CENSUS_ROWS_H_
