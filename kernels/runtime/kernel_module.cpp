// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/runtime/kernel_module.h"

#include <string>

#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {

KernelModule::KernelModule(const unsigned char* fat_binary) {
  const CUresult result = driver().cuModuleLoadData(&module_, fat_binary);
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU) {
    const int major = current_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    const int minor = current_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    throw CudaError(result, "loading the kernels: this build has none for compute capability " +
                                std::to_string(major) + "." + std::to_string(minor) +
                                " (meson's option gpu_architectures)");
  }
  check(result, "loading the kernels");
}

KernelModule::~KernelModule() { driver().cuModuleUnload(module_); }

CUfunction KernelModule::kernel(const char* name, unsigned max_shared_bytes) const {
  CUfunction function = nullptr;
  const CUresult found = driver().cuModuleGetFunction(&function, module_, name);
  if (found != CUDA_SUCCESS) throw CudaError(found, "looking for the kernel " + std::string(name));
  // A kernel may use 48 KiB without asking, what it declares itself included.
  if (max_shared_bytes > 0) {
    check(driver().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      static_cast<int>(max_shared_bytes)),
          "asking for shared memory");
  }
  return function;
}

bool can_overlap_launches() {
#if CUDA_VERSION >= 12030
  int version = 0;
  return driver().cuLaunchKernelEx != nullptr &&
         driver().cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= 12030 &&
         current_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9;
#else
  return false;
#endif
}

void launch_kernel(CUfunction kernel, const char* name, const LaunchShape& shape, CUstream stream,
                   const void* arguments) {
  void* parameters[] = {const_cast<void*>(arguments)};
#if CUDA_VERSION >= 12030
  if (shape.waits) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig config{};
    config.gridDimX = shape.blocks_x;
    config.gridDimY = shape.blocks_y;
    config.gridDimZ = shape.blocks_z;
    config.blockDimX = shape.threads;
    config.blockDimY = 1;
    config.blockDimZ = 1;
    config.sharedMemBytes = shape.shared_bytes;
    config.hStream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const CUresult started = driver().cuLaunchKernelEx(&config, kernel, parameters, nullptr);
    if (started != CUDA_SUCCESS) {
      throw CudaError(started, "starting the kernel " + std::string(name));
    }
    return;
  }
#endif
  const CUresult result =
      driver().cuLaunchKernel(kernel, shape.blocks_x, shape.blocks_y, shape.blocks_z, shape.threads,
                              1, 1, shape.shared_bytes, stream, parameters, nullptr);
  if (result != CUDA_SUCCESS) throw CudaError(result, "starting the kernel " + std::string(name));
}

}  // namespace rdp::cuda
