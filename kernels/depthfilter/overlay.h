// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_DEPTHFILTER_OVERLAY_H_
#define RDP_KERNELS_DEPTHFILTER_OVERLAY_H_

#include <cuda.h>

#include "common/filter/overlay.h"
#include "kernels/rdp/marks.h"
#include "kernels/rdp/overlay.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// GPU version of filter::OverlayPainter; bit-identical. Belongs to the context that was current
// when it was made, and works on one stream at a time. Throws CudaError.
class DepthChangesPainter {
 public:
  DepthChangesPainter();

  // The same as filter::OverlayPainter::paint(); asynchronous.
  void paint(const DeviceDepthView& before, const DeviceDepthView& after, int decimation,
             const filter::OverlayOptions& options, const DeviceRgbaView& picture, CUstream stream);

 private:
  KernelModule overlay_;
  KernelModule module_;
  PaletteRangeFinder find_range_;
  Kernel changes_;
  MarksPainter marks_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_DEPTHFILTER_OVERLAY_H_
