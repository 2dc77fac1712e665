// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_FRAME_LIST_H_
#define RDP_KERNELS_PRIMITIVES_FRAME_LIST_H_

#include <cstdint>

namespace rdp::cuda {

// Most frames of a launch: one for each thread of a warp.
inline constexpr int kMaxFrames = 32;

// Addresses of a launch's frames in device memory; their common size is passed separately. Kernels
// take the list by value, so it needs no upload.
struct FrameList {
  unsigned char* data[kMaxFrames];
  std::int64_t pitch[kMaxFrames];  // from one row to the next, in bytes
};

class DeviceFrames;

// The list of these frames, for host code.
FrameList frame_list(const DeviceFrames& frames);

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_FRAME_LIST_H_
