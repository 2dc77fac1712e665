// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_CLOUD_ENGINE_H_
#define RDP_KERNELS_PLANES_CLOUD_ENGINE_H_

#include <cuda.h>

#include <cstddef>
#include <memory>

#include "common/planes/clouds/cloud.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

namespace rdp::cuda {

// GPU version of reference::find_in_cloud() of common/planes/clouds/reference.h; bit-identical.
//
// An object belongs to the context that was current when it was made, and works on one cloud at a
// time. It allocates only when a cloud needs more memory than any before. Everything throws
// CudaError.
class CloudPlanesEngine {
 public:
  CloudPlanesEngine();
  ~CloudPlanesEngine();
  CloudPlanesEngine(const CloudPlanesEngine&) = delete;
  CloudPlanesEngine& operator=(const CloudPlanesEngine&) = delete;

  // Allocates for clouds of so many points, so that find() allocates nothing.
  void prepare(std::size_t points, const planes::Parameters& parameters);
  // Starts the work on `stream`; asynchronous. The cloud's data and the labels, a byte a point, are
  // device memory.
  void find(const planes::CloudView& cloud, const planes::Parameters& parameters,
            CUdeviceptr labels, CUstream stream);
  // The planes of the last find(), in host memory of the engine until the next find(). Wait for the
  // stream first.
  const planes::PlaneSet& planes();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_CLOUD_ENGINE_H_
