// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_GPU_SESSION_H_
#define RDP_GST_CUDA_GPU_SESSION_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "common/image/rgba_view.h"
#include "gst/cuda/gpu_context.h"
#include "gst/memory/frame_mapper.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/device_view.h"

namespace rdp::gst {

// State that an element keeps in a session: made, used and freed while the session's context is
// current.
struct GpuSessionState {
  virtual ~GpuSessionState() = default;
};

// Work in one CUDA context: a stream, copies of frames between host and device, and the element's
// state there. Streaming thread only. All functions throw CudaError and std::bad_alloc.
class GpuSession {
 public:
  // `stream_flags`: kCudaMemoryStream for work on CUDA memory.
  explicit GpuSession(std::shared_ptr<const GpuContext> context,
                      unsigned stream_flags = CU_STREAM_NON_BLOCKING);
  ~GpuSession();
  GpuSession(const GpuSession&) = delete;
  GpuSession& operator=(const GpuSession&) = delete;

  const std::shared_ptr<const GpuContext>& context() const { return context_; }
  CUcontext handle() const { return context_->get(); }
  CUstream stream() const;

  // Calls function() with the context current. If it throws, pending work is finished before the
  // exception leaves, because the frame's memory returns to its owner and must not be in use.
  template <typename Function>
  void in_context(Function&& function) {
    const cuda::ContextScope scope(handle());
    try {
      function();
    } catch (...) {
      drain_ignoring_errors();
      throw;
    }
  }

  // Call the following with the context current.

  // Returns the surfaces on the device: uploads those that are mapped for the host, on the stream.
  // Valid until the next call.
  std::span<const FrameSurface> bring(std::span<const FrameSurface> surfaces);
  // Does the same for surfaces that are only written: provides device memory for those that are
  // mapped for the host, without upload.
  std::span<const FrameSurface> place_outputs(std::span<const FrameSurface> surfaces);
  // Copies results of bring() and place_outputs() back to the host, and waits for it.
  void copy_back(std::span<const FrameSurface> surfaces);
  // Provides device memory to paint a host picture in; deliver() copies it to the host and waits.
  cuda::DeviceRgbaView picture_for(const RgbaView& host);
  void deliver(const cuda::DeviceRgbaView& picture, const RgbaView& host);
  // Uploads a host picture on the stream, into the memory of picture_for().
  cuda::DeviceRgbaView bring_picture(const RgbaView& host);
  void synchronize();

  // The element's state, freed with the context current. Null at first.
  std::unique_ptr<GpuSessionState>& state() { return state_; }
  void drop_state();

 private:
  struct Resources;

  void drain_ignoring_errors() noexcept;

  std::shared_ptr<const GpuContext> context_;
  std::unique_ptr<Resources> resources_;
  std::unique_ptr<GpuSessionState> state_;
  std::vector<FrameSurface> brought_;
  std::vector<FrameSurface> rooms_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_GPU_SESSION_H_
