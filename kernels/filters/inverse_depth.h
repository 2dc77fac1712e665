// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_INVERSE_DEPTH_H_
#define RDP_KERNELS_FILTERS_INVERSE_DEPTH_H_

#include <cuda.h>

#include "common/image/inverse_depth.h"
#include "common/rdp/parameters.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Inverse depths by a table that the host computes where the parameters change:
// reference::inverse_depth(). Belongs to the context that was current when it was made, and works
// on one stream at a time. Throws CudaError, std::bad_alloc.
class InverseDepth {
 public:
  InverseDepth();

  // Writes the inverse depths of each frame of `in` to the same one of `out`, which has its size,
  // 16-bit samples and memory of its own. Asynchronous, but that a changed table waits for the
  // upload of the one before; one launch.
  void run(const DeviceFrames& in, const Parameters& parameters, const DeviceFrames& out,
           CUstream stream);

 private:
  void update_table(const Parameters& parameters, SampleType type, CUstream stream);

  KernelModule module_;
  SampleKernels kernels_;
  InverseDepthTable table_;
  bool uploaded_ = false;
  PinnedBuffer staging_;
  DeviceBuffer device_table_;
  Event staging_read_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_INVERSE_DEPTH_H_
