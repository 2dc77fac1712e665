// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_FRAME_ARGUMENTS_H_
#define RDP_KERNELS_PRIMITIVES_FRAME_ARGUMENTS_H_

#include <cstdint>

#include "kernels/primitives/frame_list.h"

namespace rdp::cuda {

// The frames that a kernel reads, and which of their samples count.
struct FrameArguments {
  FrameList frames;
  std::int32_t frame_count;  // 1..kMaxFrames
  std::int32_t width;        // of each frame
  std::int32_t height;
  std::uint32_t known_first;  // known samples: known_first <= sample <= known_last
  std::uint32_t known_last;
  std::uint32_t sample_bytes;  // 1 or 2
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_FRAME_ARGUMENTS_H_
