// SPDX-License-Identifier: LGPL-2.1-or-later
// Point clouds of frames: points::reference::make_points(); bit-identical.
//
// Devices have few units for double precision. Distances of sample values and rays of pixels do not
// change from frame to frame. So another kernel puts them into tables, with the same operations. A
// point then takes two products and three roundings.
#include <cstdint>
#include <limits>

#include "common/points/point.h"
#include "common/points/rays.h"
#include "kernels/points/point_arguments.h"

namespace rdp::cuda {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

// A block has kPointColumns pixels of a row. Points have three floats, which threads would write
// apart: they are put together in shared memory, and written side by side.
template <typename Sample>
__device__ void make_points(const PointArguments& a) {
  constexpr int kFloats = points::kCoordinates;
  __shared__ float staged[kPointColumns * kFloats];
  const points::RayLayout rays(a.width, a.height, a.each_pixel);
  const int first = static_cast<int>(blockIdx.x) * kPointColumns;
  const int row = static_cast<int>(blockIdx.y);
  const int count = min(kPointColumns, a.width - first);
  const auto* const samples = reinterpret_cast<const Sample*>(a.samples + row * a.pitch) + first;
  const double* const x = a.x + rays.x_of_row(row) + first;
  const double* const y = a.y + rays.y_of_row(row) + (a.each_pixel ? first : 0);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kPointThreads) {
    const double z = __ldg(a.depths + __ldg(samples + i));
    points::write_point(__ldg(x + i) * z, __ldg(y + (a.each_pixel ? i : 0)) * z, z,
                        a.forward_left_up, kUnknown, staged + kFloats * i);
  }
  __syncthreads();
  float* const to = a.points + (static_cast<std::int64_t>(row) * a.width + first) * kFloats;
  for (int i = static_cast<int>(threadIdx.x); i < kFloats * count; i += kPointThreads) {
    to[i] = staged[i];
  }
}

}  // namespace
}  // namespace rdp::cuda

// A thread makes one number of the distances, or one ray; where the lens does not distort, one of a
// column's x and of a row's y.
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPointTableThreads)
    rdp_point_tables(const rdp::cuda::PointTableArguments a) {
  using namespace rdp;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * cuda::kPointTableThreads + threadIdx.x;
  if (i < a.values) {
    const bool known = i >= a.first_known && i <= a.last_known;
    const double z = known ? depth_of_value(static_cast<double>(i), a.camera.depth) : 0.0;
    a.depths[i] = z > 0.0 ? z : cuda::kNone;
    return;
  }
  if (!a.with_rays) return;
  i -= a.values;
  const bool each_pixel = !a.camera.distortion.none;
  const std::int64_t pixels = static_cast<std::int64_t>(a.width) * a.height;
  if (i >= (each_pixel ? pixels : static_cast<std::int64_t>(a.width) + a.height)) return;
  const bool of_row = !each_pixel && i >= a.width;
  const int row = each_pixel ? static_cast<int>(i / a.width)
                  : of_row   ? static_cast<int>(i - a.width)
                             : 0;
  const int column = each_pixel ? static_cast<int>(i % a.width) : of_row ? 0 : static_cast<int>(i);
  double x;
  double y;
  points::find_ray(column + a.offset, row + a.offset, a.camera, cuda::kNone, &x, &y);
  if (!of_row) a.x[i] = x;
  if (each_pixel) a.y[i] = y;
  if (of_row) a.y[row] = y;
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPointThreads)
    rdp_points_u8(const rdp::cuda::PointArguments a) {
  rdp::cuda::make_points<std::uint8_t>(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPointThreads)
    rdp_points_u16(const rdp::cuda::PointArguments a) {
  rdp::cuda::make_points<std::uint16_t>(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kNoPointThreads)
    rdp_no_points(const rdp::cuda::NoPointArguments a) {
  const std::int64_t i =
      static_cast<std::int64_t>(blockIdx.x) * rdp::cuda::kNoPointThreads + threadIdx.x;
  if (i < a.count) a.points[i] = rdp::cuda::kUnknown;
}
