// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_REFIT_H_
#define RDP_KERNELS_RDP_REFIT_H_

#include <cuda.h>

#include "common/rdp/parameters.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// reference::refit() on the GPU: Fit::kAbsolute, on a list in device memory. Belongs to the context
// that was current when it was made; allocates nothing. Throws CudaError.
class LineRefitter {
 public:
  LineRefitter();

  // Starts it behind what has filled `list` from `frames`, on the same stream; one launch,
  // asynchronous. Leaves frames out whose list is truncated.
  void run(const DeviceFrames& frames, const KnownRange& known, const SegmentRules& rules,
           const DeviceSegmentList& list, CUstream stream) const;

 private:
  KernelModule module_;
  SampleKernels kernels_;
  OverlappedStart start_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_REFIT_H_
