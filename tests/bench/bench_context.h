// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_BENCH_CONTEXT_H_
#define RDP_TESTS_BENCH_BENCH_CONTEXT_H_

#include <stdexcept>

#include "gst/cuda/cuda_context.h"
#include "kernels/runtime/driver.h"

namespace rdp::bench {

// A context on device 0, and the device's name.
struct BenchContext {
  GstCudaContext* context = gst_cuda_context_new(0);
  char name[256] = "";

  BenchContext() {
    if (context == nullptr) throw std::runtime_error("there is no context on device 0");
    CUdevice device = 0;
    cuda::driver().cuDeviceGet(&device, 0);
    cuda::driver().cuDeviceGetName(name, sizeof(name), device);
  }
  ~BenchContext() { gst_clear_object(&context); }
  BenchContext(const BenchContext&) = delete;
  BenchContext& operator=(const BenchContext&) = delete;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_BENCH_CONTEXT_H_
