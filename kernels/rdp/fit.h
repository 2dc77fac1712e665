// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_H_
#define RDP_KERNELS_RDP_FIT_H_

#include <cuda.h>

#include <memory>

#include "common/rdp/parameters.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/rdp/segment_work.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// The steps after the split if SegmentRules ask for more than the lines between its vertices:
// segments that do not span gaps, least-squares lines, and the merge. Bit-identical to
// reference::segment().
//
// Owned by one context, used on one stream at a time, like SegmentEngine. Throws CudaError.
class LineFitter {
 public:
  LineFitter();
  ~LineFitter();
  LineFitter(const LineFitter&) = delete;
  LineFitter& operator=(const LineFitter&) = delete;

  // Writes the segments of `frames`, whose samples in `known` count, to `result`, which was
  // prepared for them. `vertices` is the output of Segmenter::find_vertices() for the same frames
  // and max_gap. `work`: device address of page-locked memory, which gets each frame's SegmentWork.
  // Asynchronous; one launch. Allocates only for frames that are larger than any before.
  void run(const DeviceFrames& frames, const KnownRange& known, const SegmentRules& rules,
           CUdeviceptr vertices, DeviceSegmentList* result, SegmentWork* work, CUstream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_H_
