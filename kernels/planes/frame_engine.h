// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_FRAME_ENGINE_H_
#define RDP_KERNELS_PLANES_FRAME_ENGINE_H_

#include <cuda.h>

#include <memory>
#include <vector>

#include "common/image/camera.h"
#include "common/planes/parameters.h"
#include "common/planes/pictures/overlay_style.h"
#include "common/planes/planes.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// GPU version of reference::find() of common/planes/frames/reference.h; bit-identical.
//
// An object belongs to the context that was current when it was made, and works on one frame at a
// time: frames on different streams need an object each. It allocates only when a frame needs more
// memory than any before. Everything throws CudaError.
class FramePlanesEngine {
 public:
  FramePlanesEngine();
  ~FramePlanesEngine();
  FramePlanesEngine(const FramePlanesEngine&) = delete;
  FramePlanesEngine& operator=(const FramePlanesEngine&) = delete;

  // Allocates and uploads for frames of this kind, so that find() allocates nothing and can be
  // captured into a CUDA graph. Does not wait for find(): if size, type, camera or parameters
  // change, the last find() must have finished.
  void prepare(int width, int height, SampleType type, const MetricCamera& camera,
               const planes::Parameters& parameters);
  // Starts the work on `stream`; asynchronous. The labels, 8 bits, of the frame's size, are device
  // memory.
  void find(const DeviceDepthView& frame, const MetricCamera& camera,
            const planes::Parameters& parameters, const DeviceDepthView& labels, CUstream stream);
  // The planes of the last find(), in host memory of the engine until the next find(). Wait for the
  // stream first.
  const planes::PlaneSet& planes();
  // Quadtree squares that the last find() visited, as planes::FrameEngine lists them, for pictures.
  // Copies them from the device; wait for the stream first.
  void list_nodes(std::vector<planes::NodeSquare>* squares);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_FRAME_ENGINE_H_
