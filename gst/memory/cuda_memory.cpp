// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/cuda_memory.h"

#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

#ifdef RDP_GST_CUDA_STREAMS
#include <gst/cuda/gstcudastream.h>
#endif

namespace rdp::gst {
namespace {

// Finds the layout of a buffer that is one CUDA memory, without mapping it.
bool find_device_layout(GstBuffer* buffer, const GstVideoInfo& info, FrameLayout* layout,
                        std::string* reason) {
  const guint memories = gst_buffer_n_memory(buffer);
  if (memories != 1) {
    *reason = format_text(
        "the caps say memory:CUDAMemory, which is one memory a buffer, but the buffer has %u",
        memories);
    return false;
  }
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  if (!gst_is_cuda_memory(memory)) {
    *reason = format_text("the caps say memory:CUDAMemory, but the buffer's memory is %s",
                          memory->allocator->mem_type);
    return false;
  }
  const GstVideoInfo& own = GST_CUDA_MEMORY_CAST(memory)->info;
  const bool same_size = GST_VIDEO_INFO_WIDTH(&own) == GST_VIDEO_INFO_WIDTH(&info) &&
                         GST_VIDEO_INFO_HEIGHT(&own) == GST_VIDEO_INFO_HEIGHT(&info);
  if (gst_buffer_get_video_meta(buffer) == nullptr &&
      (GST_VIDEO_INFO_FORMAT(&own) != GST_VIDEO_INFO_FORMAT(&info) ||
       !(same_size || is_cropped(buffer)))) {
    *reason = format_text(
        "the buffer has no GstVideoMeta, and its CUDA memory was allocated for %dx%d %s, while "
        "the caps say %dx%d %s",
        GST_VIDEO_INFO_WIDTH(&own), GST_VIDEO_INFO_HEIGHT(&own),
        gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&own)), GST_VIDEO_INFO_WIDTH(&info),
        GST_VIDEO_INFO_HEIGHT(&info), gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)));
    return false;
  }
  if (!find_frame_layout(buffer, memory->size, info, own, layout, reason)) return false;
  // A misaligned access is a fault that destroys the context.
  const gsize alignment = static_cast<gsize>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  if (layout->offset % alignment != 0 || layout->stride % alignment != 0) {
    *reason = format_text("the buffer's GstVideoMeta has offset %" G_GSIZE_FORMAT
                          " and stride %" G_GSIZE_FORMAT ", but samples of %" G_GSIZE_FORMAT
                          " bytes need multiples of %" G_GSIZE_FORMAT " on the GPU",
                          layout->offset, layout->stride, alignment, alignment);
    return false;
  }
  return true;
}

}  // namespace

void wait_for_producer(GstCudaMemory* memory) {
#ifdef RDP_GST_CUDA_STREAMS
  gst_cuda_memory_sync(memory);
#else
  // If a write is to shared memory, GStreamer first copies it on the default stream and returns
  // before the copy is done. The copy is always in new memory, so each memory needs only one query.
  // More would cost: the driver answers under a lock of the context, which blocks all elements in
  // it. (For other work on the default stream see kCudaMemoryStream.)
  static const GQuark waited_for = g_quark_from_static_string("rdp-waited-for");
  GstMiniObject* object = GST_MINI_OBJECT_CAST(memory);
  if (gst_mini_object_get_qdata(object, waited_for) != nullptr) return;
  const cuda::ContextScope scope(cuda_handle(memory->context));
  CUresult done = cuda::driver().cuStreamQuery(nullptr);
  if (done == CUDA_ERROR_NOT_READY) done = cuda::driver().cuStreamSynchronize(nullptr);
  cuda::check(done, "waiting for a frame");
  gst_mini_object_set_qdata(object, waited_for, object, nullptr);
#endif
}

bool CudaFrame::map(GstBuffer* buffer, const GstVideoInfo& info, Access access,
                    std::string* reason) {
  unmap();
  FrameLayout layout;
  if (!find_device_layout(buffer, info, &layout, reason)) return false;
  const auto flags = static_cast<GstMapFlags>(
      (access == Access::kRead ? GST_MAP_READ : GST_MAP_READWRITE) | GST_MAP_CUDA);
  if (!gst_buffer_map(buffer, &map_, flags)) {
    *reason =
        format_text("the buffer's CUDA memory cannot be mapped for %s (GST_DEBUG=cuda*:3 says why)",
                    access == Access::kRead ? "reading" : "reading and writing");
    return false;
  }
  buffer_ = buffer;
  // A mapping for writing may have replaced shared memory by a copy.
  memory_ = GST_CUDA_MEMORY_CAST(map_.memory);
  try {
    wait_for_producer(memory_);
  } catch (...) {  // also std::bad_alloc, from the error's text
    unmap();
    throw;
  }
  view_ = {reinterpret_cast<CUdeviceptr>(map_.data) + layout.offset,
           static_cast<std::int64_t>(layout.stride), samples_of_row(info),
           GST_VIDEO_INFO_HEIGHT(&info), sample_type(info)};
  const auto alignment = static_cast<CUdeviceptr>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  if (view_.data % alignment != 0) {
    *reason = format_text("the buffer's samples of %u bytes start at the odd address 0x%llx",
                          static_cast<guint>(alignment), view_.data);
    unmap();
    return false;
  }
  return true;
}

void CudaFrame::unmap() {
  if (buffer_ == nullptr) return;
  gst_buffer_unmap(buffer_, &map_);
  buffer_ = nullptr;
  memory_ = nullptr;
}

CUstream CudaFrame::stream() const {
#ifdef RDP_GST_CUDA_STREAMS
  GstCudaStream* stream = gst_cuda_memory_get_stream(memory_);
  return stream == nullptr ? nullptr : gst_cuda_stream_get_handle(stream);
#else
  return nullptr;
#endif
}

bool is_cuda_buffer(GstBuffer* buffer) {
  return gst_buffer_n_memory(buffer) > 0 && gst_is_cuda_memory(gst_buffer_peek_memory(buffer, 0));
}

}  // namespace rdp::gst
