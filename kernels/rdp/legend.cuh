// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_LEGEND_CUH_
#define RDP_KERNELS_RDP_LEGEND_CUH_

#include <cstdint>

#include "common/rdp/legend.h"
#include "kernels/rdp/legend_layout.h"

namespace rdp::cuda {

// Paints this block's part of the legend; `palettes` are those of its bar, `paints` false leaves
// the picture alone. Each block finds the numbers once more. For all threads of the block.
__device__ inline void paint_legend_part(const Legend& legend, const PaletteRange& range,
                                         const Colours* palettes, const Font& font, bool paints,
                                         unsigned char* picture, std::int64_t pitch) {
  __shared__ Ticks ticks;
  if (threadIdx.x == 0) find_ticks(range, legend.scale, &ticks);
  __syncthreads();
  const int x = static_cast<int>(blockIdx.x) * kLegendColumns + static_cast<int>(threadIdx.x % 32);
  if (!paints || x >= legend.columns * legend.zoom) return;
  const int column = x / legend.zoom;
  const int corner = kLegendMargin * legend.zoom;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x / 32); i < kLegendRows; i += kLegendThreads / 32) {
    const int y = static_cast<int>(blockIdx.y) * kLegendRows + i;
    if (y >= legend.rows * legend.zoom) break;
    const int row = y / legend.zoom;
    reinterpret_cast<Pixel*>(picture + (corner + y) * pitch)[corner + x] =
        is_bar(legend, column, row) ? palettes[bar_stripe(legend, y)].entry[bar_entry(legend, x)]
                                    : legend_cell(legend, ticks, font, column, row);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_LEGEND_CUH_
