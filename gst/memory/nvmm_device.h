// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_DEVICE_H_
#define RDP_GST_MEMORY_NVMM_DEVICE_H_

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <string>

#include "gst/memory/device_video.h"
#include "gst/memory/nvmm_memory.h"

// NVMM surfaces as CUDA memory. Needs the driver; NVIDIA's buffer library only for surface arrays.
namespace rdp::gst {

// The location of a surface's samples on the device.
struct NvmmDeviceRows {
  CUdeviceptr data = 0;
  std::int64_t pitch = 0;
};

// Finds a surface that is device_readable() in its device's primary context, where CUDA's runtime
// and NVIDIA's elements work. That context must be current; `keep_alive` keeps it. False: *reason
// says why kernels cannot reach the surface. Throws CudaError.
//
// Surface arrays are reached through an EGL image. The first call makes and registers it; then the
// surface's GstMemory owns it, all elements share it, and it is freed before the memory. So there
// are as many registrations as surfaces in the pools upstream. They hold `keep_alive`, too.
bool find_nvmm_on_device(const NvmmSurface& surface, CUcontext context,
                         const std::shared_ptr<void>& keep_alive, NvmmDeviceRows* rows,
                         std::string* reason);

// Finds the planes of a colour picture in NVMM memory (RGBA or NV12), as find_nvmm_on_device()
// does, in the current primary context of its device. False: *reason says why kernels cannot reach
// it. Throws CudaError.
bool find_nvmm_video(const NvmmSurface& surface, CUcontext context,
                     const std::shared_ptr<void>& keep_alive, DeviceVideo* video,
                     std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_DEVICE_H_
