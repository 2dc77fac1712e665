// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_DEPTH_TABLE_H_
#define RDP_KERNELS_STEREO_DEPTH_TABLE_H_

#include <cuda.h>

#include <cstdint>
#include <vector>

#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// stereo::to_depth() on the GPU. Belongs to the context that was current when it was made. Throws
// CudaError.
class DepthTable {
 public:
  DepthTable();

  // One of stereo::depth_table(), which is copied; allocates and waits. Nothing that uses the one
  // before is under way.
  void set_table(const std::vector<std::uint16_t>& table);
  // Puts distances in the place of disparities. Asynchronous.
  void to_depth(const DeviceDepthView& disparity, CUstream stream);

 private:
  KernelModule module_;
  Kernel to_depth_;
  DeviceBuffer table_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_DEPTH_TABLE_H_
