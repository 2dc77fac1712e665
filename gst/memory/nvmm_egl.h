// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_EGL_H_
#define RDP_GST_MEMORY_NVMM_EGL_H_

#include <cuda.h>

#include <memory>
#include <string>

#include "gst/memory/nvmm_memory.h"
#include "kernels/runtime/egl_frame.h"

namespace rdp::gst {

// Finds the EGL image of a surface array, registered with CUDA: see find_nvmm_on_device().
bool find_egl_frame(const NvmmSurface& surface, CUcontext context,
                    const std::shared_ptr<void>& keep_alive, cuda::EglFrame* frame,
                    std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_EGL_H_
