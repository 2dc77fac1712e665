// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/gpu_labels.h"

#include <algorithm>
#include <exception>

#include "common/boundary.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::gst {

GpuLabels::~GpuLabels() {
  const cuda::FreeingScope scope(context_->get());
  memory_.reset();
}

RemoteRef<GpuLabels> GpuLabels::from(RecyclingPool<GpuLabels>& pool,
                                     const std::shared_ptr<const GpuContext>& context) {
  auto labels = pool.acquire([&] { return std::make_unique<GpuLabels>(context); });
  labels->revive();
  return RemoteRef<GpuLabels>(labels.release());
}

const cuda::DeviceDepthView& GpuLabels::place_for_frame(int width, int height) {
  const std::size_t pitch = cuda::device_pitch(static_cast<std::size_t>(width));
  view_ = {memory_->ensure(pitch * static_cast<std::size_t>(height)),
           static_cast<std::int64_t>(pitch), width, height, SampleType::kU8};
  return view_;
}

CUdeviceptr GpuLabels::place_for_points(std::size_t count) {
  view_ = {};
  return memory_->ensure(std::max<std::size_t>(count, 1));
}

bool GpuLabels::fetch(std::span<std::uint8_t> host, std::string* reason) noexcept {
  if (host.empty()) return true;
  try {
    const cuda::ContextScope scope(context_->get());
    const CUstream stream = context_->fetches();
    CUDA_MEMCPY2D rows{};
    rows.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    rows.srcDevice = memory_->get();
    rows.dstMemoryType = CU_MEMORYTYPE_HOST;
    rows.dstHost = host.data();
    rows.WidthInBytes = view_.data != 0 ? static_cast<std::size_t>(view_.width) : host.size();
    rows.dstPitch = rows.WidthInBytes;
    rows.srcPitch = view_.data != 0 ? static_cast<std::size_t>(view_.pitch) : host.size();
    rows.Height = view_.data != 0 ? static_cast<std::size_t>(view_.height) : 1;
    cuda::check(cuda::driver().cuMemcpy2DAsync_v2(&rows, stream), "copying labels from the GPU");
    cuda::check(cuda::driver().cuStreamSynchronize(stream), "copying labels from the GPU");
    return true;
  } catch (const std::exception& error) {  // of CUDA
    give_reason(reason, error.what());
    return false;
  }
}

}  // namespace rdp::gst
