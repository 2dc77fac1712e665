// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_RECONSTRUCT_H_
#define RDP_KERNELS_RDP_RECONSTRUCT_H_

#include <cuda.h>

#include "common/rdp/parameters.h"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Writes segments' lines back into their frame: reference::reconstruct(). Belongs to the context
// that was current when it was made. Throws CudaError.
class Reconstructor {
 public:
  Reconstructor();

  // `filtered` is what the segments are of: the frame after all filters that `parameters` ask for,
  // its columns joined, or `frame` itself where they ask for none. 16-bit samples in
  // Domain::kInverse, else samples like the frame's. Leaves the frame alone where the list is
  // truncated. Asynchronous.
  void run(const DeviceDepthView& filtered, const SegmentListView& segments,
           const Parameters& parameters, const DeviceDepthView& frame, CUstream stream) const;

 private:
  KernelModule module_;
  Kernel kernel_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_RECONSTRUCT_H_
