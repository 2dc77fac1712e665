// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_EXTRA_DRIVER_H_
#define RDP_TESTS_GPU_EXTRA_DRIVER_H_

#include <cuda.h>

// Entry points of the CUDA driver that tests and benchmarks need and the product does not: see
// kernels/runtime/driver.h.
namespace rdp::test {

#define RDP_EXTRA_DRIVER_FUNCTIONS(F)                                           \
  F(cuCtxSynchronize, CUresult())                                               \
  F(cuMemcpyDtoDAsync_v2, CUresult(CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
  F(cuEventElapsedTime, CUresult(float*, CUevent, CUevent))                     \
  F(cuEventRecordWithFlags, CUresult(CUevent, CUstream, unsigned))              \
  F(cuStreamBeginCapture_v2, CUresult(CUstream, CUstreamCaptureMode))           \
  F(cuStreamEndCapture, CUresult(CUstream, CUgraph*))                           \
  F(cuGraphInstantiateWithFlags, CUresult(CUgraphExec*, CUgraph, cuuint64_t))   \
  F(cuGraphLaunch, CUresult(CUgraphExec, CUstream))                             \
  F(cuGraphExecDestroy, CUresult(CUgraphExec))                                  \
  F(cuGraphDestroy, CUresult(CUgraph))

struct ExtraDriver {
#define RDP_EXTRA_DRIVER_MEMBER(name, ...) \
  using name##_function = __VA_ARGS__;     \
  name##_function* name = nullptr;
  RDP_EXTRA_DRIVER_FUNCTIONS(RDP_EXTRA_DRIVER_MEMBER)
#undef RDP_EXTRA_DRIVER_MEMBER
};

// Null where the driver is missing or lacks one of them (graphs need a driver of CUDA 11.4).
const ExtraDriver* extra_driver();

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_EXTRA_DRIVER_H_
