// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_OBSTACLES_ENGINE_H_
#define RDP_KERNELS_OBSTACLES_ENGINE_H_

#include <cuda.h>

#include <memory>

#include "common/image/camera.h"
#include "common/obstacles/parameters.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// obstacles::reference::find() on the GPU, with its bits: all that looks at pixels, cells and
// bearings; what occupied cells are together is left to the host.
//
// An object belongs to the context that was current when it was made, and works on one frame at a
// time: frames on different streams need an object each. It allocates only where a frame needs more
// memory than any before, and where the camera or the parameters change. Everything throws
// CudaError, and std::bad_alloc.
class ObstacleEngine {
 public:
  ObstacleEngine();
  ~ObstacleEngine();
  ObstacleEngine(const ObstacleEngine&) = delete;
  ObstacleEngine& operator=(const ObstacleEngine&) = delete;

  // Makes ready what frames of this kind take, so that start() allocates nothing and can be
  // captured into a CUDA graph. Where anything is another than before, nothing of this engine may
  // be under way.
  void prepare(int width, int height, SampleType type, const MetricCamera& camera,
               const obstacles::Parameters& parameters);
  // Starts the work on `stream`; asynchronous. The camera's lens does not distort; without a ground
  // to start from (null) all is unknown. The classes, 8 bits, of the frame's size, are device
  // memory, which finish() reads as well.
  void start(const DeviceDepthView& frame, const MetricCamera& camera,
             const obstacles::Ground* start, const obstacles::Parameters& parameters,
             const DeviceDepthView& classes, CUstream stream);
  // The rest of the frame that was started last, all but result->classes, which are left empty.
  // Waits for the stream, which must be the same, and does so twice where there are objects.
  void finish(CUstream stream, obstacles::Obstacles* result);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_OBSTACLES_ENGINE_H_
