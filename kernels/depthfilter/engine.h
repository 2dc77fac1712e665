// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_DEPTHFILTER_ENGINE_H_
#define RDP_KERNELS_DEPTHFILTER_ENGINE_H_

#include <cuda.h>

#include <memory>

#include "common/filter/parameters.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// GPU version of filter::reference::filter(); bit-identical. The previous frames stay on the
// device.
//
// An object belongs to the context that was current when it was made, and works on one frame at a
// time, on one stream. It allocates only when a frame needs more memory than any before. Everything
// throws CudaError.
class DepthFilter {
 public:
  DepthFilter();
  ~DepthFilter();
  DepthFilter(const DepthFilter&) = delete;
  DepthFilter& operator=(const DepthFilter&) = delete;

  // Allocates the memory for frames of this size, so that start() does not, and can be captured
  // into a CUDA graph.
  void prepare(int width, int height, const filter::Parameters& parameters);
  // Starts on `stream`; asynchronous. `out` is what filter::Engine writes: it has the sample type
  // of `in` and floor(width / decimation) x floor(height / decimation) samples. It may be `in`
  // itself if both have the same size.
  void start(const DeviceDepthView& in, const filter::Parameters& parameters,
             const DeviceDepthView& out, CUstream stream);
  // Total counts of the frames since the last call. Wait for their stream first.
  filter::Counts take_counts();

  // Forgets the previous frames, as a new frame size or new parameters do.
  void clear();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_DEPTHFILTER_ENGINE_H_
