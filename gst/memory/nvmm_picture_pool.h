// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_PICTURE_POOL_H_
#define RDP_GST_MEMORY_NVMM_PICTURE_POOL_H_

#include <gst/gst.h>

namespace rdp::gst {

// A pool of RGBA pictures in NVMM memory, made by NVIDIA's buffer library, which must be there
// (nvmm::library()). Each buffer is a batch of one surface in the memory that the platform's
// elements prefer: device memory of `gpu`, or a surface array. With `for_host` the CPU can reach it
// as well: page-locked memory in place of device memory. Configuring fails for other caps.
GstBufferPool* nvmm_picture_pool_new(guint gpu, bool for_host);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_PICTURE_POOL_H_
