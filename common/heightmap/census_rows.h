// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_CENSUS_ROWS_H_
#define RDP_COMMON_HEIGHTMAP_CENSUS_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"

namespace rdp::heightmap {

// The size of census_rows()' scratch memory, in numbers.
std::size_t census_scratch(int width);

// The census of rows [first, end) of a picture, row by row without padding; `out` is that of the
// whole picture. Its bits are those of the definition, in another order.
void census_rows(const DepthView& picture, int first, int end, std::uint16_t* scratch,
                 std::uint32_t* out);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_CENSUS_ROWS_H_
