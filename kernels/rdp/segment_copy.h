// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_COPY_H_
#define RDP_KERNELS_RDP_SEGMENT_COPY_H_

#include <cuda.h>

#include <cstddef>

#include "common/rdp/segment_list.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Copy of a DeviceSegmentList's segments in page-locked memory, which the host reads in place.
// Belongs to the context that is current when it is first used.
class SegmentCopy {
 public:
  // Makes room for `frames` frames of `columns` columns and that many segments. Allocates only if
  // there was less room, and then 1.5 times the need. Throws CudaError.
  void prepare(int columns, int frames, std::size_t segments);

  // The number of segments of a frame that there is room for.
  std::size_t room() const;
  // A copied frame with `segments` segments, at most room(). Wait for the copy first. Valid until
  // the memory is written to again.
  SegmentArrays frame(int frame, std::size_t segments) const;

 private:
  friend class SegmentCopier;

  std::size_t stride() const;

  int columns_ = 0;
  int frames_ = 0;
  PinnedBuffer memory_;
};

// Kernel that fills a SegmentCopy. Belongs to the context that was current when it was made. Throws
// CudaError.
class SegmentCopier {
 public:
  SegmentCopier();

  // Starts the copy, on the stream that fills the list. Skips frames with more segments than there
  // is room for. Asynchronous.
  void run(const DeviceSegmentList& list, const SegmentCopy& copy, CUstream stream) const;

 private:
  KernelModule module_;
  Kernel kernel_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_COPY_H_
