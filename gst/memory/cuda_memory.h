// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_CUDA_MEMORY_H_
#define RDP_GST_MEMORY_CUDA_MEMORY_H_

#include <cuda.h>
#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/video/video.h>

#include <string>

#include "gst/memory/frame_layout.h"
#include "gst/memory/pool_negotiation.h"
#include "kernels/runtime/device_view.h"

// memory:CUDAMemory, GStreamer's own CUDA memory (libgstcuda, from 1.22 on). Compiled where that
// library and the CUDA toolkit are (RDP_HAVE_GST_CUDA). Nothing here may be called before
// cuda_memory_usable() of gst/cuda/cuda_context.h has said yes: libgstcuda ends the process when it
// is used without a driver.
namespace rdp::gst {

// The flags of streams that work on CUDA memory. Before 1.24 GStreamer knows no streams of memory,
// and the streams of its elements wait for the default stream, so that a producer may work there.
#ifdef RDP_GST_CUDA_STREAMS
inline constexpr unsigned kCudaMemoryStream = CU_STREAM_NON_BLOCKING;
#else
inline constexpr unsigned kCudaMemoryStream = CU_STREAM_DEFAULT;
#endif

// A frame in CUDA memory, mapped for as long as the object lives.
class CudaFrame {
 public:
  CudaFrame() = default;
  ~CudaFrame() { unmap(); }
  CudaFrame(const CudaFrame&) = delete;
  CudaFrame& operator=(const CudaFrame&) = delete;

  // Maps `buffer`, whose caps are `info` (GRAY8, GRAY16_LE, or NV12 and I420, of which view() is
  // the luma; or RGBA, which is a picture()), for the device, as SystemFrame does for the host: the
  // buffer must be one CUDA memory, and its GstVideoMeta, or without one the memory's own layout,
  // must place the samples inside of it and aligned. With Access::kReadWrite the buffer must be
  // writable. What the CPU has written to the buffer is uploaded first, and what the producer still
  // computes is waited for, so that any stream may read the samples; before GStreamer 1.24, which
  // knows no streams: copies that GStreamer has made, so that any stream of kCudaMemoryStream may.
  // False: *reason says what was expected and what came, and nothing is mapped. Throws CudaError,
  // and maps nothing, where the device fails while it is waited for.
  //
  // Whoever writes on a stream waits for that stream before the buffer is unmapped and passed on.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, Access access, std::string* reason);
  void unmap();
  bool mapped() const { return buffer_ != nullptr; }

  // The following only while mapped.
  const cuda::DeviceDepthView& view() const { return view_; }
  cuda::DeviceRgbaView picture() const {
    return {view_.data, view_.pitch, view_.width / 4, view_.height};
  }
  // The context that the memory belongs to; it must be current for whatever uses view().
  GstCudaContext* context() const { return memory_->context; }
  // The stream that the producer works on, from GStreamer 1.24 on and where it says so; else null.
  CUstream stream() const;

 private:
  GstBuffer* buffer_ = nullptr;
  GstCudaMemory* memory_ = nullptr;
  GstMapInfo map_ = GST_MAP_INFO_INIT;
  cuda::DeviceDepthView view_;
};
static_assert(MemoryAdapter<CudaFrame>);

// Waits for what is still to be written to a memory that was mapped for the device, so that any
// stream of kCudaMemoryStream may use it. Throws CudaError.
void wait_for_producer(GstCudaMemory* memory);

// True if the first memory of a buffer is CUDA memory.
bool is_cuda_buffer(GstBuffer* buffer);

// A pool of frames in CUDA memory for caps of GRAY8 and GRAY16_LE, which GStreamer's own pool does
// not carry in any version. Buffers have one memory and a GstVideoMeta, whether or not
// GST_BUFFER_POOL_OPTION_VIDEO_META is asked for, because their stride is the device's. Their size
// is that of the memory: read it back from the configuration once that is set. They can be copied
// deeply and mapped by the CPU like all CUDA memory. Configuring fails for other caps, and where
// the device has no memory.
GstBufferPool* cuda_depth_pool_new(GstCudaContext* context);

// The context of a pool of cuda_depth_pool_new(), without a reference; null for any other pool.
GstCudaContext* cuda_depth_pool_context(GstBufferPool* pool);

// True if the element that proposes `pool` for depth frames in CUDA memory may use it: it is one of
// the above, or of an unknown type. GStreamer's own are in system memory, or end the process when
// they are configured for gray frames.
bool cuda_holds_depth(GstBufferPool* pool);

// A pool of pictures in CUDA memory for caps of RGBA: GStreamer's own.
GstBufferPool* cuda_picture_pool_new(GstCudaContext* context);

// The kinds of these pools whose buffers are in `context`: memory of another one is of no use to
// whoever works there. `context` outlives the kind.
PoolKind cuda_depth_pools(GstCudaContext* context);
PoolKind cuda_picture_pools(GstCudaContext* context);

// The handle that the driver knows a context by, for cuda::ContextScope.
inline CUcontext cuda_handle(GstCudaContext* context) {
  return static_cast<CUcontext>(gst_cuda_context_get_handle(context));
}

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_CUDA_MEMORY_H_
