// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_INVERSE_DEPTH_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_INVERSE_DEPTH_ARGUMENTS_H_

#include <cstdint>

namespace rdp::cuda {

// What the kernels rdp_inverse_depth_<sample> take. Pitches in bytes; `in` and `out` do not
// overlap.
struct InverseDepthArguments {
  const unsigned char* in;
  std::int64_t in_pitch;
  unsigned char* out;  // 16-bit samples
  std::int64_t out_pitch;
  const std::uint16_t* table;  // for each value that a sample of `in` can have
  std::int32_t width;
  std::int32_t height;
};

// The part of a frame that a block of threads works on.
constexpr int kInverseDepthThreads = 128;
constexpr int kInverseDepthColumns = 32 * 8;
constexpr int kInverseDepthRows = kInverseDepthThreads / 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_INVERSE_DEPTH_ARGUMENTS_H_
