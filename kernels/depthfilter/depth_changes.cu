// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures of what the filter changes: see common/filter/overlay.cpp.
#include "common/filter/overlay_pixels.h"
#include "kernels/depthfilter/depth_rows.cuh"
#include "kernels/depthfilter/overlay_arguments.h"

namespace rdp::cuda {
namespace {

__device__ constexpr Colours kDepthGreys = make_greys();

__device__ void paint_changes(const DepthChangesArguments& a) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kChangesColumns + thread % kChangesColumns;
  const int first = static_cast<int>(blockIdx.y) * kChangesRows + thread / kChangesColumns;
  if (x >= a.width) return;
  const PaletteRange range = *a.range;
#pragma unroll
  for (int i = 0; i < kChangesRowsOfThread; ++i) {
    const int y = first + i * (kDepthThreads / kChangesColumns);
    if (y >= a.height) return;
    const unsigned before = raw_sample(a.before, x, y);
    const bool in_block = x < a.columns && y < a.rows;
    const unsigned after =
        in_block ? raw_sample(a.after, x / a.decimation, y / a.decimation) : before;
    reinterpret_cast<Pixel*>(a.picture + y * a.picture_pitch)[x] =
        filter::changed_pixel(before, after, range, kDepthGreys);
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kDepthThreads)
    rdp_depth_changes(const rdp::cuda::DepthChangesArguments a) {
  rdp::cuda::paint_changes(a);
}
