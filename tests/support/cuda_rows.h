// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CUDA_ROWS_H_
#define RDP_TESTS_SUPPORT_CUDA_ROWS_H_

#include "gst/memory/cuda_memory.h"

namespace rdp::test {

// GStreamer's CUDA memory with rows of at least `row_bytes` bytes, its stride in its video info;
// null where it cannot be had. A gray format is allocated as another: see cuda_depth_pool.cpp.
inline GstMemory* allocate_cuda_rows(GstCudaContext* context, gsize row_bytes, int rows) {
  GstVideoInfo surrogate;
  gst_video_info_set_format(&surrogate, GST_VIDEO_FORMAT_RGBA,
                            static_cast<guint>((row_bytes + 3) / 4), static_cast<guint>(rows));
  GstAllocator* allocator = gst_allocator_find(GST_CUDA_MEMORY_TYPE_NAME);
#ifdef RDP_GST_CUDA_STREAMS
  GstMemory* memory =
      gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), context, nullptr, &surrogate);
#else
  GstMemory* memory =
      gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), context, &surrogate);
#endif
  gst_object_unref(allocator);
  return memory;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_CUDA_ROWS_H_
