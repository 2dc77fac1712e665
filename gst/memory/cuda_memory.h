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

// memory:CUDAMemory, GStreamer's own CUDA memory (libgstcuda, since 1.22). Compiled if that library
// and the CUDA toolkit are present (RDP_HAVE_GST_CUDA). Call nothing here before
// cuda_memory_usable() of gst/cuda/cuda_context.h returned true: libgstcuda ends the process if
// there is no driver.
namespace rdp::gst {

// The flags of streams that work on CUDA memory. Before 1.24 GStreamer's memory has no stream, and
// its elements' streams wait for the default stream, so that a producer may work there.
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

  // Maps `buffer`, whose caps are `info`, for the device, as SystemFrame does for the host.
  // Formats: GRAY8, GRAY16_LE, NV12 and I420 (view() is the luma), RGBA (a picture()). The buffer
  // must be one CUDA memory. Its GstVideoMeta, or else the memory's own layout, must place the
  // samples inside the memory and aligned. Access::kReadWrite requires a writable buffer.
  //
  // Uploads what the CPU has written and waits for the producer, so that any stream may read the
  // samples. Before GStreamer 1.24, whose memory has no stream, it waits only for copies made by
  // GStreamer, and only streams of kCudaMemoryStream may read. False: nothing is mapped, and
  // *reason says what was expected and what came. Throws CudaError, and maps nothing, if the device
  // fails during the wait.
  //
  // A writer waits for its stream before the buffer is unmapped and passed on.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, Access access, std::string* reason);
  void unmap();
  bool mapped() const { return buffer_ != nullptr; }

  // Valid only while mapped.
  const cuda::DeviceDepthView& view() const { return view_; }
  cuda::DeviceRgbaView picture() const {
    return {view_.data, view_.pitch, view_.width / 4, view_.height};
  }
  // The context of the memory; it must be current for any use of view().
  GstCudaContext* context() const { return memory_->context; }
  // The producer's stream, if GStreamer (since 1.24) knows it; else null.
  CUstream stream() const;

 private:
  GstBuffer* buffer_ = nullptr;
  GstCudaMemory* memory_ = nullptr;
  GstMapInfo map_ = GST_MAP_INFO_INIT;
  cuda::DeviceDepthView view_;
};
static_assert(MemoryAdapter<CudaFrame>);

// Waits until pending writes to a memory mapped for the device are done, so that any stream of
// kCudaMemoryStream may use it. Throws CudaError.
void wait_for_producer(GstCudaMemory* memory);

// True if the first memory of a buffer is CUDA memory.
bool is_cuda_buffer(GstBuffer* buffer);

// Makes a pool of frames in CUDA memory for caps of GRAY8 and GRAY16_LE, which no version of
// GStreamer's own pool supports. Buffers have one memory and always a GstVideoMeta (even without
// GST_BUFFER_POOL_OPTION_VIDEO_META), because the device determines the stride. It also determines
// the size: read it back from the configuration once set. Buffers support deep copies and CPU
// mapping like all CUDA memory. Configuring fails for other caps, and if the device is out of
// memory.
GstBufferPool* cuda_depth_pool_new(GstCudaContext* context);

// Returns the context of a pool of cuda_depth_pool_new() (transfer none); null for other pools.
GstCudaContext* cuda_depth_pool_context(GstBufferPool* pool);

// True if `pool`, proposed by another element, can hold depth frames in CUDA memory: it is one of
// the above, or of an unknown type. GStreamer's own pools are in system memory, or end the process
// when configured for gray frames.
bool cuda_holds_depth(GstBufferPool* pool);

// A pool of pictures in CUDA memory for caps of RGBA: GStreamer's own.
GstBufferPool* cuda_picture_pool_new(GstCudaContext* context);

// The kinds of these pools with buffers in `context`, because the engine can use no other context's
// memory. `context` outlives the kind.
PoolKind cuda_depth_pools(GstCudaContext* context);
PoolKind cuda_picture_pools(GstCudaContext* context);

// Returns the driver's handle of a context, for cuda::ContextScope.
inline CUcontext cuda_handle(GstCudaContext* context) {
  return static_cast<CUcontext>(gst_cuda_context_get_handle(context));
}

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_CUDA_MEMORY_H_
