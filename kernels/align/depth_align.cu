// SPDX-License-Identifier: LGPL-2.1-or-later
// Depth in another camera's view: align::reference::align() and colour(); bit-identical.
//
// The nearest sample of a pixel is a minimum, which no order changes. Rays and the depths of
// samples are in the tables of points/points.cu, so that a pixel needs only two projections in
// double precision.
#include <cstdint>

#include "kernels/align/align_arguments.h"
#include "kernels/align/align_pixel.h"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

struct Pixel {
  int x, y;
};
__device__ __forceinline__ Pixel pixel_of_thread() {
  const auto thread = static_cast<int>(threadIdx.x);
  return {static_cast<int>(blockIdx.x) * kAlignColumns + thread % kAlignColumns,
          static_cast<int>(blockIdx.y) * kAlignRows + thread / kAlignColumns};
}

// Writes a pixel's sample to all pixels of the target that it covers. False: there is none.
__device__ __forceinline__ bool cover(const AlignArguments& a, const Pixel& pixel, double z) {
  align::Span columns, rows;
  const int sample = align_cover(a, pixel.x, pixel.y, z, &columns, &rows);
  if (sample == 0) return false;
  for (int y = rows.first; y < rows.end; ++y) {
    std::uint32_t* const row = a.nearest + static_cast<std::int64_t>(y) * a.target_width;
    for (int x = columns.first; x < columns.end; ++x) {
      atomicMin(row + x, static_cast<std::uint32_t>(sample));
    }
  }
  return true;
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kAlignThreads)
    rdp_align_cover(const rdp::cuda::AlignArguments a) {
  using namespace rdp::cuda;
  pdl_wait_and_trigger();
  const Pixel pixel = pixel_of_thread();
  bool known = false;
  bool landed = false;
  if (pixel.x < a.width && pixel.y < a.height) {
    const double z = align_depth(a, pixel.x, pixel.y);
    known = z > 0.0;
    landed = known && cover(a, pixel, z);
  }
  const int all_known = __syncthreads_count(known ? 1 : 0);
  const int all_landed = __syncthreads_count(landed ? 1 : 0);
  if (threadIdx.x != 0 || all_known == 0) return;
  atomicAdd(&a.counters[kAlignKnown], static_cast<unsigned long long>(all_known));
  atomicAdd(&a.counters[kAlignLanded], static_cast<unsigned long long>(all_landed));
}

// Fills cracks, and makes samples of 16 bits.
extern "C" __global__ void __launch_bounds__(rdp::cuda::kAlignThreads)
    rdp_align_finish(const rdp::cuda::AlignArguments a) {
  using namespace rdp::cuda;
  pdl_wait_and_trigger();
  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x < kAlignCounts) {
    a.counts[threadIdx.x] = a.counters[threadIdx.x];
  }
  const Pixel pixel = pixel_of_thread();
  if (pixel.x >= a.target_width || pixel.y >= a.target_height) return;
  aligned_row(a, pixel.y)[pixel.x] = align_finished(a, pixel.x, pixel.y);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kAlignThreads)
    rdp_align_colour(const rdp::cuda::AlignArguments a) {
  using namespace rdp::cuda;
  pdl_wait_and_trigger();
  const Pixel pixel = pixel_of_thread();
  if (pixel.x >= a.width || pixel.y >= a.height) return;
  reinterpret_cast<std::uint32_t*>(a.colours + pixel.y * a.colours_pitch)[pixel.x] =
      align_colour(a, pixel.x, pixel.y);
}
