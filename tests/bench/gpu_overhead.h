// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_OVERHEAD_H_
#define RDP_TESTS_BENCH_GPU_OVERHEAD_H_

#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/support/command_line.h"

// What the programs have in common that tell what an element costs beyond its kernels.
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

// Reads the options and measures. Gives the exit status: 77 where there is no device to run on, and
// 1 where measuring throws.
inline int run_overhead(int argc, char** argv, const char* program, const char* element,
                        const std::function<void(bool quick)>& measure) {
  bool quick = false;
  const std::string summary = std::string("What ") + element + " costs beyond its kernels.";
  test::CommandLine line(summary.c_str());
  line.flag("quick", &quick, "a few frames, whose times mean nothing");
  line.group(gst_init_get_option_group());
  line.read(argc, argv);
  std::string reason;
  if (!gst::cuda_memory_usable(&reason)) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  if (cuda::load_driver(&reason) == nullptr || cuda::device_count() == 0) {
    std::printf("skipped: no CUDA device: %s\n", reason.c_str());
    return 77;
  }
  try {
    measure(quick);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_OVERHEAD_H_
