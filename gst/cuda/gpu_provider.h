// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_GPU_PROVIDER_H_
#define RDP_GST_CUDA_GPU_PROVIDER_H_

#include <gst/gst.h>

#include <memory>
#include <string>

#include "common/gpu_error.h"
#include "gst/memory/frame_mapper.h"
#include "gst/memory/instance_memory.h"
#include "gst/memory/pool_negotiation.h"

// GPUs as elements see them. This header needs no CUDA. It has two implementations:
// gpu_provider.cpp, and gpu_provider_none.cpp for builds without CUDA.
namespace rdp::gst {

class GpuSession;

// True if memory:CUDAMemory can be used here. False: *reason says what is missing. Any thread.
bool cuda_memory_available(std::string* reason = nullptr) noexcept;

// Pools in the CUDA memory of `context`: of RGBA pictures, and of GRAY8 or GRAY16_LE frames. Only
// for contexts of GpuProvider::context(), which outlive the kind.
PoolKind gpu_picture_pools(GstObject* context);
PoolKind gpu_frame_pools(GstObject* context);

// The CUDA context of one element and its session in it; the only place that decides where on a GPU
// the element works. Streaming thread only, or while there is none, except where a function says
// otherwise.
//
// Frames in CUDA memory are processed in their own context, frames in NVMM memory in their device's
// primary context. Frames in host memory use the last frame's context. At first that is one found
// as by GStreamer's CUDA elements or, without memory:CUDAMemory, the primary one. A context is
// released with its session once frames move to another: as in GstCudaBaseTransform, there is one
// at a time.
//
// `device_id` is always the property cuda-device-id, -1: any. Moves are logged in the category
// rdpgpu.
class GpuProvider : public InstanceMemory {
 public:
  explicit GpuProvider(GstElement* element);
  ~GpuProvider();
  GpuProvider(const GpuProvider&) = delete;
  GpuProvider& operator=(const GpuProvider&) = delete;

  // Checks cheaply for a driver and a device. False: *reason says what is missing. Any thread.
  static bool device_exists(int device_id, std::string* reason = nullptr) noexcept;

  // Makes a session, if there is none. Throws GpuError, which says what is missing.
  void start(int device_id);
  // Frees the session and releases its context.
  void stop();
  // Frees the element's state in its session, such as a method's workers.
  void drop_states();

  // Returns the session for work in `wanted`, a frame's context. Null: *reason says why its frames
  // cannot be processed. Throws GpuError, also if the frame is on a device that cuda-device-id
  // excludes.
  GpuSession* session_for(const FrameContext& wanted, int device_id, std::string* reason);
  // Call after a GpuError: the session is not used again. Making the next one shows whether the
  // context is lost.
  void forget();

  // For the element's set_context(). Any thread.
  void set_context(GstContext* context, int device_id);
  // Answers a query for the context. False: it is not for this element. Any thread.
  bool answer_context_query(GstQuery* query);
  // The GstCudaContext of the last requested session. Null: there is no session, or its context is
  // not GStreamer's.
  GstObject* context() const;

  // Makes an allocator of page-locked system memory, which the device writes directly, in the last
  // requested session; null: there is none. Its memory keeps the context alive.
  GstAllocator* new_page_locked();

  // Completes the answer to an allocation query of the element's sink pad, which may contain
  // downstream's proposals. Frames in CUDA memory come from our pool unless downstream has a
  // suitable one. With `page_locked`, frames in system memory come from memory that the device
  // reads directly, unless downstream names another. False: there is nothing to add.
  bool propose_allocation(GstQuery* query, int device_id, bool page_locked);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_GPU_PROVIDER_H_
