// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_BLEND_PIXELS_CUH_
#define RDP_KERNELS_FILTERS_BLEND_PIXELS_CUH_

#include <cstdint>

#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {

// Blends a pixel of a drawing, drawn(row, column), into an RGBA picture. If it is transparent, the
// picture is not read.
template <typename Drawn>
__device__ __forceinline__ void blend_rgba_pixel(const BlendedPicture& picture, int row, int column,
                                                 Drawn drawn) {
  if (column >= picture.width || row >= picture.height) return;
  const std::uint32_t over = drawn(row, column);
  if (over >> 24 == 0) return;
  auto* const pixel =
      reinterpret_cast<std::uint32_t*>(picture.pixels + row * picture.pitch) + column;
  *pixel = rdp::blended_pixel(*pixel, over);
}

// The same for the four NV12 pixels from (top, left) on, both even, which share their chroma.
template <typename Drawn>
__device__ __forceinline__ void blend_nv12_pixels(const BlendedPicture& picture, int top, int left,
                                                  Drawn drawn) {
  if (left >= picture.width || top >= picture.height) return;
  std::uint32_t u = 0;
  std::uint32_t v = 0;
  std::uint32_t alphas = 0;
  std::uint32_t pixels = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = top + i / 2;
    const int column = left + i % 2;
    if (row >= picture.height || column >= picture.width) continue;
    ++pixels;
    const std::uint32_t over = drawn(row, column);
    const std::uint32_t alpha = over >> 24;
    if (alpha == 0) continue;
    unsigned char* const luma = picture.pixels + row * picture.pitch + column;
    *luma = static_cast<unsigned char>(
        rdp::blended(*luma, rdp::yuv_byte(picture.matrix.y, over), alpha));
    u += alpha * rdp::yuv_byte(picture.matrix.u, over);
    v += alpha * rdp::yuv_byte(picture.matrix.v, over);
    alphas += alpha;
  }
  if (alphas == 0) return;
  unsigned char* const chroma = picture.chroma + top / 2 * picture.chroma_pitch + left;
  chroma[0] = static_cast<unsigned char>(rdp::blended_chroma(chroma[0], u, alphas, pixels));
  chroma[1] = static_cast<unsigned char>(rdp::blended_chroma(chroma[1], v, alphas, pixels));
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_BLEND_PIXELS_CUH_
