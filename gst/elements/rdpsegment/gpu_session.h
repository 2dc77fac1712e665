// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_GPU_SESSION_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_GPU_SESSION_H_

#include <memory>

#include "common/image/depth_view.h"
#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "gst/cuda/gpu_context.h"
#include "gst/elements/base/recycling_pool.h"
#include "gst/elements/rdpsegment/gpu_segments.h"
#include "gst/elements/rdpsegment/segmentation_pool.h"
#include "kernels/rdp/gpu_engine.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/device_view.h"

namespace rdp::gst {

// What is to be done with one frame.
struct GpuWork {
  Parameters parameters;
  bool reconstruct = false;
  // Where the picture goes; at most one of them has data.
  cuda::DeviceRgbaView device_picture;
  RgbaView host_picture;
  OverlayOptions overlay;
  SegmentationDraft* segmentation = nullptr;  // gets the segments, which stay on the GPU
};

// The GPU engine in one context: what an element needs to work through frames one by one. All calls
// throw CudaError, or std::bad_alloc; when they do, nothing is under way any more.
class GpuSession {
 public:
  explicit GpuSession(std::shared_ptr<const GpuContext> context);
  ~GpuSession();
  GpuSession(const GpuSession&) = delete;
  GpuSession& operator=(const GpuSession&) = delete;

  CUcontext context() const { return context_->get(); }
  // What keeps the context alive, for others that use it.
  std::shared_ptr<void> keeper() const { return context_->keeper(); }

  // Works on a frame in device memory, and waits once: the results are complete on return.
  void process(const cuda::DeviceDepthView& frame, const GpuWork& work);
  // The same for a frame of the host, which is written to only with work.reconstruct.
  void process(const MutableDepthView& frame, const GpuWork& work);

 private:
  struct Resources;

  void run(const cuda::DeviceDepthView& frame, const GpuWork& work);
  template <typename Function>
  void in_context(Function function);

  std::shared_ptr<const GpuContext> context_;
  std::unique_ptr<Resources> resources_;
  RecyclingPool<GpuSegments> lists_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_GPU_SESSION_H_
