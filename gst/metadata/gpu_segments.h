// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_GPU_SEGMENTS_H_
#define RDP_GST_METADATA_GPU_SEGMENTS_H_

#include <memory>
#include <string>

#include "gst/cuda/gpu_context.h"
#include "gst/metadata/recycling_pool.h"
#include "gst/metadata/remote_arrays.h"
#include "kernels/rdp/device_segment_list.h"

namespace rdp::gst {

// The segments of one frame, or of several that were segmented together, in GPU memory until
// somebody reads them. They keep their context.
class GpuSegments final : public RemoteArrays, public RecyclingPool<GpuSegments>::Item {
 public:
  explicit GpuSegments(std::shared_ptr<const GpuContext> context) : context_(std::move(context)) {}
  ~GpuSegments() override;

  // Of an earlier frame where `pool` has some, all of `context`. Throws std::bad_alloc.
  static RemoteRef<GpuSegments> from(RecyclingPool<GpuSegments>& pool,
                                     const std::shared_ptr<const GpuContext>& context);

  bool fetch(const SegmentSlice& slice, SegmentList* host, std::string* reason) noexcept override;

  cuda::DeviceSegmentList& list() { return *list_; }
  // Which part of the list is this frame's, once the list is complete.
  SegmentSlice slice(int frame) const;

 private:
  void dispose() noexcept override { RecyclingPool<GpuSegments>::give_back(this); }

  std::shared_ptr<const GpuContext> context_;
  // Freed while the context is current.
  std::unique_ptr<cuda::DeviceSegmentList> list_ = std::make_unique<cuda::DeviceSegmentList>();
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_GPU_SEGMENTS_H_
