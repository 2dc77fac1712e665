// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_FILTERS_H_
#define RDP_KERNELS_FILTERS_FILTERS_H_

#include <cuda.h>

#include "common/image/blend.h"
#include "common/image/inverse_depth.h"
#include "common/rdp/parameters.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Inverse depths by a table, which the host computes when the parameters change:
// reference::inverse_depth(). Belongs to the context that was current when it was made, and works
// on one stream at a time. Throws CudaError, std::bad_alloc.
class InverseDepth {
 public:
  InverseDepth();

  // Writes the inverse depths of frame i of `in` to frame i of `out`, which has its size, 16-bit
  // samples and memory of its own. Asynchronous, in one launch; a changed table waits for the
  // previous upload.
  void run(const DeviceFrames& in, const Parameters& parameters, const DeviceFrames& out,
           CUstream stream);

 private:
  void update_table(const Parameters& parameters, SampleType type, CUstream stream);

  KernelModule module_;
  SampleKernels kernels_;
  InverseDepthTable table_;
  bool uploaded_ = false;
  PinnedBuffer staging_;
  DeviceBuffer device_table_;
  Event staging_read_;
};

// Joins neighbouring columns: reference::join_columns(). Belongs to the context that was current
// when it was made. Throws CudaError.
class ColumnJoiner {
 public:
  ColumnJoiner();

  // Writes the joined columns of frame i of `in` to frame i of `out`. `out` has one column per
  // `column_width` (1..kMaxColumnWidth) columns, the type of `in` and memory of its own. `known`
  // must lie within the range of the type (see segmented_known_range()). Asynchronous; one launch.
  void run(const DeviceFrames& in, const KnownRange& known, int column_width,
           const DeviceFrames& out, CUstream stream) const;

 private:
  KernelModule module_;
  SampleKernels kernels_;
};

// The medians of square windows, border samples replicated: reference::median(), which is
// cv::medianBlur. Belongs to the context that was current when it was made. Throws CudaError.
class MedianFilter {
 public:
  MedianFilter();

  // Writes the medians of frame i of `in` over side x side windows (3 or 5) to frame i of `out`.
  // `out` has the size and type of `in`, and memory of its own. Asynchronous; one launch.
  void run(const DeviceFrames& in, int side, const DeviceFrames& out, CUstream stream) const;

 private:
  KernelModule module_;
  SampleKernels of_3x3_;
  SampleKernels of_5x5_;
};

// Two planes in device memory, as rdp::Nv12View has them.
struct DeviceNv12View {
  DevicePointer luma = 0;
  std::int64_t luma_pitch = 0;
  DevicePointer chroma = 0;
  std::int64_t chroma_pitch = 0;
  int width = 0;
  int height = 0;
};

// The view of a picture as a kernel argument.
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

#endif  // RDP_KERNELS_FILTERS_FILTERS_H_
