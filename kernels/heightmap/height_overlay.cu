// SPDX-License-Identifier: LGPL-2.1-or-later
// The pictures of height maps: see common/heightmap/overlay.cpp.
#include <cstdint>

#include "common/heightmap/overlay_pixels.h"
#include "kernels/heightmap/overlay_arguments.h"

namespace rdp::cuda {
namespace {

__device__ constexpr Colours kHeightPalette = make_pale_colours().level[0];

__device__ void put(const HeightPictureArguments& a, int column, int row, Pixel pixel) {
  reinterpret_cast<Pixel*>(a.picture + row * a.picture_pitch)[column] = pixel;
}

__device__ void mark_line(const HeightPictureArguments& a) {
  const PaintedLine& line = a.lines[blockIdx.x];
  const std::uint32_t number = blockIdx.x + 1;
  const int steps = edge_steps(line.edge);
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i <= steps; i += kHeightLineThreads) {
    const int x = along_edge(line.edge.x0, line.edge.x1, i, steps);
    const int y = along_edge(line.edge.y0, line.edge.y1, i, steps);
    for (int row = max(y, 0); row < min(y + line.thickness, a.height); ++row) {
      for (int column = max(x, 0); column < min(x + line.thickness, a.width); ++column) {
        atomicMax(a.last_lines + static_cast<std::int64_t>(row) * a.width + column, number);
      }
    }
  }
}

// Paints this block's part of the picture: its lines, and pixel(column, row) where there is none.
template <typename PixelAt>
__device__ void paint_part(const HeightPictureArguments& a, const PixelAt& pixel) {
  const int column = static_cast<int>(blockIdx.x) * kHeightPictureColumns +
                     static_cast<int>(threadIdx.x % kHeightPictureColumns);
  const int first = static_cast<int>(blockIdx.y) * kHeightPictureRows +
                    static_cast<int>(threadIdx.x / kHeightPictureColumns);
  if (column >= a.width) return;
#pragma unroll 1
  for (int i = 0; i < kHeightPictureRowsOfThread; ++i) {
    const int row = first + i * (kHeightPictureThreads / kHeightPictureColumns);
    if (row >= a.height) return;
    const std::uint32_t line =
        a.line_count > 0 ? a.last_lines[static_cast<std::int64_t>(row) * a.width + column] : 0;
    put(a, column, row, line > 0 ? a.lines[line - 1].colour : pixel(column, row));
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightLineThreads)
    rdp_height_lines(const rdp::cuda::HeightPictureArguments a) {
  rdp::cuda::mark_line(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightPictureThreads)
    rdp_height_picture(const rdp::cuda::HeightPictureArguments a) {
  rdp::cuda::paint_part(a, [&a](int column, int row) {
    const int sample = __ldg(a.samples + row * a.samples_pitch + column);
    // Unknown, where labels are not painted.
    const int label = a.rules.labels > 0
                          ? __ldg(a.labels + static_cast<std::int64_t>(row) * a.width + column)
                          : 0;
    return rdp::heightmap::picture_pixel(sample, label, a.rules, rdp::cuda::kHeightPalette);
  });
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightPictureThreads)
    rdp_height_map(const rdp::cuda::HeightPictureArguments a) {
  rdp::cuda::paint_part(a, [&a](int column, int row) {
    return rdp::heightmap::map_pixel(a.columns[column], a.rows[row], a.ground, a.ground_columns,
                                     a.rules, rdp::cuda::kHeightPalette);
  });
}
