// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_PINNED_MEMORY_H_
#define RDP_GST_MEMORY_PINNED_MEMORY_H_

#include <cuda.h>
#include <gst/gst.h>

#include <memory>

// System memory that is page-locked, so that the device copies from and to it in the background and
// at full speed. Needs the driver alone, not libgstcuda; the driver must be loaded.
namespace rdp::gst {

// An allocator of page-locked memory for whoever takes a GstAllocator: pools, allocation queries.
// `context` is made current for each allocation and must live for as long as `keep_alive` does,
// which the allocator and each of its memories hold. All contexts may use the memory. Where the
// driver has none to give, ordinary memory takes its place: slower, and just as good.
GstAllocator* pinned_allocator_new(CUcontext context, std::shared_ptr<void> keep_alive);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_PINNED_MEMORY_H_
