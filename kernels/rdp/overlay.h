// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_OVERLAY_H_
#define RDP_KERNELS_RDP_OVERLAY_H_

#include <cuda.h>

#include "common/rdp/overlay.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/parameters.h"
#include "kernels/rdp/marks.h"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Palette range found from a frame, for all painters: palette_range() of common/rdp/overlay.h.
// Belongs to the context that was current when it was made. Throws CudaError.
class PaletteRangeFinder {
 public:
  // `module` has the kernels of kernels/rdp/overlay.cu, and lives longer.
  explicit PaletteRangeFinder(const KernelModule& module);

  // Asynchronous. The result is on the device, and is the finder's until the next call.
  const PaletteRange* find(const DeviceDepthView& frame, const Parameters& parameters,
                           CUstream stream);

 private:
  Kernel find_;
  DeviceBuffer range_;
};

// overlay_look() and paint_overlay() in one; results from the frame stay on the GPU. Belongs to the
// context that was current when it was made, and works on one stream at a time. Throws CudaError.
class OverlayPainter {
 public:
  OverlayPainter();

  // Paints `picture`, which has the size of `frame`. `frame` has the unfiltered samples, from which
  // `parameters` made slice `slice` of `segments`. Leaves the picture unchanged if any slice is
  // truncated. Asynchronous.
  void run(const DeviceDepthView& frame, const SegmentListView& segments, int slice,
           const Parameters& parameters, const OverlayOptions& options,
           const DeviceRgbaView& picture, CUstream stream);

 private:
  // Arguments of run().
  struct Job {
    const DeviceDepthView& frame;
    const SegmentListView& segments;
    int slice;
    const Parameters& parameters;
    const OverlayOptions& options;
    const DeviceRgbaView& picture;
    CUstream stream;
  };
  const Ground* find_ground(const Job& job, const ClassRules& rules);
  void paint_style(const Job& job, const PictureRange& range);
  void paint_birdseye(const Job& job);

  KernelModule module_;
  PaletteRangeFinder find_range_;
  Kernel find_ground_;
  Kernel paint_[4];  // by OverlayStyle
  Kernel paint_classes_on_plane_;
  Kernel birdseye_scale_;
  Kernel birdseye_columns_;
  Kernel birdseye_picture_;
  MarksPainter marks_;
  DeviceBuffer ground_;
  DeviceBuffer scale_;
  // For bird's-eye views; these grow with the frame.
  DeviceBuffer seen_;
  DeviceBuffer labels_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_OVERLAY_H_
