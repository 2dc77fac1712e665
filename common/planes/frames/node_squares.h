// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_NODE_SQUARES_H_
#define RDP_COMMON_PLANES_FRAMES_NODE_SQUARES_H_

#include <vector>

#include "common/planes/frame_rules.h"
#include "common/planes/pictures/overlay_style.h"

namespace rdp::planes {

// Lists the examined nodes of a quadtree, for overlays: those without a planar node above them,
// from the largest to the smallest, by row and column. planar (level, column, row): true for a
// planar node; its value below a planar node does not matter.
template <typename Planar>
void list_squares(const FrameRules& rules, const Planar& planar, std::vector<NodeSquare>* squares) {
  squares->clear();
  for (int level = kLevels - 1; level >= 0; --level) {
    const int size = kCell << level;
    for (int row = 0; row * size < rules.height; ++row) {
      for (int column = 0; column * size < rules.width; ++column) {
        bool looked_at = true;
        for (int up = kLevels - 1; up > level && looked_at; --up) {
          looked_at = !planar(up, column >> (up - level), row >> (up - level));
        }
        if (!looked_at) continue;
        squares->push_back({column * size, row * size, size, planar(level, column, row) ? 1 : 0});
      }
    }
  }
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_NODE_SQUARES_H_
