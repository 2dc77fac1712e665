// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_MEDIAN_H_
#define RDP_KERNELS_FILTERS_MEDIAN_H_

#include <cuda.h>

#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// The medians of square windows, border samples replicated: reference::median(), which is
// cv::medianBlur. Belongs to the context that was current when it was made. Throws CudaError.
class MedianFilter {
 public:
  MedianFilter();

  // Writes the medians of the side x side windows (3 or 5) of each frame of `in` to the same one of
  // `out`, which has its size and type and memory of its own. Asynchronous; one launch.
  void run(const DeviceFrames& in, int side, const DeviceFrames& out, CUstream stream) const;

 private:
  KernelModule module_;
  SampleKernels of_3x3_;
  SampleKernels of_5x5_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_MEDIAN_H_
