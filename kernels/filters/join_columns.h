// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_JOIN_COLUMNS_H_
#define RDP_KERNELS_FILTERS_JOIN_COLUMNS_H_

#include <cuda.h>

#include "common/rdp/parameters.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Joins neighbouring columns: reference::join_columns(). Belongs to the context that was current
// when it was made. Throws CudaError.
class ColumnJoiner {
 public:
  ColumnJoiner();

  // Writes the joined columns of each frame of `in` to the same one of `out`, which has a column
  // for each `column_width` (1..kMaxColumnWidth) of them, the type of `in` and memory of its own.
  // What is known lies within what the samples can hold (see segmented_known_range()).
  // Asynchronous; one launch.
  void run(const DeviceFrames& in, const KnownRange& known, int column_width,
           const DeviceFrames& out, CUstream stream) const;

 private:
  KernelModule module_;
  SampleKernels kernels_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_JOIN_COLUMNS_H_
