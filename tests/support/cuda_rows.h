// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CUDA_ROWS_H_
#define RDP_TESTS_SUPPORT_CUDA_ROWS_H_

#include <cstring>
#include <string>

#include "gst/memory/cuda_memory.h"
#include "gst/memory/system_memory.h"
#include "tests/support/gst_frames.h"

namespace rdp::test {

// Allocates GStreamer CUDA memory for a picture; its video info has the layout. Null on failure.
inline GstMemory* allocate_cuda(GstCudaContext* context, const GstVideoInfo& info) {
  GstAllocator* allocator = gst_allocator_find(GST_CUDA_MEMORY_TYPE_NAME);
#ifdef RDP_GST_CUDA_STREAMS
  GstMemory* memory =
      gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), context, nullptr, &info);
#else
  GstMemory* memory = gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), context, &info);
#endif
  gst_object_unref(allocator);
  return memory;
}

// Allocates a buffer with such memory, and a GstVideoMeta of its planes.
inline GstBuffer* new_cuda_picture(GstCudaContext* context, const GstVideoInfo& info) {
  GstMemory* memory = allocate_cuda(context, info);
  if (memory == nullptr) return nullptr;
  GstBuffer* buffer = gst_buffer_new();
  gst_buffer_append_memory(buffer, memory);
  GstVideoInfo own = GST_CUDA_MEMORY_CAST(memory)->info;
  gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT(&info),
                                 static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)),
                                 static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info)),
                                 GST_VIDEO_INFO_N_PLANES(&info), own.offset, own.stride);
  return buffer;
}

// Allocates memory with rows of at least `row_bytes` bytes. GRAY formats are allocated as RGBA: see
// cuda_depth_pool.cpp.
inline GstMemory* allocate_cuda_rows(GstCudaContext* context, gsize row_bytes, int rows) {
  GstVideoInfo surrogate;
  gst_video_info_set_format(&surrogate, GST_VIDEO_FORMAT_RGBA,
                            static_cast<guint>((row_bytes + 3) / 4), static_cast<guint>(rows));
  return allocate_cuda(context, surrogate);
}

// Uploads data that the host has written. False: the upload failed.
inline bool bring_to_device(GstBuffer* buffer) {
  GstMapInfo map;
  if (!gst_buffer_map(buffer, &map, static_cast<GstMapFlags>(GST_MAP_READ | GST_MAP_CUDA))) {
    return false;
  }
  gst_buffer_unmap(buffer, &map);
  return true;
}

// Writes the content into a frame in CUDA memory, and uploads it to the device. On failure, *reason
// says why.
inline bool write_cuda_buffer(GstBuffer* buffer, const frames::Content& content,
                              std::string* reason) {
  const frames::Shape& shape = content.shape;
  const gsize tight = frames::row_bytes(shape);
  gst::SystemFrame frame;
  if (!frame.map(buffer, frames::video_info(shape), gst::Access::kReadWrite, reason)) return false;
  for (int row = 0; row < shape.height; ++row) {
    std::memcpy(frame.view().row(row), content.samples.data() + static_cast<gsize>(row) * tight,
                tight);
  }
  frame.unmap();
  if (bring_to_device(buffer)) return true;
  *reason = "a frame cannot be copied to the device";
  return false;
}

// A frame in CUDA memory with this content. Samples begin at the shape's offset, in rows of the
// device's own stride. Null on failure, with *reason.
inline GstBuffer* new_cuda_buffer(GstCudaContext* context, const frames::Content& content,
                                  std::string* reason) {
  const frames::Shape& shape = content.shape;
  GstMemory* memory =
      allocate_cuda_rows(context, frames::row_bytes(shape) + shape.offset, shape.height);
  if (memory == nullptr) {
    *reason = "no GPU memory for a frame of " + frames::caps_string(shape);
    return nullptr;
  }
  GstBuffer* buffer = gst_buffer_new();
  gst_buffer_append_memory(buffer, memory);
  frames::add_video_meta(buffer, shape,
                         GST_VIDEO_INFO_PLANE_STRIDE(&GST_CUDA_MEMORY_CAST(memory)->info, 0));
  if (!write_cuda_buffer(buffer, content, reason)) gst_clear_buffer(&buffer);
  return buffer;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_CUDA_ROWS_H_
