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

// Adjusts the costs of textureless pixels in rows [first, end), as reference::costs() does. Costs
// are in the order of `layout`; `scratch` is aligned like a GrowBuffer.
//
// Most pictures have no textureless pixels: then this reads some pixels of each row, and no costs.
void fix_textureless_costs(const DepthView& picture, const Parameters& parameters, int first,
                           int end, const MessageLayout& layout, std::byte* scratch,
                           std::uint8_t* costs);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_PLAIN_COSTS_H_
