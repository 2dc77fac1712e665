// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_DRIVER_H_
#define RDP_KERNELS_RUNTIME_DRIVER_H_

#include <cuda.h>

#include <string>

#include "kernels/runtime/egl_frame.h"

// The CUDA driver (libcuda.so.1), found at run time, so that one binary runs on machines with and
// without it. The runtime library is not used: kernels run in whatever context the caller has made
// current, which in GStreamer is seldom the primary one.
namespace rdp::cuda {

// The entry points in use: name, and the type that it has in the driver's ABI. The versioned names
// are spelt out, because the unversioned macros of <cuda.h> change their meaning between toolkits.
#define RDP_CUDA_DRIVER_FUNCTIONS(F)                                                       \
  F(cuInit, CUresult(unsigned))                                                            \
  F(cuDriverGetVersion, CUresult(int*))                                                    \
  F(cuGetErrorName, CUresult(CUresult, const char**))                                      \
  F(cuGetErrorString, CUresult(CUresult, const char**))                                    \
  F(cuDeviceGetCount, CUresult(int*))                                                      \
  F(cuDeviceGet, CUresult(CUdevice*, int))                                                 \
  F(cuDeviceGetName, CUresult(char*, int, CUdevice))                                       \
  F(cuDeviceGetAttribute, CUresult(int*, CUdevice_attribute, CUdevice))                    \
  F(cuDevicePrimaryCtxRetain, CUresult(CUcontext*, CUdevice))                              \
  F(cuDevicePrimaryCtxRelease_v2, CUresult(CUdevice))                                      \
  F(cuCtxPushCurrent_v2, CUresult(CUcontext))                                              \
  F(cuCtxPopCurrent_v2, CUresult(CUcontext*))                                              \
  F(cuCtxGetCurrent, CUresult(CUcontext*))                                                 \
  F(cuCtxGetDevice, CUresult(CUdevice*))                                                   \
  F(cuMemAlloc_v2, CUresult(CUdeviceptr*, size_t))                                         \
  F(cuMemFree_v2, CUresult(CUdeviceptr))                                                   \
  F(cuMemGetInfo_v2, CUresult(size_t*, size_t*))                                           \
  F(cuMemHostAlloc, CUresult(void**, size_t, unsigned))                                    \
  F(cuMemFreeHost, CUresult(void*))                                                        \
  F(cuMemHostGetDevicePointer_v2, CUresult(CUdeviceptr*, void*, unsigned))                 \
  F(cuPointerGetAttribute, CUresult(void*, CUpointer_attribute, CUdeviceptr))              \
  F(cuPointerGetAttributes, CUresult(unsigned, CUpointer_attribute*, void**, CUdeviceptr)) \
  F(cuMemcpyHtoDAsync_v2, CUresult(CUdeviceptr, const void*, size_t, CUstream))            \
  F(cuMemcpyDtoHAsync_v2, CUresult(void*, CUdeviceptr, size_t, CUstream))                  \
  F(cuMemcpy2DAsync_v2, CUresult(const CUDA_MEMCPY2D*, CUstream))                          \
  F(cuMemsetD8Async, CUresult(CUdeviceptr, unsigned char, size_t, CUstream))               \
  F(cuStreamCreate, CUresult(CUstream*, unsigned))                                         \
  F(cuStreamDestroy_v2, CUresult(CUstream))                                                \
  F(cuStreamSynchronize, CUresult(CUstream))                                               \
  F(cuStreamQuery, CUresult(CUstream))                                                     \
  F(cuStreamWaitEvent, CUresult(CUstream, CUevent, unsigned))                              \
  F(cuEventCreate, CUresult(CUevent*, unsigned))                                           \
  F(cuEventDestroy_v2, CUresult(CUevent))                                                  \
  F(cuEventRecord, CUresult(CUevent, CUstream))                                            \
  F(cuEventSynchronize, CUresult(CUevent))                                                 \
  F(cuModuleLoadData, CUresult(CUmodule*, const void*))                                    \
  F(cuModuleUnload, CUresult(CUmodule))                                                    \
  F(cuModuleGetFunction, CUresult(CUfunction*, CUmodule, const char*))                     \
  F(cuFuncSetAttribute, CUresult(CUfunction, CUfunction_attribute, int))                   \
  F(cuLaunchKernel, CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, \
                             unsigned, unsigned, CUstream, void**, void**))

// Functions for kernels that start before the previous one has ended, if the toolkit has them.
#if CUDA_VERSION >= 12030
#define RDP_CUDA_DRIVER_OVERLAP_FUNCTIONS(F) \
  F(cuLaunchKernelEx, CUresult(const CUlaunchConfig*, CUfunction, void**, void**))
#else
#define RDP_CUDA_DRIVER_OVERLAP_FUNCTIONS(F)
#endif

// Functions that are null if the driver has none: EGL's images, which Jetson's frames come in.
#define RDP_CUDA_DRIVER_OPTIONAL_FUNCTIONS(F)                                    \
  RDP_CUDA_DRIVER_OVERLAP_FUNCTIONS(F)                                           \
  F(cuGraphicsEGLRegisterImage, CUresult(CUgraphicsResource*, void*, unsigned))  \
  F(cuGraphicsResourceGetMappedEglFrame,                                         \
    CUresult(EglFrame*, CUgraphicsResource, unsigned index, unsigned mip_level)) \
  F(cuGraphicsUnregisterResource, CUresult(CUgraphicsResource))

struct Driver {
#define RDP_CUDA_DRIVER_MEMBER(name, ...) \
  using name##_function = __VA_ARGS__;    \
  name##_function* name = nullptr;
  RDP_CUDA_DRIVER_FUNCTIONS(RDP_CUDA_DRIVER_MEMBER)
  RDP_CUDA_DRIVER_OPTIONAL_FUNCTIONS(RDP_CUDA_DRIVER_MEMBER)
#undef RDP_CUDA_DRIVER_MEMBER
};

// Loads and initialises the driver the first time. Returns null if there is none or it does not
// start; *reason, if given, then tells the user why. The next call retries a failed start. Any
// thread. Never aborts.
const Driver* load_driver(std::string* reason = nullptr) noexcept;

// The loaded driver; load_driver() must have succeeded.
const Driver& driver();

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_DRIVER_H_
