// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_PICTURE_POOL_H_
#define RDP_GST_MEMORY_NVMM_PICTURE_POOL_H_

#include <gst/gst.h>

namespace rdp::gst {

// Makes a pool of RGBA pictures in NVMM memory, by NVIDIA's buffer library, which must be present
// (nvmm::library()). Each buffer is a batch of one surface in the platform's preferred memory:
// device memory of `gpu`, or a surface array. With `for_host` the CPU can reach it, too:
// page-locked memory replaces device memory. Configuring fails for other caps.
GstBufferPool* nvmm_picture_pool_new(guint gpu, bool for_host);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_PICTURE_POOL_H_
