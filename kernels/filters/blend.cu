// SPDX-License-Identifier: LGPL-2.1-or-later
// A drawing blended into a picture.
#include <cstdint>

#include "kernels/filters/blend_pixels.cuh"
#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {
namespace {

__device__ int column_of_thread() {
  return static_cast<int>(blockIdx.x) * kBlendColumns +
         static_cast<int>(threadIdx.x % kBlendColumns);
}
__device__ int row_of_thread() {
  return static_cast<int>(blockIdx.y) * kBlendRows + static_cast<int>(threadIdx.x / kBlendColumns);
}

__device__ std::uint32_t drawn(const BlendArguments& a, int row, int column) {
  return reinterpret_cast<const std::uint32_t*>(a.drawing + row * a.drawing_pitch)[column];
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kBlendThreads)
    rdp_blend_rgba(const rdp::cuda::BlendArguments a) {
  rdp::cuda::blend_rgba_pixel(
      a.picture, rdp::cuda::row_of_thread(), rdp::cuda::column_of_thread(),
      [&](int row, int column) { return rdp::cuda::drawn(a, row, column); });
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kBlendThreads)
    rdp_blend_nv12(const rdp::cuda::BlendArguments a) {
  rdp::cuda::blend_nv12_pixels(
      a.picture, 2 * rdp::cuda::row_of_thread(), 2 * rdp::cuda::column_of_thread(),
      [&](int row, int column) { return rdp::cuda::drawn(a, row, column); });
}
