// SPDX-License-Identifier: LGPL-2.1-or-later
// Depth in another camera's view: align::reference::align() and colour(), with their bits.
//
// The nearest sample of a pixel is a minimum, which no order changes. Rays and the depths of
// samples are in the tables of points/points.cu, so that what is left of double precision for a
// pixel are two projections.
#include <cstdint>

#include "common/align/picture.h"
#include "common/align/rules.h"
#include "common/points/rays.h"
#include "kernels/align/align_arguments.h"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

struct Pixel {
  int x, y;
};
__device__ __forceinline__ Pixel pixel_of_thread() {
  const auto thread = static_cast<int>(threadIdx.x);
  return {static_cast<int>(blockIdx.x) * kAlignColumns + thread % kAlignColumns,
          static_cast<int>(blockIdx.y) * kAlignRows + thread / kAlignColumns};
}

// The depth of a pixel; NaN: none.
__device__ __forceinline__ double depth_at(const AlignArguments& a, const Pixel& pixel) {
  const unsigned char* const row = a.depth + pixel.y * a.pitch;
  const unsigned sample = a.sample_bytes == 1
                              ? __ldg(row + pixel.x)
                              : __ldg(reinterpret_cast<const std::uint16_t*>(row) + pixel.x);
  return __ldg(a.depths + sample);
}

// The point at depth z of a ray, which is the table's in this column and row.
__device__ __forceinline__ Point point_at(const AlignArguments& a, const AlignRays& rays,
                                          int columns, int x, int y, double z) {
  const points::RayLayout layout(columns, 0, a.each_pixel);
  const double ray_x = __ldg(rays.x + layout.x_of_row(y) + x);
  const double ray_y = __ldg(rays.y + layout.y_of_row(y) + (a.each_pixel ? x : 0));
  return align::moved(a.movement, align::turned(a.movement, ray_x, ray_y), z);
}

// Writes a pixel's sample to all pixels of the target that it covers. False: there is none.
__device__ __forceinline__ bool cover(const AlignArguments& a, const Pixel& pixel, double z) {
  const Point centre = point_at(a, a.centres, a.width, pixel.x, pixel.y, z);
  const int sample = align::sample_of_depth(centre.z, a.unit);
  if (sample == 0) return false;
  const int corners = align::has_roll(a.movement) ? 4 : 2;
  align::Place least{}, most{};
  for (int i = 0; i < corners; ++i) {
    // The upper left, the lower right, the upper right, the lower left.
    const int right = i == 1 || i == 2 ? 1 : 0;
    const int below = i % 2;
    const Point corner = point_at(a, a.corners, a.width + 1, pixel.x + right, pixel.y + below, z);
    align::Place place;
    if (!align::find_place(corner, a.target, &place)) return false;
    least = i == 0 ? place : align::Place{min(least.u, place.u), min(least.v, place.v)};
    most = i == 0 ? place : align::Place{max(most.u, place.u), max(most.v, place.v)};
  }
  const align::Span columns = align::span_of(least.u, most.u);
  const align::Span rows = align::span_of(least.v, most.v);
  if (columns.end - columns.first > align::kMaxSpan || rows.end - rows.first > align::kMaxSpan) {
    return false;
  }
  const int first = max(columns.first, 0);
  const int end = min(columns.end, a.target_width);
  const int first_row = max(rows.first, 0);
  const int end_row = min(rows.end, a.target_height);
  for (int y = first_row; y < end_row; ++y) {
    std::uint32_t* const row = a.nearest + static_cast<std::int64_t>(y) * a.target_width;
    for (int x = first; x < end; ++x) atomicMin(row + x, static_cast<std::uint32_t>(sample));
  }
  return first < end && first_row < end_row;
}

// A sample of the target before its cracks are filled; 0: unknown, or outside of the frame.
__device__ __forceinline__ int nearest_at(const AlignArguments& a, int x, int y) {
  if (x < 0 || x >= a.target_width || y < 0 || y >= a.target_height) return 0;
  const std::uint32_t sample = a.nearest[static_cast<std::int64_t>(y) * a.target_width + x];
  return sample == kUnknown ? 0 : static_cast<int>(sample);
}

__device__ __forceinline__ std::uint16_t* aligned_row(const AlignArguments& a, int y) {
  return reinterpret_cast<std::uint16_t*>(a.aligned + y * a.aligned_pitch);
}

// The colour of a pixel as a word; 0: the target does not see it.
__device__ __forceinline__ std::uint32_t colour_of(const AlignArguments& a, const Pixel& pixel) {
  const double z = depth_at(a, pixel);
  if (!(z > 0.0)) return 0;
  const Point centre = point_at(a, a.centres, a.width, pixel.x, pixel.y, z);
  const int sample = align::sample_of_depth(centre.z, a.unit);
  align::Place place;
  if (sample == 0 || !align::find_place(centre, a.target, &place)) return 0;
  const int x = align::nearest_pixel(place.u);
  const int y = align::nearest_pixel(place.v);
  if (x < 0 || x >= a.target_width || y < 0 || y >= a.target_height) return 0;
  const int seen = aligned_row(a, y)[x];
  if (seen != 0 && align::is_behind(sample, seen, a.tolerance)) return 0;
  return align::colour_at(a.picture, x, y);
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
    const double z = depth_at(a, pixel);
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
  const auto [x, y] = pixel_of_thread();
  if (x >= a.target_width || y >= a.target_height) return;
  int sample = nearest_at(a, x, y);
  if (a.fill_cracks) {
    sample =
        rdp::align::without_crack(sample, nearest_at(a, x - 1, y), nearest_at(a, x + 1, y),
                                  nearest_at(a, x, y - 1), nearest_at(a, x, y + 1), a.tolerance);
  }
  aligned_row(a, y)[x] = static_cast<std::uint16_t>(sample);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kAlignThreads)
    rdp_align_colour(const rdp::cuda::AlignArguments a) {
  using namespace rdp::cuda;
  pdl_wait_and_trigger();
  const Pixel pixel = pixel_of_thread();
  if (pixel.x >= a.width || pixel.y >= a.height) return;
  reinterpret_cast<std::uint32_t*>(a.colours + pixel.y * a.colours_pitch)[pixel.x] =
      colour_of(a, pixel);
}
