// SPDX-License-Identifier: LGPL-2.1-or-later
// The pictures of planes: see common/planes/pictures/overlay.cpp.
#include <cstdint>

#include "common/planes/pictures/overlay_pixels.h"
#include "kernels/planes/overlay_arguments.h"

namespace rdp::cuda {
namespace {

using planes::PixelRules;

__device__ constexpr Colours kPlanePalette = make_pale_colours().level[0];
__device__ constexpr Colours kPlaneGreys = make_greys();

// The rules with the range that the picture has.
__device__ PixelRules rules_of(const PlanePictureArguments& a) {
  PixelRules rules = a.rules;
  rules.range = a.range.get();
  return rules;
}

__device__ Pixel pixel_below(const PlanePictureArguments& a, const PixelRules& rules, int column,
                             int row) {
  const unsigned char* samples = a.frame + row * a.pitch;
  const std::uint32_t sample =
      a.sample_bytes == 1 ? __ldg(samples + column)
                          : __ldg(reinterpret_cast<const std::uint16_t*>(samples) + column);
  const std::uint32_t label = __ldg(a.labels + row * a.labels_pitch + column);
  return planes::picture_pixel(column, row, sample, label, rules, a.planes, kPlanePalette,
                               kPlaneGreys);
}

__device__ void put(const PlanePictureArguments& a, int column, int row, Pixel pixel) {
  reinterpret_cast<Pixel*>(a.picture + row * a.picture_pitch)[column] = pixel;
}

__device__ void paint_square(const PlanePictureArguments& a) {
  const planes::NodeSquare square = a.squares[blockIdx.x];
  const PixelRules rules = rules_of(a);
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < square.size * square.size;
       i += kPlaneSquareThreads) {
    const int column = i % square.size;
    const int row = i / square.size;
    if (square.planar == 0 && column > 0 && row > 0) continue;
    const int x = square.x + column;
    const int y = square.y + row;
    if (x < 0 || x >= rules.width || y < 0 || y >= rules.height) continue;
    Pixel pixel;
    if (planes::square_pixel(square, column, row, pixel_below(a, rules, x, y), &pixel)) {
      put(a, x, y, pixel);
    }
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlanePictureThreads)
    rdp_plane_picture(const rdp::cuda::PlanePictureArguments a) {
  using namespace rdp::cuda;
  const int column = static_cast<int>(blockIdx.x) * kPlanePictureColumns +
                     static_cast<int>(threadIdx.x % kPlanePictureColumns);
  const int first = static_cast<int>(blockIdx.y) * kPlanePictureRows +
                    static_cast<int>(threadIdx.x / kPlanePictureColumns);
  if (column >= a.rules.width) return;
  const rdp::planes::PixelRules rules = rules_of(a);
#pragma unroll 1
  for (int i = 0; i < kPlanePictureRowsOfThread; ++i) {
    const int row = first + i * (kPlanePictureThreads / kPlanePictureColumns);
    if (row >= rules.height) return;
    const bool outline = rdp::planes::is_outline(a.labels, a.labels_pitch, column, row, rules);
    put(a, column, row, outline ? rdp::planes::kOutlinePixel : pixel_below(a, rules, column, row));
  }
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneSquareThreads)
    rdp_plane_squares(const rdp::cuda::PlanePictureArguments a) {
  rdp::cuda::paint_square(a);
}
