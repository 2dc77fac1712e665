// SPDX-License-Identifier: LGPL-2.1-or-later
// A drawing blended into a picture. Most of a drawing is transparent: there nothing of the picture
// is read.
#include <cstdint>

#include "kernels/filters/blend_arguments.h"

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
  const int column = rdp::cuda::column_of_thread();
  const int row = rdp::cuda::row_of_thread();
  if (column >= a.width || row >= a.height) return;
  const std::uint32_t over = rdp::cuda::drawn(a, row, column);
  if (over >> 24 == 0) return;
  auto* const pixel = reinterpret_cast<std::uint32_t*>(a.picture + row * a.picture_pitch) + column;
  *pixel = rdp::blended_pixel(*pixel, over);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kBlendThreads)
    rdp_blend_nv12(const rdp::cuda::BlendArguments a) {
  const int left = 2 * rdp::cuda::column_of_thread();
  const int top = 2 * rdp::cuda::row_of_thread();
  if (left >= a.width || top >= a.height) return;
  std::uint32_t u = 0;
  std::uint32_t v = 0;
  std::uint32_t alphas = 0;
  std::uint32_t pixels = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = top + i / 2;
    const int column = left + i % 2;
    if (row >= a.height || column >= a.width) continue;
    ++pixels;
    const std::uint32_t over = rdp::cuda::drawn(a, row, column);
    const std::uint32_t alpha = over >> 24;
    if (alpha == 0) continue;
    unsigned char* const luma = a.picture + row * a.picture_pitch + column;
    *luma = static_cast<unsigned char>(rdp::blended(*luma, rdp::yuv_byte(a.matrix.y, over), alpha));
    u += alpha * rdp::yuv_byte(a.matrix.u, over);
    v += alpha * rdp::yuv_byte(a.matrix.v, over);
    alphas += alpha;
  }
  if (alphas == 0) return;
  unsigned char* const chroma = a.chroma + top / 2 * a.chroma_pitch + left;
  chroma[0] = static_cast<unsigned char>(rdp::blended_chroma(chroma[0], u, alphas, pixels));
  chroma[1] = static_cast<unsigned char>(rdp::blended_chroma(chroma[1], v, alphas, pixels));
}
