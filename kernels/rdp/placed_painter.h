// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_PLACED_PAINTER_H_
#define RDP_KERNELS_RDP_PLACED_PAINTER_H_

#include <cuda.h>

#include "common/image/blend.h"
#include "common/rdp/placed_segments.h"
#include "kernels/filters/filters.h"
#include "kernels/rdp/placed_arguments.h"
#include "kernels/runtime/array_upload.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Placed segments on the device. Belongs to the context that was current when it was made, and to
// one stream at a time. Allocates only for more segments than ever before. Throws CudaError and
// std::bad_alloc.
class PlacedArrays {
 public:
  // Uploads segments for pictures of this size; they must have neither tints nor colours of their
  // own. They may change after the call. Asynchronous.
  void take(const PlacedSegments& segments, int width, int height, CUstream stream);

 private:
  friend class PlacedPainter;

  ArrayUpload arrays_;
  PlacedArguments arguments_{};  // but for the picture
};

// PlacedSegments::paint() and blend_into_rgba() or blend_into_nv12() in one, without a drawing in
// memory; bit-identical. Belongs to the context that was current when it was made. Asynchronous;
// throws CudaError.
class PlacedPainter {
 public:
  PlacedPainter();

  // Draws the segments of the last take() onto a picture of the size given there.
  void run(const PlacedArrays& segments, const DeviceRgbaView& picture, CUstream stream) const;
  void run(const PlacedArrays& segments, const YuvMatrix& matrix, const DeviceNv12View& picture,
           CUstream stream) const;

 private:
  KernelModule module_;
  Kernel rgba_;
  Kernel nv12_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_PLACED_PAINTER_H_
