// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_BUFFER_H_
#define RDP_GST_MEMORY_NVMM_BUFFER_H_

#include <gst/gst.h>

#include "gst/memory/memory_kind.h"

// Buffers that carry metadata of our own around frames in NVMM memory that others hold, too.
namespace rdp::gst {

// A pool of buffers without memory for nvmm_make_writable(), active. Unref it after
// gst_buffer_pool_set_active(pool, FALSE).
GstBufferPool* nvmm_buffer_pool_new();

// Makes `buffer` (transfer full) writable for metadata: returns it, or another buffer with its
// memory, timestamps, flags and metadata. Returns (transfer full); null if the pool is being
// stopped. gst_buffer_make_writable() would copy the structure that describes the surfaces, because
// copies of a buffer cannot share NVMM memory. Such a copy points to surfaces that the producer
// reuses once the original is gone. The buffer returned here keeps the original.
GstBuffer* nvmm_make_writable(GstBuffer* buffer, GstBufferPool* pool);

// Buffers whose frames go on and get metadata: the buffer object has to be ours alone; its memory
// stays shared, and is copied only if it is written to while others hold it.
class TaggedBuffers {
 public:
  TaggedBuffers() : pool_(nvmm_buffer_pool_new()) {}
  ~TaggedBuffers();
  TaggedBuffers(const TaggedBuffers&) = delete;
  TaggedBuffers& operator=(const TaggedBuffers&) = delete;

  // Takes `buffer`, whose caps speak of `memory`, and gives one to which metadata can be added.
  // Null with *flow; `element` has posted an error where that is GST_FLOW_ERROR.
  GstBuffer* make_writable(GstElement* element, GstBuffer* buffer, MemoryKind memory,
                           GstFlowReturn* flow);

 private:
  GstBufferPool* const pool_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_BUFFER_H_
