// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_MAPS_H_
#define RDP_KERNELS_STEREO_MAPS_H_

#include <cuda.h>

#include <cstdint>
#include <vector>

#include "common/stereo/rectification.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// GPU version of stereo::reference::rectify(), bit-identical, with a map kept on the device.
// Belongs to the context that was current when it was made. Throws CudaError.
class Rectifier {
 public:
  Rectifier();

  // Copies the map; allocates and waits. No work that uses the previous map may be running.
  void set_map(const stereo::RectificationMap& map);
  // The mask in the map's size; valid until the next set_map().
  DeviceDepthView mask() const;
  // Asynchronous. Both images have the map's size and 8 bits, and do not overlap. Call set_map()
  // first.
  void rectify(const DeviceDepthView& picture, const DeviceDepthView& out, CUstream stream);

 private:
  KernelModule module_;
  Kernel rectify_;
  DeviceBuffer points_;
  DeviceBuffer mask_;
  int width_ = 0;
  int height_ = 0;
};

// stereo::to_depth() on the GPU. Belongs to the context that was current when it was made. Throws
// CudaError.
class DepthTable {
 public:
  DepthTable();

  // Copies a table of stereo::depth_table(); allocates and waits. No work that uses the previous
  // table may be running.
  void set_table(const std::vector<std::uint16_t>& table);
  // Replaces disparities by distances. Asynchronous.
  void to_depth(const DeviceDepthView& disparity, CUstream stream);

 private:
  KernelModule module_;
  Kernel to_depth_;
  DeviceBuffer table_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_MAPS_H_
