// SPDX-License-Identifier: LGPL-2.1-or-later
// Labels as samples of 16 bits: heights, depths, and the raster on the ground, which is cleared
// before it is drawn.
#include <cstdint>

#include "common/heightmap/ground_rules.h"
#include "kernels/heightmap/ground_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/wide_samples.cuh"

namespace rdp::cuda {
namespace {

__device__ __forceinline__ std::uint16_t* row_of(const GroundSamplesArguments& a, std::int64_t y) {
  return reinterpret_cast<std::uint16_t*>(a.samples + y * a.pitch);
}

// Calls visit(x, y, label) for the thread's pixel, if there is one.
template <typename Visit>
__device__ __forceinline__ void visit_pixel(const GroundSamplesArguments& a, const Visit& visit) {
  const int x = static_cast<int>(blockIdx.x * kGroundColumns + threadIdx.x % kGroundColumns);
  const int y = static_cast<int>(blockIdx.y * kGroundRows + threadIdx.x / kGroundColumns);
  if (x >= a.width || y >= a.height) return;
  visit(x, y, static_cast<int>(a.labels[static_cast<std::int64_t>(y) * a.width + x]));
}

__device__ __forceinline__ std::uint16_t height_of(const GroundSamplesArguments& a, int label) {
  return heightmap::height_sample(a.min_height + label * a.height_step);
}

// Keeps the greater sample, in any order of threads.
__device__ __forceinline__ void put_highest(std::uint16_t* place, std::uint16_t sample) {
  std::uint16_t there = *static_cast<const volatile std::uint16_t*>(place);
  while (there < sample) {
    const std::uint16_t before = atomicCAS(place, there, sample);
    if (before == there) return;
    there = before;
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_ground_heights(const GroundSamplesArguments a) {
  pdl_wait_and_trigger();
  visit_pixel(a, [&](int x, int y, int label) {
    row_of(a, y)[x] = label == a.unknown ? std::uint16_t{0} : height_of(a, label);
  });
}

extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_ground_depths(const GroundSamplesArguments a) {
  pdl_wait_and_trigger();
  visit_pixel(a, [&](int x, int y, int label) {
    row_of(a, y)[x] = label == a.unknown ? std::uint16_t{0}
                                         : heightmap::depth_sample(a.planes[label], a.axis, x, y);
  });
}

extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_ground_clear(const GroundSamplesArguments a) {
  constexpr int kAcross = kClearColumns / kWide;
  static_assert(kAcross * kClearRows == kGroundThreads);
  pdl_wait_and_trigger();
  const int x = static_cast<int>(blockIdx.x * kAcross + threadIdx.x % kAcross) * kWide;
  const int y = static_cast<int>(blockIdx.y * kClearRows + threadIdx.x / kAcross);
  if (x >= a.columns || y >= a.rows) return;
  store_wide(Wide<std::uint16_t>{}, row_of(a, y), x, a.columns,
             is_wide<std::uint16_t>(a.samples, a.pitch));
}

extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_ground_draw(const GroundSamplesArguments a) {
  pdl_wait_and_trigger();
  visit_pixel(a, [&](int x, int y, int label) {
    int place_x = 0, place_y = 0;
    if (label == a.unknown || !heightmap::ground_of(a.planes[label], x, y, &place_x, &place_y)) {
      return;
    }
    const std::int64_t u = heightmap::raster_cell(place_x, a.x, a.cell);
    const std::int64_t v = heightmap::raster_cell(place_y, a.y, a.cell);
    if (u < 0 || u >= a.columns || v < 0 || v >= a.rows) return;
    put_highest(row_of(a, v) + u, height_of(a, label));
  });
}

}  // namespace rdp::cuda
