// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_CUDA_ERROR_H_
#define RDP_KERNELS_RUNTIME_CUDA_ERROR_H_

#include <cuda.h>

#include <string>

#include "common/gpu_error.h"

namespace rdp::cuda {

// A CUDA call that failed. what() is for people: what was being done, and the error's name and text
// as the driver has them ("copying a frame to the GPU: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal …)").
class CudaError : public GpuError {
 public:
  CudaError(CUresult result, const std::string& doing);
  CUresult result() const { return result_; }

 private:
  CUresult result_;
};

// The driver's name for an error: "CUDA_ERROR_OUT_OF_MEMORY".
std::string error_name(CUresult result);

// Throws CudaError unless the call succeeded. `doing` completes "while …".
inline void check(CUresult result, const char* doing) {
  if (result != CUDA_SUCCESS) throw CudaError(result, doing);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_CUDA_ERROR_H_
