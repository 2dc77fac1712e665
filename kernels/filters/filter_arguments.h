// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_

#include <cstdint>

#include "common/image/blend.h"
#include "kernels/primitives/frame_list.h"

namespace rdp::cuda {

// Arguments of the kernels of all filters. Frame i of `in` becomes frame i of `out`, in the blocks
// whose blockIdx.z is i. No frame of `out` overlaps any other one.
struct FilterArguments {
  FrameList in;
  FrameList out;
  std::int32_t frame_count;  // 1..kMaxFrames
  std::int32_t width;        // of each frame of `in`
  std::int32_t height;
};

// Arguments of the kernels rdp_inverse_depth_<sample>. `out` has 16-bit samples.
struct InverseDepthArguments : FilterArguments {
  const std::uint16_t* table;  // for each value that a sample of `in` can have
};

// The part of a frame that a block of threads works on.
constexpr int kInverseDepthThreads = 128;
constexpr int kInverseDepthColumns = 32 * 8;
constexpr int kInverseDepthRows = kInverseDepthThreads / 32;

// Arguments of the kernels rdp_join_columns_<sample>. `out` has samples like those of `in`, in
// width / column_width columns, rounded up.
struct JoinColumnsArguments : FilterArguments {
  std::int32_t column_width;  // 1..16
  std::uint32_t known_first;
  std::uint32_t known_last;
  std::uint32_t unknown;  // written if too few are known
};

// The part of the joined frame that a block of threads works on.
constexpr int kJoinThreads = 128;
constexpr int kJoinColumns = 32;
constexpr int kJoinRows = kJoinThreads / 32;

// Arguments of the kernels rdp_median_<side>_<sample>.
struct MedianArguments : FilterArguments {};

// The part of a frame that a block of threads works on.
constexpr int kMedianThreads = 128;
constexpr int kMedianColumns = 32 * 8;
constexpr int kMedianRowsOfThread = 4;
constexpr int kMedianRows = kMedianRowsOfThread * kMedianThreads / 32;

// The target picture of a blend.
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

#endif  // RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_
