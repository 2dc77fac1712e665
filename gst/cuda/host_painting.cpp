// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/cuda/host_painting.h"

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::gst {
namespace {

void copy(const CUDA_MEMCPY2D& rows, GpuSession& session) {
  cuda::check(cuda::driver().cuMemcpy2DAsync_v2(&rows, session.stream()), "copying a picture");
  session.synchronize();
}

}  // namespace

DepthView HostPainting::bring(const cuda::DeviceDepthView& samples, std::byte* to) const {
  const std::ptrdiff_t stride = std::ptrdiff_t{samples.width} * bytes_per_sample(samples.type);
  CUDA_MEMCPY2D down{};
  down.srcMemoryType = CU_MEMORYTYPE_UNIFIED;  // page-locked memory, too
  down.srcDevice = samples.data;
  down.srcPitch = static_cast<std::size_t>(samples.pitch);
  down.dstMemoryType = CU_MEMORYTYPE_HOST;
  down.dstHost = to;
  down.dstPitch = down.WidthInBytes = static_cast<std::size_t>(stride);
  down.Height = static_cast<std::size_t>(samples.height);
  copy(down, session_);
  return {to, stride, samples.width, samples.height, samples.type};
}

RgbaView HostPainting::begin(int width, int height) {
  const std::ptrdiff_t stride = std::ptrdiff_t{4} * width;
  pixels_.resize(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height));
  return {pixels_.data(), stride, width, height};
}

void HostPainting::send(const cuda::DeviceRgbaView& picture) const {
  CUDA_MEMCPY2D up{};
  up.srcMemoryType = CU_MEMORYTYPE_HOST;
  up.srcHost = pixels_.data();
  up.srcPitch = up.WidthInBytes = static_cast<std::size_t>(picture.width) * 4;
  up.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  up.dstDevice = picture.data;
  up.dstPitch = static_cast<std::size_t>(picture.pitch);
  up.Height = static_cast<std::size_t>(picture.height);
  copy(up, session_);
}

}  // namespace rdp::gst
