// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_GPU_LABELS_H_
#define RDP_GST_METADATA_GPU_LABELS_H_

#include <cstddef>
#include <memory>

#include "gst/cuda/gpu_context.h"
#include "gst/metadata/planes_pool.h"
#include "gst/metadata/recycling_pool.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"

namespace rdp::gst {

// The labels of one frame or point cloud in GPU memory until they are read. They keep their
// context.
class GpuLabels final : public RemoteLabels, public RecyclingPool<GpuLabels>::Item {
 public:
  explicit GpuLabels(std::shared_ptr<const GpuContext> context) : context_(std::move(context)) {}
  ~GpuLabels() override;

  // Reuses labels from `pool` if it has some; all must be of `context`. Throws std::bad_alloc.
  static RemoteRef<GpuLabels> from(RecyclingPool<GpuLabels>& pool,
                                   const std::shared_ptr<const GpuContext>& context);

  // Provides device memory for the labels of a frame, or of a point cloud in one row. With the
  // context current. Throws CudaError.
  const cuda::DeviceDepthView& place_for_frame(int width, int height);
  CUdeviceptr place_for_points(std::size_t count);

  bool fetch(std::span<std::uint8_t> host, std::string* reason) noexcept override;

 private:
  void dispose() noexcept override { RecyclingPool<GpuLabels>::give_back(this); }

  std::shared_ptr<const GpuContext> context_;
  // Freed while the context is current.
  std::unique_ptr<cuda::DeviceBuffer> memory_ = std::make_unique<cuda::DeviceBuffer>();
  cuda::DeviceDepthView view_;  // of a frame
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_GPU_LABELS_H_
