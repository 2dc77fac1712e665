// SPDX-License-Identifier: LGPL-2.1-or-later
// Texts and the legend, over the pictures of all painters.
#include <cstdint>

#include "kernels/rdp/marks_arguments.h"
#include "kernels/rdp/segment_cursor.cuh"

namespace rdp::cuda {
namespace {

__device__ constexpr Colours kColours = make_pale_colours().level[0];
__device__ constexpr Colours kGreys = make_greys();
__device__ constexpr ClassColours kClassColours = make_class_colours();
__device__ constexpr Font kFont = make_font();

// For whole warps.
template <typename Arguments>
__device__ bool has_picture(const Arguments& a) {
  return a.list.frames == 0 || !is_truncated(a.list);
}

template <typename Arguments>
__device__ void put(const Arguments& a, int column, int row, Pixel pixel) {
  reinterpret_cast<Pixel*>(a.picture + row * a.picture_pitch)[column] = pixel;
}

__device__ void paint_text(const TextArguments& a) {
  if (!has_picture(a)) return;
  const PaintedText& text = a.texts[blockIdx.x];
  const Box box = text.box;
  const int width = box.right - box.left;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < width * (box.bottom - box.top);
       i += kTextThreads) {
    const int x = i % width;
    const int y = i / width;
    put(a, box.left + x, box.top + y, is_ink(text, kFont, x, y) ? kLegendInk : kLegendPaper);
  }
}

// This block's part of the legend, whose numbers each block finds once more.
__device__ void paint_legend(const LegendArguments& a) {
  __shared__ Ticks ticks;
  const Legend& legend = a.legend;
  if (threadIdx.x == 0) find_ticks(a.range.get(), legend.scale, &ticks);
  __syncthreads();
  const Colours* const palettes = legend.palettes == BarPalettes::kClasses ? kClassColours.of
                                  : legend.palettes == BarPalettes::kGreys ? &kGreys
                                                                           : &kColours;
  const int x = static_cast<int>(blockIdx.x) * kLegendColumns + static_cast<int>(threadIdx.x % 32);
  if (!has_picture(a) || x >= legend.columns * legend.zoom) return;
  const int column = x / legend.zoom;
  const int corner = kLegendMargin * legend.zoom;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x / 32); i < kLegendRows; i += kLegendThreads / 32) {
    const int y = static_cast<int>(blockIdx.y) * kLegendRows + i;
    if (y >= legend.rows * legend.zoom) break;
    const int row = y / legend.zoom;
    put(a, corner + x, corner + y,
        is_bar(legend, column, row) ? palettes[bar_stripe(legend, y)].entry[bar_entry(legend, x)]
                                    : legend_cell(legend, ticks, kFont, column, row));
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kTextThreads)
    rdp_paint_texts(const rdp::cuda::TextArguments a) {
  rdp::cuda::paint_text(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kLegendThreads)
    rdp_paint_legend(const rdp::cuda::LegendArguments a) {
  rdp::cuda::paint_legend(a);
}
