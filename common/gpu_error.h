// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_GPU_ERROR_H_
#define RDP_COMMON_GPU_ERROR_H_

#include <stdexcept>

namespace rdp {

// A GPU that is not there or does not do what it should. what() says what was being done and has
// the name of CUDA's error, or says what is missing. Errors of the driver are rdp::cuda::CudaError,
// which is one of these: code that knows no CUDA catches both here, and translates nothing.
class GpuError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rdp

#endif  // RDP_COMMON_GPU_ERROR_H_
