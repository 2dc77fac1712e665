// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_DEVICE_VIDEO_H_
#define RDP_GST_MEMORY_DEVICE_VIDEO_H_

#include <cstdint>

#include "kernels/runtime/device_view.h"

namespace rdp::gst {

// A colour picture in device memory: RGBA has one plane, NV12 two.
struct DeviceVideo {
  cuda::DevicePointer planes[2] = {};
  std::int64_t pitches[2] = {};
  int width = 0;
  int height = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_DEVICE_VIDEO_H_
