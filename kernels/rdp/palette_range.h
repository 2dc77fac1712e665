// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_PALETTE_RANGE_H_
#define RDP_KERNELS_RDP_PALETTE_RANGE_H_

#include <cuda.h>

#include "common/rdp/overlay_pixels.h"
#include "common/rdp/parameters.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// The palette's range that a frame has of itself, for all painters: palette_range() of
// common/rdp/overlay.h. Belongs to the context that was current when it was made. Throws CudaError.
class PaletteRangeFinder {
 public:
  // `module` has the kernels of kernels/rdp/overlay.cu, and lives longer.
  explicit PaletteRangeFinder(const KernelModule& module);

  // Asynchronous. The result stays on the device, and is the finder's until the next call.
  const PaletteRange* find(const DeviceDepthView& frame, const Parameters& parameters,
                           CUstream stream);

 private:
  Kernel find_;
  DeviceBuffer range_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_PALETTE_RANGE_H_
