// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_COPY_ROWS_H_
#define RDP_KERNELS_RUNTIME_COPY_ROWS_H_

#include <cstddef>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {

// Copies a frame in memory that the device reaches, into one of the same size and sample type.
// Asynchronous. Throws CudaError, whose text contains `what`.
inline void copy_rows(const DeviceDepthView& from, const DeviceDepthView& to, CUstream stream,
                      const char* what) {
  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = rows.dstMemoryType = CU_MEMORYTYPE_UNIFIED;  // pinned memory, too
  rows.srcDevice = from.data;
  rows.srcPitch = static_cast<std::size_t>(from.pitch);
  rows.dstDevice = to.data;
  rows.dstPitch = static_cast<std::size_t>(to.pitch);
  rows.WidthInBytes = static_cast<std::size_t>(from.width * bytes_per_sample(from.type));
  rows.Height = static_cast<std::size_t>(from.height);
  check(driver().cuMemcpy2DAsync_v2(&rows, stream), what);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_COPY_ROWS_H_
