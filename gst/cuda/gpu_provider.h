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

// GPUs as elements see them. This header needs no CUDA, and there are two implementations:
// gpu_provider.cpp, and gpu_provider_none.cpp for builds without CUDA.
namespace rdp::gst {

class GpuSession;

// True if memory:CUDAMemory can be used here. False: *reason says what is missing. Any thread.
bool cuda_memory_available(std::string* reason = nullptr) noexcept;

// Pools in the CUDA memory of `context`, of RGBA pictures and of frames that are GRAY8 or
// GRAY16_LE. Only for contexts of GpuProvider::context(), which outlive the kind.
PoolKind gpu_picture_pools(GstObject* context);
PoolKind gpu_frame_pools(GstObject* context);

// The CUDA context of one element and its session in it: the one owner of the question where on a
// GPU the element works. Streaming thread only, or while there is none, except where a function
// says otherwise.
//
// Frames in CUDA memory are worked on in their own context, frames in NVMM memory in the primary
// context of their device. Frames in memory of the host go where the last frame was, at first to a
// context that is found as GStreamer's CUDA elements find theirs or, where memory:CUDAMemory is not
// to be had, to the primary one. A context that frames have left is let go, with its session: as in
// GstCudaBaseTransform, there is one at a time.
//
// `device_id` is the property cuda-device-id everywhere, -1: any. Moves are logged in the category
// rdpgpu.
class GpuProvider : public InstanceMemory {
 public:
  explicit GpuProvider(GstElement* element);
  ~GpuProvider();
  GpuProvider(const GpuProvider&) = delete;
  GpuProvider& operator=(const GpuProvider&) = delete;

  // True if there is a driver and a device; a cheap check. False: *reason says what is missing. Any
  // thread.
  static bool device_exists(int device_id, std::string* reason = nullptr) noexcept;

  // Makes a session, if there is none. Throws GpuError that says what is missing.
  void start(int device_id);
  // Frees the session and lets go of its context.
  void stop();
  // Frees what the element keeps in its session, such as a method's workers.
  void drop_states();

  // The session for work in `wanted`, which is the context of a frame. False: *reason says why
  // frames from there cannot be worked on. Throws GpuError, also where the frame is on another
  // device than cuda-device-id allows.
  GpuSession* session_for(const FrameContext& wanted, int device_id, std::string* reason);
  // After a GpuError: no session is used again. Whether a context is lost shows when the next one
  // is made.
  void forget();

  // For the element's set_context(). Any thread.
  void set_context(GstContext* context, int device_id);
  // Answers a query for the context. False: it is not for this element. Any thread.
  bool answer_context_query(GstQuery* query);
  // The GstCudaContext of the session that was last asked for, null where it is none of GStreamer's
  // or there is no session.
  GstObject* context() const;

  // An allocator of system memory that the device writes to by itself, in the session that was last
  // asked for; null where there is none. Its memory keeps the context.
  GstAllocator* new_page_locked();

  // Completes the answer to an allocation query of the element's sink pad, which may have
  // downstream's proposals already. Frames in CUDA memory come from a pool of ours unless
  // downstream has a better one. With `page_locked`, what is in system memory comes from memory
  // that the device reads by itself, where downstream does not care. False: there is nothing to
  // add.
  bool propose_allocation(GstQuery* query, int device_id, bool page_locked);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_GPU_PROVIDER_H_
