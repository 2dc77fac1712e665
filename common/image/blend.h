// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_BLEND_H_
#define RDP_COMMON_IMAGE_BLEND_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"
#include "common/image/rgba_view.h"

// Blends RGBA drawings with straight (not premultiplied) alpha into RGBA and NV12 pictures. Integer
// arithmetic, bit-identical on the CPU and in kernels: blend_into_rgba() and blend_into_nv12() of
// common/image/reference.h define the results.
namespace rdp {

// Blends a byte: alpha / 255 of it is replaced by `over`, rounded.
RDP_HOST_DEVICE inline std::uint32_t blended(std::uint32_t under, std::uint32_t over,
                                             std::uint32_t alpha) {
  return (under * (255U - alpha) + over * alpha + 127U) / 255U;
}

// Pixels as words, R in the lowest byte. The result's alpha is the combined coverage of both.
RDP_HOST_DEVICE inline std::uint32_t blended_pixel(std::uint32_t under, std::uint32_t over) {
  const std::uint32_t alpha = over >> 24;
  return blended(under & 255U, over & 255U, alpha) |
         blended(under >> 8 & 255U, over >> 8 & 255U, alpha) << 8 |
         blended(under >> 16 & 255U, over >> 16 & 255U, alpha) << 16 |
         blended(under >> 24, 255U, alpha) << 24;
}

// Matrix from RGB to luma and chroma, in 2^-16. Each row has factors for R, G and B and an addend,
// which includes half a step for rounding.
struct YuvMatrix {
  std::int32_t y[4] = {};
  std::int32_t u[4] = {};
  std::int32_t v[4] = {};
};

// Makes the matrix from the weights of red and blue in the luma (0.299 and 0.114 in BT.601). Luma
// spans 16 to 235 and chroma 16 to 240, or both 0 to 255 with `full_range`.
YuvMatrix yuv_matrix(double red, double blue, bool full_range);

RDP_HOST_DEVICE inline std::uint32_t yuv_byte(const std::int32_t (&row)[4], std::uint32_t pixel) {
  const std::int32_t value = (row[0] * static_cast<std::int32_t>(pixel & 255U) +
                              row[1] * static_cast<std::int32_t>(pixel >> 8 & 255U) +
                              row[2] * static_cast<std::int32_t>(pixel >> 16 & 255U) + row[3]) >>
                             16;
  return static_cast<std::uint32_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Blends the chroma that 1 to 4 `pixels` share, weighted by their alphas. `sum` is the sum of their
// alpha * chroma, `alphas` the sum of their alphas.
RDP_HOST_DEVICE inline std::uint32_t blended_chroma(std::uint32_t under, std::uint32_t sum,
                                                    std::uint32_t alphas, std::uint32_t pixels) {
  const std::uint32_t all = 255U * pixels;
  return (under * (all - alphas) + sum + all / 2U) / all;
}

// Two planes: luma, and chroma of half the size, rounded up, as pairs of bytes.
struct Nv12View {
  std::byte* luma = nullptr;
  std::ptrdiff_t luma_stride = 0;
  std::byte* chroma = nullptr;
  std::ptrdiff_t chroma_stride = 0;
  int width = 0;
  int height = 0;
};

// `drawing` has the size of the picture.
void blend_into_rgba(const RgbaView& drawing, const RgbaView& picture);
void blend_into_nv12(const RgbaView& drawing, const YuvMatrix& matrix, const Nv12View& picture);

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_BLEND_H_
