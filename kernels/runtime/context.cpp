// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/runtime/context.h"

#include <algorithm>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {

ContextScope::ContextScope(CUcontext context) {
  check(driver().cuCtxPushCurrent_v2(context), "making the CUDA context current");
}

ContextScope::~ContextScope() {
  CUcontext ours;
  driver().cuCtxPopCurrent_v2(&ours);
}

FreeingScope::FreeingScope(CUcontext context) noexcept
    : pushed_(driver().cuCtxPushCurrent_v2(context) == CUDA_SUCCESS) {}

FreeingScope::~FreeingScope() {
  CUcontext ours;
  if (pushed_) driver().cuCtxPopCurrent_v2(&ours);
}

PrimaryContext::PrimaryContext(int device) : device_(std::max(device, 0)) {
  const std::string number = std::to_string(device_);
  CUresult result = driver().cuDeviceGet(&handle_, device_);
  if (result != CUDA_SUCCESS) throw CudaError(result, "looking for CUDA device " + number);
  result = driver().cuDevicePrimaryCtxRetain(&context_, handle_);
  if (result != CUDA_SUCCESS) throw CudaError(result, "starting CUDA device " + number);
}

PrimaryContext::~PrimaryContext() { driver().cuDevicePrimaryCtxRelease_v2(handle_); }

int device_count() noexcept {
  const Driver* loaded = load_driver();
  int count = 0;
  if (loaded == nullptr || loaded->cuDeviceGetCount(&count) != CUDA_SUCCESS) return 0;
  return count;
}

int current_device_attribute(CUdevice_attribute attribute) {
  CUdevice device;
  int value = 0;
  check(driver().cuCtxGetDevice(&device), "asking for the current CUDA device");
  check(driver().cuDeviceGetAttribute(&value, attribute, device), "asking a CUDA device's limits");
  return value;
}

std::uint64_t current_device_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(driver().cuMemGetInfo_v2(&free, &total), "asking for a CUDA device's memory");
  return total;
}

}  // namespace rdp::cuda
