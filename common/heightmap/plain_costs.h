// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_PLAIN_COSTS_H_
#define RDP_COMMON_HEIGHTMAP_PLAIN_COSTS_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/cost_tiles.h"
#include "common/heightmap/message_layout.h"
#include "common/heightmap/parameters.h"
#include "common/image/depth_view.h"

namespace rdp::heightmap {

// Fills in the cost of `unknown` at the pixels of a tile, if there are no low heights.
void fill_unknown(int cost, const Tile& tile, const MessageLayout& layout, std::uint8_t* costs);

// Bytes of the scratch of fix_textureless_costs(), for pictures of this width.
std::size_t plain_scratch(int width);

// Changes the costs as reference::costs() does if the reference picture is plain, for the pixels of
// rows [first, end). The costs are as `layout` says. The scratch is aligned as a GrowBuffer's.
//
// Most pictures are plain nowhere: then it looks at some pixels of each row, and no cost.
void fix_textureless_costs(const DepthView& picture, const Parameters& parameters, int first,
                           int end, const MessageLayout& layout, std::byte* scratch,
                           std::uint8_t* costs);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_PLAIN_COSTS_H_
