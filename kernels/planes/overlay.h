// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_OVERLAY_H_
#define RDP_KERNELS_PLANES_OVERLAY_H_

#include <cuda.h>

#include <memory>

#include "common/planes/pictures/overlay.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// GPU version of planes::OverlayPainter; bit-identical.
//
// An object belongs to the context that was current when it was made, and works on one stream at a
// time. It allocates only when a picture needs more memory than any before. Throws CudaError.
class PlaneOverlayPainter {
 public:
  PlaneOverlayPainter();
  ~PlaneOverlayPainter();
  PlaneOverlayPainter(const PlaneOverlayPainter&) = delete;
  PlaneOverlayPainter& operator=(const PlaneOverlayPainter&) = delete;

  // Paints `picture`, which has the size of `frame` and `labels`; all three are device memory.
  // `scene` is on the host, and is not used after the call. Asynchronous.
  void run(const DeviceDepthView& frame, const DeviceDepthView& labels,
           const planes::OverlayScene& scene, const planes::OverlayOptions& options,
           const DeviceRgbaView& picture, CUstream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_OVERLAY_H_
