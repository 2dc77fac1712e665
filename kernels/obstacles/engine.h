// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_OBSTACLES_ENGINE_H_
#define RDP_KERNELS_OBSTACLES_ENGINE_H_

#include <cuda.h>

#include <memory>

#include "common/image/camera.h"
#include "common/obstacles/parameters.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// GPU version of obstacles::reference::find(); bit-identical. The device works on pixels, cells and
// bearings; the host makes objects of occupied cells.
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

  // Allocates and uploads for frames of this kind, so that start() allocates nothing and can be
  // captured into a CUDA graph. If anything has changed, no work of this engine may be running.
  void prepare(int width, int height, SampleType type, const MetricCamera& camera,
               const obstacles::Parameters& parameters);
  // Starts the work on `stream`; asynchronous. The camera's lens must not distort. Without a ground
  // to start from (null), all is unknown. `classes` is device memory of 8 bits and the frame's
  // size; finish() reads it, too.
  void start(const DeviceDepthView& frame, const MetricCamera& camera,
             const obstacles::Ground* start, const obstacles::Parameters& parameters,
             const DeviceDepthView& classes, CUstream stream);
  // Completes the frame that was started last; leaves result->classes empty. Waits for `stream`,
  // which must be that of start(), and waits twice if there are objects.
  void finish(CUstream stream, obstacles::Obstacles* result);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_OBSTACLES_ENGINE_H_
