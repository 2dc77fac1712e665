// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_POOL_H_
#define RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_POOL_H_

#include <gst/gst.h>

namespace rdp::gst {

// Buffers for clouds, whose sizes differ from one to the next. Streaming thread only.
class CloudPool {
 public:
  CloudPool() { gst_allocation_params_init(&params_); }
  ~CloudPool() { stop(); }
  CloudPool(const CloudPool&) = delete;
  CloudPool& operator=(const CloudPool&) = delete;

  // Takes downstream's allocator, which may give page-locked memory, from the answer to an
  // allocation query. Removes all pools from the query: a base class would activate one that nobody
  // uses.
  void decide(GstQuery* query);

  // A buffer of `size` bytes; returned buffers are reused while clouds fit. With `several` clouds,
  // buffers have room for slightly larger ones. Null: see *flow.
  GstBuffer* acquire(gsize size, bool several, GstFlowReturn* flow);

  void stop();

 private:
  bool make(gsize size);

  GstAllocator* allocator_ = nullptr;
  GstAllocationParams params_;
  GstBufferPool* pool_ = nullptr;
  gsize capacity_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_POOL_H_
