// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_ENGINE_H_
#define RDP_KERNELS_RDP_ENGINE_H_

#include <cuda.h>

#include <memory>

#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// rdp::Engine on the GPU: the same operations on device memory, in the order of a stream. Every
// result equals the one of common/rdp/reference.h, and the pictures those of common/rdp/overlay.h,
// bit for bit.
//
// An object belongs to the context that was current when it was made; that context must be current
// whenever it is used or destroyed. It works on one frame at a time, or on several of one size
// together (DeviceFrames) in as many launches as on one, and on one stream at a time. It allocates
// only when frames need more scratch memory than any before them. All calls are asynchronous; all
// throw CudaError, and leave the engine usable unless the context itself is lost.
class SegmentEngine {
 public:
  SegmentEngine();
  ~SegmentEngine();
  SegmentEngine(const SegmentEngine&) = delete;
  SegmentEngine& operator=(const SegmentEngine&) = delete;

  // Filters and segments `frames` (1..kMaxSide rows and columns) as `parameters` say, into
  // `result`, which it prepares: a slice for each frame. The result may be truncated: see
  // DeviceSegmentList.
  void segment(const DeviceFrames& frames, const Parameters& parameters, DeviceSegmentList* result,
               CUstream stream);

  // Writes the segments' lines back into the frames of the last segment() call, whose samples must
  // not have changed since: see reference::reconstruct(). The arguments are those of that call.
  // Leaves all frames alone where a slice of the list is truncated.
  void reconstruct(const DeviceFrames& frames, const Parameters& parameters,
                   const DeviceSegmentList& segments, CUstream stream);

  // Paints `picture`, which has the size of `frame`: see common/rdp/overlay.h. Slice number `slice`
  // of `segments` belongs to `frame`. Leaves the picture unchanged if any slice is truncated, even
  // another frame's.
  void paint(const DeviceDepthView& frame, const DeviceSegmentList& segments, int slice,
             const Parameters& parameters, const OverlayOptions& options,
             const DeviceRgbaView& picture, CUstream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_ENGINE_H_
