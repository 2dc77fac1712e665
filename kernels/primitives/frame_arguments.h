// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_FRAME_ARGUMENTS_H_
#define RDP_KERNELS_PRIMITIVES_FRAME_ARGUMENTS_H_

#include <cstdint>

namespace rdp::cuda {

// The frame that a kernel reads, and which of its samples count. `frame` is a device pointer.
struct FrameArguments {
  const unsigned char* frame;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
  std::uint32_t known_first;  // known samples: known_first <= sample <= known_last
  std::uint32_t known_last;
  std::uint32_t sample_bytes;  // 1 or 2
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_FRAME_ARGUMENTS_H_
