// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_TILE_BORDERS_H_
#define RDP_KERNELS_PRIMITIVES_TILE_BORDERS_H_

#include <cstdint>

namespace rdp::cuda {

// The number of pairs of neighbours in different tiles of a picture: unite_tile_pair() of
// components.cuh takes each of them.
inline std::int64_t tile_border_pairs(int width, int height, int columns, int rows) {
  const std::int64_t across = (width - 1) / columns;
  const std::int64_t down = (height - 1) / rows;
  return across * height + down * width;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_TILE_BORDERS_H_
