// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_GPU_SEGMENTS_H_
#define RDP_GST_METADATA_GPU_SEGMENTS_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "gst/cuda/gpu_context.h"
#include "gst/metadata/recycling_pool.h"
#include "gst/metadata/remote_arrays.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/rdp/segment_copy.h"

namespace rdp::gst {

// Whether somebody reads the segments of a stream, judged by its last frames. One of an engine and
// of the segments that have left it. Thread safe.
class ReaderWatch {
 public:
  // As many frames may pass before those are given up who read them no more, or read them late,
  // behind a queue.
  static constexpr int kPatience = 16;

  // Somebody reads a frame's segments.
  void note() noexcept { unread_.store(0, std::memory_order_relaxed); }
  // There is no memory for copies: they are not tried again.
  void give_up() noexcept { gave_up_.store(true, std::memory_order_relaxed); }
  // Whether the next frame's will be read, too. Once a frame.
  bool expects() noexcept {
    const int unread = unread_.load(std::memory_order_relaxed);
    if (unread >= kPatience || gave_up_.load(std::memory_order_relaxed)) return false;
    unread_.store(unread + 1, std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<int> unread_{kPatience};  // frames since the last one that somebody has read
  std::atomic<bool> gave_up_{false};
};

// The segments of one frame in GPU memory, until somebody reads them. They keep their context.
//
// Who reads them waits for the device and for two copies, unless there is a copy already: where the
// last frames' segments were read, the device makes one in page-locked memory right behind the
// kernels, which whoever waits for these has waited for as well.
class GpuSegments final : public RemoteArrays, public RecyclingPool<GpuSegments>::Item {
 public:
  GpuSegments(std::shared_ptr<const GpuContext> context, std::shared_ptr<ReaderWatch> readers)
      : context_(std::move(context)), readers_(std::move(readers)) {}
  ~GpuSegments() override;

  // Of an earlier frame where `pool` has some, all of `context` and `readers`. Throws
  // std::bad_alloc.
  static RemoteRef<GpuSegments> from(RecyclingPool<GpuSegments>& pool,
                                     const std::shared_ptr<const GpuContext>& context,
                                     const std::shared_ptr<ReaderWatch>& readers);

  bool fetch(const SegmentSlice& slice, SegmentList* host, std::string* reason) noexcept override;

  cuda::DeviceSegmentList& list() { return *list_; }

  // Starts the copy for the host, on the stream that fills the list and in its context. `expected`:
  // how many segments a frame had before. Without page-locked memory there is no copy, which is no
  // error. Throws CudaError.
  void copy_ahead(const cuda::SegmentCopier& copier, std::size_t expected, CUstream stream);

 private:
  void dispose() noexcept override { RecyclingPool<GpuSegments>::give_back(this); }

  std::shared_ptr<const GpuContext> context_;
  // Freed while the context is current.
  std::unique_ptr<cuda::DeviceSegmentList> list_ = std::make_unique<cuda::DeviceSegmentList>();
  std::unique_ptr<cuda::SegmentCopy> copy_ = std::make_unique<cuda::SegmentCopy>();
  std::shared_ptr<ReaderWatch> readers_;
  bool copied_ = false;  // of this frame, as far as there was room
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_GPU_SEGMENTS_H_
