// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_LINES_H_
#define RDP_KERNELS_RDP_LINES_H_

#include <cuda.h>

#include "common/rdp/parameters.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// reference::refit() on the GPU: Fit::kAbsolute, on a list in device memory. Belongs to the context
// that was current when it was made; allocates nothing. Throws CudaError.
class LineRefitter {
 public:
  LineRefitter();

  // Starts after the work that fills `list` from `frames`, on the same stream; one launch,
  // asynchronous. Skips frames whose list is truncated.
  void run(const DeviceFrames& frames, const KnownRange& known, const SegmentRules& rules,
           const DeviceSegmentList& list, CUstream stream) const;

 private:
  KernelModule module_;
  SampleKernels kernels_;
  OverlappedStart start_;
};

// Writes segments' lines back into their frames: reference::reconstruct(). Belongs to the context
// that was current when it was made. Throws CudaError.
class Reconstructor {
 public:
  Reconstructor();

  // `filtered` are the segmented frames: `frames` after all filters and joins of `parameters`, or
  // `frames` themselves without any. Samples have 16 bits in Domain::kInverse, else the type of
  // `frames`. `segments` has a slice for each frame; if any is truncated, no frame is changed.
  // Asynchronous; one launch.
  void run(const DeviceFrames& filtered, const SegmentListView& segments,
           const Parameters& parameters, const DeviceFrames& frames, CUstream stream) const;

 private:
  KernelModule module_;
  Kernel kernel_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_LINES_H_
