// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_COLUMN_KERNELS_H_
#define RDP_KERNELS_RDP_COLUMN_KERNELS_H_

#include <cuda.h>

#include "common/rdp/parameters.h"
#include "kernels/primitives/frame_arguments.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

// Shared by the host code of kernels whose blocks take whole columns into shared memory.
namespace rdp::cuda {

// Frames and known samples as kernel arguments. Limits beyond 16 bits become the largest sample; a
// range that starts there is empty.
FrameArguments frame_arguments(const DeviceFrames& frames, const KnownRange& known);

// The number of blocks if each has so many columns.
inline int blocks_of(int width, int columns) { return (width + columns - 1) / columns; }

// Variants of a kernel: kColumns columns per block, or one if the frame is too tall for more. Each
// exists for samples of one and of two bytes. Belongs to the context that was current when it was
// made; throws CudaError.
class ColumnKernels {
 public:
  static constexpr int kColumns = 4;

  struct Names {
    const char* several[2];  // for samples of one and of two bytes
    const char* single[2];
  };

  ColumnKernels(const unsigned char* fat_binary, const Names& names);

  // The shared memory that a block may ask for, in bytes.
  int shared_limit() const { return shared_limit_; }

  // Starts the variant for `columns`, which is kColumns or 1.
  template <typename Arguments>
  void start(int columns, SampleType type, const LaunchShape& shape, CUstream stream,
             const Arguments& arguments) const {
    (columns == kColumns ? several_ : single_).of(type).start(shape, stream, arguments);
  }

 private:
  KernelModule module_;
  int shared_limit_;
  SampleKernels several_;
  SampleKernels single_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_COLUMN_KERNELS_H_
