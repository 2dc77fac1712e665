// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_DEPTH_TABLE_ARGUMENTS_H_
#define RDP_KERNELS_STEREO_DEPTH_TABLE_ARGUMENTS_H_

#include <cstdint>

namespace rdp::cuda {

// Arguments of the kernel rdp_disparity_to_depth: samples of 16 bits, and a table for each value.
struct DepthTableArguments {
  unsigned char* samples;
  const std::uint16_t* table;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
};

// The part of a frame that a block of threads works on.
constexpr int kDepthTableThreads = 128;
constexpr int kDepthTableColumns = 32 * 8;
constexpr int kDepthTableRows = kDepthTableThreads / 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_DEPTH_TABLE_ARGUMENTS_H_
