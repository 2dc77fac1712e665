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

// reference::find() of common/planes/frames/reference.h on the GPU, with its bits.
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

  // Makes ready what frames of this kind take, so that find() allocates nothing and can be captured
  // into a CUDA graph. Where size, type, camera or parameters are others than before, it waits for
  // nothing: the last find() must be done.
  void prepare(int width, int height, SampleType type, const MetricCamera& camera,
               const planes::Parameters& parameters);
  // Starts the work on `stream`; asynchronous. The labels, 8 bits, of the frame's size, are device
  // memory.
  void find(const DeviceDepthView& frame, const MetricCamera& camera,
            const planes::Parameters& parameters, const DeviceDepthView& labels, CUstream stream);
  // The planes of the last find(), once its stream has been waited for: on the host, the engine's
  // until the next find().
  const planes::PlaneSet& planes();
  // The squares of the quadtree that the last find() looked at, as planes::FrameEngine lists them,
  // once its stream has been waited for. Copies them from the device: for pictures.
  void list_nodes(std::vector<planes::NodeSquare>* squares);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_FRAME_ENGINE_H_
