// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_BLEND_H_
#define RDP_KERNELS_FILTERS_BLEND_H_

#include <cuda.h>

#include "common/image/blend.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Two planes in device memory, as rdp::Nv12View has them.
struct DeviceNv12View {
  DevicePointer luma = 0;
  std::int64_t luma_pitch = 0;
  DevicePointer chroma = 0;
  std::int64_t chroma_pitch = 0;
  int width = 0;
  int height = 0;
};

// The same as kernels take them.
struct BlendedPicture;
BlendedPicture blended_picture(const DeviceRgbaView& picture);
BlendedPicture blended_picture(const DeviceNv12View& picture, const YuvMatrix& matrix);

// blend_into_rgba() and blend_into_nv12() of common/image/reference.h. Belongs to the context that
// was current when it was made. Asynchronous; throws CudaError.
class Blender {
 public:
  Blender();

  // `drawing` has the size of the picture.
  void run(const DeviceRgbaView& drawing, const DeviceRgbaView& picture, CUstream stream) const;
  void run(const DeviceRgbaView& drawing, const YuvMatrix& matrix, const DeviceNv12View& picture,
           CUstream stream) const;

 private:
  KernelModule module_;
  Kernel rgba_;
  Kernel nv12_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_BLEND_H_
