// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_HOST_PAINTING_H_
#define RDP_GST_CUDA_HOST_PAINTING_H_

#include <cstddef>
#include <vector>

#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "gst/cuda/gpu_session.h"
#include "kernels/runtime/device_view.h"

namespace rdp::gst {

// Paints a picture on the host, from its lists, for frames on a device: copies samples to the host
// and the picture back. Blocks. Throws CudaError and std::bad_alloc.
class HostPainting {
 public:
  explicit HostPainting(GpuSession& session) : session_(session) {}

  // Copies samples to the host, rows without padding.
  DepthView bring(const cuda::DeviceDepthView& samples, std::byte* to) const;
  // Returns a picture of this size to be painted; send() copies it to the device.
  RgbaView begin(int width, int height);
  void send(const cuda::DeviceRgbaView& picture) const;

 private:
  GpuSession& session_;
  std::vector<std::byte> pixels_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_HOST_PAINTING_H_
