// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/backend_choice.h"

namespace rdp::gst {

BackendChoice::Gpu BackendChoice::needs(MemoryKind memory, bool interchangeable) const {
  if (memory == MemoryKind::kNvmm) {
    // Only a frame tells where in NVMM memory it lies, so the first frame that needs the GPU starts
    // it.
    if (wanted_ == GST_RDP_BACKEND_CPU) return Gpu::kNone;
    return wanted_ == GST_RDP_BACKEND_CUDA ? Gpu::kRequireLater : Gpu::kTryLater;
  }
  if (memory == MemoryKind::kCuda || wanted_ == GST_RDP_BACKEND_CUDA) return Gpu::kRequireNow;
  const bool tried = wanted_ != GST_RDP_BACKEND_CPU && !gpu_failed_ && interchangeable;
  return tried ? Gpu::kTryNow : Gpu::kNone;
}

void BackendChoice::begin(MemoryKind memory, bool gpu_there, bool interchangeable) {
  const Gpu need = needs(memory, interchangeable);
  memory_ = memory;
  route_ = Route::kCpu;
  if (!gpu_there || need == Gpu::kNone) return;
  if (need != Gpu::kTryNow) {
    route_ = Route::kGpu;
  } else {
    // Frames in host memory: the faster engine.
    route_ = Route::kTrial;
    trial_ = BackendTrial();
  }
}

BackendChoice::Engine BackendChoice::next(bool device_reaches) const {
  if (route_ == Route::kTrial) return trial_.next();
  if (route_ == Route::kCpu) return Engine::kCpu;
  // Leave a frame in NVMM memory that only the CPU reads in place to the CPU, unless backend=cuda.
  const bool of_host = memory_ == MemoryKind::kNvmm && !device_reaches;
  return of_host && wanted_ != GST_RDP_BACKEND_CUDA ? Engine::kCpu : Engine::kGpu;
}

bool BackendChoice::record(BackendTrial::Duration time) {
  if (!on_trial()) return false;
  trial_.record(time);
  if (!trial_.decided()) return false;
  if (trial_.next() == Engine::kCpu) route_ = Route::kCpu;
  return true;
}

void BackendChoice::give_up_gpu() {
  gpu_failed_ = true;
  trial_.give_up_gpu();
  route_ = Route::kCpu;
}

}  // namespace rdp::gst
