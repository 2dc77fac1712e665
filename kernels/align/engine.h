// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_ALIGN_ENGINE_H_
#define RDP_KERNELS_ALIGN_ENGINE_H_

#include <cuda.h>

#include <memory>

#include "common/align/parameters.h"
#include "common/align/picture.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// GPU version of align::reference::align() and colour(); bit-identical.
//
// An object belongs to the context that was current when it was made, and works on one frame at a
// time, on one stream. It makes the rays of a camera with its first frame, and allocates only for
// new cameras and for frames that need more memory than any before. Everything throws CudaError.
class DepthAligner {
 public:
  DepthAligner();
  ~DepthAligner();
  DepthAligner(const DepthAligner&) = delete;
  DepthAligner& operator=(const DepthAligner&) = delete;

  // Both functions are asynchronous on `stream`, and take the same views as align::Engine.
  void align(const DeviceDepthView& depth, const align::Parameters& parameters,
             const DeviceDepthView& aligned, CUstream stream);
  // The picture's planes are in device memory.
  void colour(const DeviceDepthView& depth, const align::Parameters& parameters,
              const DeviceDepthView& aligned, const align::Picture& picture,
              const DeviceRgbaView& out, CUstream stream);
  // Total counts of align() since the last call. Wait for its stream first.
  align::Counts take_counts();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_ALIGN_ENGINE_H_
