// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_GPU_ERROR_H_
#define RDP_COMMON_GPU_ERROR_H_

#include <stdexcept>

namespace rdp {

// A missing or failing GPU. what() names the failed operation and CUDA's error, or the missing
// component. Driver errors are the subclass rdp::cuda::CudaError, so that code without CUDA catches
// both here and translates nothing.
class GpuError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rdp

#endif  // RDP_COMMON_GPU_ERROR_H_
