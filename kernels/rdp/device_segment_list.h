// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_DEVICE_SEGMENT_LIST_H_
#define RDP_KERNELS_RDP_DEVICE_SEGMENT_LIST_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/rdp/segment_list.h"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// The segments of one frame, or of several that were segmented together, in device memory. Each
// frame has a slice in the layout of SegmentList: the offsets of all columns, and 12-byte segments.
// Belongs to the context that is current when it is first used.
//
// The number of segments of a frame is known only after its segmentation, and the worst case is 12
// bytes per sample. So a list has room for a usual frame. If that is too small, the segmentation
// writes all offsets, but only the segments that fit. Kernels that read a list with a truncated
// slice then leave the output of all frames unchanged. After waiting for the stream, call
// grow_if_truncated(); if it returns true, start the same work again. A list that has seen its
// largest frame grows no more.
class DeviceSegmentList {
 public:
  // Makes room for `frames` slices, each of them for the offsets of `columns` segmented columns of
  // `height` rows and for a first guess at their segments. Allocates only where there was less room
  // before. Throws CudaError.
  void prepare(int columns, int height, int frames = 1);

  int columns() const { return columns_; }  // of a frame
  int frames() const { return frames_; }
  SegmentListView view() const;

  // Call the following after the stream that filled the list has finished.

  // The number of segments of all columns of a frame.
  std::uint32_t segment_count(int frame = 0) const;
  // Returns true if the work that fills the list must be started again. Either the list was
  // truncated and has grown, or the chosen kernel could not do a frame (kRetryWithQueues). Throws
  // CudaError if there is no memory.
  bool grow_if_truncated();
  // For the Segmenter, once: true if the last grow_if_truncated() found kRetryWithQueues.
  bool take_to_do_again() { return std::exchange(is_to_do_again_, false); }
  // Copies a frame's slice to the host, on `stream`, and waits for it. Throws CudaError,
  // std::bad_alloc.
  void copy_to(SegmentList* host, CUstream stream, int frame = 0) const;

 private:
  int columns_ = -1;
  int frames_ = 0;
  bool is_to_do_again_ = false;
  DeviceBuffer offsets_;
  DeviceBuffer segments_;
  PinnedBuffer report_;  // the number of segments of each frame, for the host to read
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_DEVICE_SEGMENT_LIST_H_
