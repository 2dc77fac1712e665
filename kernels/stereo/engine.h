// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_ENGINE_H_
#define RDP_KERNELS_STEREO_ENGINE_H_

#include <cuda.h>

#include <cstddef>
#include <memory>

#include "common/stereo/parameters.h"
#include "common/stereo/views.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

using DevicePair = stereo::BasicPair<DeviceDepthView>;
using DeviceResult = stereo::BasicResult<DeviceDepthView>;

// GPU version of reference::match() of common/stereo/reference.h; bit-identical.
//
// An object belongs to the context that was current when it was made, and works on one pair at a
// time: pairs on different streams need an object each. It allocates only when a pair needs more
// memory than any before. Everything throws CudaError.
class StereoEngine {
 public:
  StereoEngine();
  ~StereoEngine();
  StereoEngine(const StereoEngine&) = delete;
  StereoEngine& operator=(const StereoEngine&) = delete;

  // Allocates for pairs of this size, so that match() allocates nothing and can be captured into a
  // CUDA graph.
  void prepare(int width, int height, const stereo::Parameters& parameters);
  // Starts the match on `stream`; asynchronous. Masks of the pair, if any, are on the device.
  void match(const DevicePair& pair, const stereo::Parameters& parameters,
             const DeviceResult& result, CUstream stream);
  // Counts of the last match; wait for its stream first.
  stereo::Counts counts() const;

  // The device memory that a match needs, in bytes.
  static std::size_t memory_for(int width, int height, const stereo::Parameters& parameters);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_ENGINE_H_
