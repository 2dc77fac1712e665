// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_VIDEO_H_
#define RDP_GST_MEMORY_NVMM_VIDEO_H_

#include <cuda.h>

#include <memory>
#include <string>

#include "gst/memory/device_video.h"
#include "gst/memory/nvmm_memory.h"

namespace rdp::gst {

// Finds the planes of a colour picture in NVMM memory (RGBA or NV12), as find_nvmm_on_device() does
// for frames of samples: in the primary context of its device, which is current. False: *reason
// says why kernels cannot reach it. Throws CudaError.
bool find_nvmm_video(const NvmmSurface& surface, CUcontext context,
                     const std::shared_ptr<void>& keep_alive, DeviceVideo* video,
                     std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_VIDEO_H_
