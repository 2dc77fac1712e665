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

// The segments of a DeviceSegmentList once more, in page-locked memory, where the host reads them
// in place. Belongs to the context that is current when it is first used.
class SegmentCopy {
 public:
  // Makes room for `frames` frames of `columns` columns and that many segments. Allocates only
  // where there was less room before, then half as much again as is needed. Throws CudaError.
  void prepare(int columns, int frames, std::size_t segments);

  // The number of segments of a frame that there is room for.
  std::size_t room() const;
  // The frame that the device has written, with `segments` segments, no more than there is room
  // for, once it has been waited for. Valid until the memory is written to again.
  SegmentArrays frame(int frame, std::size_t segments) const;

 private:
  friend class SegmentCopier;

  std::size_t stride() const;

  int columns_ = 0;
  int frames_ = 0;
  PinnedBuffer memory_;
};

// The kernel that fills them. Belongs to the context that was current when it was made. Throws
// CudaError.
class SegmentCopier {
 public:
  SegmentCopier();

  // Starts it behind what fills the list, on the same stream. Frames with more segments than there
  // is room for are left out. Asynchronous.
  void run(const DeviceSegmentList& list, const SegmentCopy& copy, CUstream stream) const;

 private:
  KernelModule module_;
  Kernel kernel_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_COPY_H_
