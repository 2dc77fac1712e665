// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_

#include <cstdint>

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

// The arguments of filters for these frames, for host code. There are as many of both.
FilterArguments filter_arguments(const DeviceFrames& in, const DeviceFrames& out);

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_
