// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_BLEND_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_BLEND_ARGUMENTS_H_

#include <cstdint>

#include "common/image/blend.h"

namespace rdp::cuda {

// A picture that is blended into.
struct BlendedPicture {
  unsigned char* pixels;  // RGBA, pointer and pitch multiples of 4; or luma
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
  // For NV12.
  unsigned char* chroma;
  std::int64_t chroma_pitch;
  YuvMatrix matrix;
};

// Arguments of the kernels rdp_blend_rgba and rdp_blend_nv12.
struct BlendArguments {
  const unsigned char* drawing;  // RGBA; pointer and pitch are multiples of 4
  std::int64_t drawing_pitch;
  BlendedPicture picture;
};

// The part of a picture that a block of threads works on: a thread has a pixel of RGBA, or the four
// pixels that share their chroma.
constexpr int kBlendThreads = 128;
constexpr int kBlendColumns = 32;
constexpr int kBlendRows = kBlendThreads / kBlendColumns;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_BLEND_ARGUMENTS_H_
