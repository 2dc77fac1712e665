// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_POINTS_ENGINE_H_
#define RDP_KERNELS_POINTS_ENGINE_H_

#include <cuda.h>

#include "common/image/camera.h"
#include "common/points/parameters.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// points::reference::make_points() on the GPU. Belongs to the context that was current when it was
// made, and works on one stream at a time. Throws CudaError.
class PointsEngine {
 public:
  PointsEngine();

  // Writes 3 * width * height floats to `to`, which is aligned to 4 bytes. Without a camera (null),
  // no point is known. Asynchronous; makes its tables anew if the camera, the size or the known
  // samples have changed, and allocates if they grow.
  void make_points(const DeviceDepthView& frame, const MetricCamera* camera,
                   const points::Parameters& parameters, CUdeviceptr to, CUstream stream);

 private:
  void update_tables(const DeviceDepthView& frame, const MetricCamera& camera,
                     const KnownRange& known, CUstream stream);

  KernelModule module_;
  Kernel tables_;
  SampleKernels points_;
  Kernel none_;

  // Inputs of the tables.
  MetricCamera camera_;
  KnownRange known_{1, 0};
  int values_ = 0;  // 0: there are no distances
  int width_ = 0;   // 0: there are no rays
  int height_ = 0;
  DeviceBuffer depths_;
  DeviceBuffer x_;
  DeviceBuffer y_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_POINTS_ENGINE_H_
