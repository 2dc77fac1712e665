// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_PINNED_MEMORY_H_
#define RDP_GST_MEMORY_PINNED_MEMORY_H_

#include <cuda.h>
#include <gst/gst.h>

#include <memory>

// Page-locked system memory, with which the device copies in the background and at full speed.
// Needs the loaded driver, not libgstcuda.
namespace rdp::gst {

// Makes an allocator of page-locked memory, for pools and allocation queries. `context` becomes
// current for each allocation and must live as long as `keep_alive`, which the allocator and each
// of its memories hold. All contexts may use the memory. If the driver has none left, it falls back
// to pageable memory, which is slower.
GstAllocator* pinned_allocator_new(CUcontext context, std::shared_ptr<void> keep_alive);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_PINNED_MEMORY_H_
