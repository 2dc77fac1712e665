// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_GPU_BACKEND_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_GPU_BACKEND_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "gst/elements/base/instance_memory.h"
#include "gst/memory/memory_kind.h"
#include "gst/memory/nvmm_memory.h"

// The GPU as the elements see it. This header needs no CUDA, and there are two implementations:
// gpu_backend.cpp, and gpu_backend_none.cpp for builds without CUDA.
namespace rdp::gst {

// A GPU that is not there or does not do what it should. what() says what was being done and has
// the name of CUDA's error, or says what is missing.
class GpuError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whether memory:CUDAMemory can be used here. False: *reason says what is missing. Any thread.
bool cuda_memory_available(std::string* reason = nullptr) noexcept;

// A pool of RGBA pictures in the CUDA memory of `context`, and whether another pool is one. Only
// for contexts of GpuBackend::context().
GstBufferPool* gpu_picture_pool_new(GstObject* context);
bool is_gpu_picture_pool(GstBufferPool* pool, GstObject* context);

// The GPU engine of an element, with the context it works in. Streaming thread only, or while there
// is none, except where a function says otherwise.
class GpuBackend : public InstanceMemory {
 public:
  explicit GpuBackend(GstElement* element);
  ~GpuBackend();
  GpuBackend(const GpuBackend&) = delete;
  GpuBackend& operator=(const GpuBackend&) = delete;

  // Whether there is a driver and a device, at little cost. False: *reason says what is missing.
  static bool device_exists(int device_id, std::string* reason = nullptr) noexcept;

  // Makes the engine ready to work, if it is not: finds a context as GStreamer's CUDA elements do,
  // or, where memory:CUDAMemory is not to be had, takes the device's primary one. Frames in other
  // memory move it later, see map(). Throws GpuError that says what is missing.
  void start(int device_id);
  // Frees the engine and lets go of the context.
  void stop();

  // For the element's set_context(). Any thread.
  void set_context(GstContext* context, int device_id);
  // Answers a query for the context. False: it is not for this element. Any thread.
  bool answer_context_query(GstQuery* query);
  // The GstCudaContext that the engine works in, null where it is none of GStreamer's or the engine
  // is not started.
  GstObject* context() const;

  // Completes the answer to an allocation query of the element's sink pad, which may have
  // downstream's proposals already. Frames in CUDA memory come from a pool of ours unless
  // downstream has a better one. With `page_locked`, frames in system memory come from memory that
  // the device reads by itself, where downstream does not care. False: there is nothing to add.
  bool propose_allocation(GstQuery* query, int device_id, bool page_locked);

  // One frame: map(), map_picture() where one is wanted, process(), unmap().

  // Maps `buffer`, whose caps are `info`, for reading, or with `write` for writing too. The engine
  // moves to the context that the buffer belongs to, if the device is allowed. False: *reason says
  // why the buffer cannot be read. Throws GpuError.
  bool map(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind, bool write, int device_id,
           std::string* reason);
  // The same for one surface of a batch in NVMM memory, which stays mapped meanwhile. The engine
  // moves to the primary context of the surface's device.
  bool map_surface(const NvmmSurface& surface, int device_id, std::string* reason);
  // Maps the picture that process() is to paint.
  bool map_picture(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind,
                   const OverlayOptions& options, std::string* reason);
  // Segments the mapped frame into `segmentation`, paints the mapped picture, and with
  // `reconstruct` writes the segments' lines into the frame. All of it is done on return. Throws
  // GpuError, after which the engine is to be started again, and std::bad_alloc.
  void process(const Parameters& parameters, bool reconstruct, GstRdpSegmentation* segmentation);
  void unmap();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_GPU_BACKEND_H_
