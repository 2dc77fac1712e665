// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_OVERLAY_H_
#define RDP_KERNELS_HEIGHTMAP_OVERLAY_H_

#include <cuda.h>

#include <functional>
#include <memory>

#include "common/heightmap/ground.h"
#include "common/heightmap/overlay.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// heightmap::OverlayScene with samples in device memory, which it does not own.
struct HeightOverlayScene : heightmap::OverlaySubject {
  DeviceDepthView picture;  // of the reference view, 8 bits
  CUdeviceptr labels = 0;   // width x height bytes, row by row, after speckles
  // heightmap::draw_ground() of the labels, for kBirdsEye: see HeightEngine::draw_ground().
  std::function<void(const heightmap::GroundGrid& grid, const DeviceDepthView& samples,
                     CUstream stream)>
      draw_ground;
};

// GPU version of heightmap::OverlayPainter; bit-identical.
//
// An object belongs to the context that was current when it was made, and works on one stream at a
// time. It allocates only when a picture needs more memory than any before, or has another rig.
// Throws CudaError and std::bad_alloc.
class HeightOverlayPainter {
 public:
  HeightOverlayPainter();
  ~HeightOverlayPainter();
  HeightOverlayPainter(const HeightOverlayPainter&) = delete;
  HeightOverlayPainter& operator=(const HeightOverlayPainter&) = delete;

  // Paints `picture`, which has the size of the scene's. Asynchronous; the scene's host data is not
  // used after the call. The rig must pass check_rig().
  void paint(const HeightOverlayScene& scene, const heightmap::OverlayOptions& options,
             const DeviceRgbaView& picture, CUstream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_OVERLAY_H_
