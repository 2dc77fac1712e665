// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_GPU_CONTEXT_H_
#define RDP_GST_CUDA_GPU_CONTEXT_H_

#include <cuda.h>

#include <memory>

#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"

namespace rdp::gst {

// A CUDA context with its keeper, shared by an element and by the segments that it has sent.
class GpuContext {
 public:
  // `keeper` keeps the context alive: a reference to a GstCudaContext, or a PrimaryContext. Throws
  // CudaError.
  GpuContext(CUcontext context, std::shared_ptr<void> keeper)
      : keeper_(std::move(keeper)), context_(context) {
    const cuda::ContextScope scope(context_);
    fetches_ = std::make_unique<cuda::Stream>();
  }
  ~GpuContext() {
    const cuda::FreeingScope scope(context_);
    fetches_.reset();
  }
  GpuContext(const GpuContext&) = delete;
  GpuContext& operator=(const GpuContext&) = delete;

  CUcontext get() const { return context_; }
  const std::shared_ptr<void>& keeper() const { return keeper_; }
  // The stream for readers' copies: readers and element do not wait for each other.
  CUstream fetches() const { return fetches_->get(); }

 private:
  std::shared_ptr<void> keeper_;  // destroyed last
  CUcontext context_;
  std::unique_ptr<cuda::Stream> fetches_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_GPU_CONTEXT_H_
