// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_GPU_SEGMENTS_H_
#define RDP_GST_METADATA_GPU_SEGMENTS_H_

#include <cstddef>
#include <memory>
#include <string>

#include "gst/cuda/gpu_context.h"
#include "gst/metadata/reader_watch.h"
#include "gst/metadata/recycling_pool.h"
#include "gst/metadata/segmentation_pool.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/rdp/segment_copy.h"

namespace rdp::gst {

// The segments of one frame, or of several that were segmented together, in GPU memory until they
// are read. They keep their context.
//
// Readers wait for the device and for two copies. If the last frames' segments were read, the
// device makes a copy in page-locked memory right after the kernels. Waiting for the kernels then
// covers that copy.
class GpuSegments final : public RemoteSegments, public RecyclingPool<GpuSegments>::Item {
 public:
  GpuSegments(std::shared_ptr<const GpuContext> context, std::shared_ptr<ReaderWatch> readers)
      : context_(std::move(context)), readers_(std::move(readers)) {}
  ~GpuSegments() override;

  // Reuses the list of an earlier frame from `pool` if it has one; all must be of `context` and
  // `readers`. Throws std::bad_alloc.
  static RemoteRef<GpuSegments> from(RecyclingPool<GpuSegments>& pool,
                                     const std::shared_ptr<const GpuContext>& context,
                                     const std::shared_ptr<ReaderWatch>& readers);

  bool fetch(const SegmentSlice& slice, SegmentList* host, std::string* reason) noexcept override;

  cuda::DeviceSegmentList& list() { return *list_; }
  // This frame's part of the list, once the list is complete.
  SegmentSlice slice(int frame) const;

  // Starts the copy to the host, on the stream that fills the list and with its context current.
  // `expected`: the previous number of segments per frame. Without page-locked memory it silently
  // makes no copy. Throws CudaError.
  void copy_ahead(const cuda::SegmentCopier& copier, std::size_t expected, CUstream stream);

 private:
  void dispose() noexcept override { RecyclingPool<GpuSegments>::give_back(this); }

  std::shared_ptr<const GpuContext> context_;
  // Freed while the context is current.
  std::unique_ptr<cuda::DeviceSegmentList> list_ = std::make_unique<cuda::DeviceSegmentList>();
  std::unique_ptr<cuda::SegmentCopy> copy_ = std::make_unique<cuda::SegmentCopy>();
  std::shared_ptr<ReaderWatch> readers_;
  bool copied_ = false;  // this frame's segments, as far as they fitted
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_GPU_SEGMENTS_H_
