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

// A picture that is painted on the host, where its lists are, for frames on a device: samples come
// to the host, and the picture goes back. All of it waits. Throws CudaError and std::bad_alloc.
class HostPainting {
 public:
  explicit HostPainting(GpuSession& session) : session_(session) {}

  // Copies samples to the host, row after row without gaps.
  DepthView bring(const cuda::DeviceDepthView& samples, std::byte* to) const;
  // A picture of this size to be painted, and its copy to the device.
  RgbaView begin(int width, int height);
  void send(const cuda::DeviceRgbaView& picture) const;

 private:
  GpuSession& session_;
  std::vector<std::byte> pixels_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_HOST_PAINTING_H_
