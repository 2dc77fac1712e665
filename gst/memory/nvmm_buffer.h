// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_BUFFER_H_
#define RDP_GST_MEMORY_NVMM_BUFFER_H_

#include <gst/gst.h>

#include "gst/memory/memory_kind.h"

// Buffers that carry our metadata on shared frames in NVMM memory.
namespace rdp::gst {

// Makes an active pool of buffers without memory, for nvmm_make_writable(). Unref it after
// gst_buffer_pool_set_active(pool, FALSE).
GstBufferPool* nvmm_buffer_pool_new();

// Makes `buffer` (transfer full) writable for metadata: returns it, or another buffer with its
// memory, timestamps, flags and metadata. Returns (transfer full); null if the pool is being
// stopped. gst_buffer_make_writable() would copy the structure that describes the surfaces, because
// copies of a buffer cannot share NVMM memory. Such a copy points to surfaces that the producer
// reuses once the original is gone. The buffer returned here keeps the original.
GstBuffer* nvmm_make_writable(GstBuffer* buffer, GstBufferPool* pool);

// Buffers that pass and get metadata: the buffer object must be unshared. Its memory stays shared;
// a write to shared memory copies it.
class TaggedBuffers {
 public:
  TaggedBuffers() : pool_(nvmm_buffer_pool_new()) {}
  ~TaggedBuffers();
  TaggedBuffers(const TaggedBuffers&) = delete;
  TaggedBuffers& operator=(const TaggedBuffers&) = delete;

  // Returns a buffer (transfer full) with writable metadata, for `buffer` (transfer full), whose
  // caps name `memory`. Null with *flow; `element` has posted an error if that is GST_FLOW_ERROR.
  GstBuffer* make_writable(GstElement* element, GstBuffer* buffer, MemoryKind memory,
                           GstFlowReturn* flow);

 private:
  GstBufferPool* const pool_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_BUFFER_H_
