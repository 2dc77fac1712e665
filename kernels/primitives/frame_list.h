// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_FRAME_LIST_H_
#define RDP_KERNELS_PRIMITIVES_FRAME_LIST_H_

#include <cstdint>

namespace rdp::cuda {

// As many frames go in one launch, at most: one for each thread of a warp.
inline constexpr int kMaxFrames = 32;

// The places of the frames of a launch in device memory. Their size, which is one, is elsewhere. It
// is passed to kernels by value, so that the list itself need not be brought to the device.
struct FrameList {
  unsigned char* data[kMaxFrames];
  std::int64_t pitch[kMaxFrames];  // from one row to the next, in bytes
};

class DeviceFrames;

// The list of these frames, for host code.
FrameList frame_list(const DeviceFrames& frames);

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_FRAME_LIST_H_
