// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_MARKS_H_
#define RDP_KERNELS_RDP_MARKS_H_

#include <cuda.h>

#include "kernels/rdp/marks_arguments.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Texts and the legend, over the pictures of all painters. Both leave the picture unchanged if a
// given list is truncated. Asynchronous. Belongs to the context that was current when it was made.
// Throws CudaError.
class MarksPainter {
 public:
  MarksPainter();

  // `texts` is device memory.
  void paint_texts(const PaintedText* texts, int count, const DeviceRgbaView& picture,
                   CUstream stream, const SegmentListView& list = {}) const;
  void paint_legend(const Legend& legend, const PictureRange& range, const DeviceRgbaView& picture,
                    CUstream stream, const SegmentListView& list = {}) const;

 private:
  KernelModule module_;
  Kernel texts_;
  Kernel legend_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_MARKS_H_
