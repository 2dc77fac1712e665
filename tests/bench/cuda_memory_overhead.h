// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_CUDA_MEMORY_OVERHEAD_H_
#define RDP_TESTS_BENCH_CUDA_MEMORY_OVERHEAD_H_

#include <cstddef>

#include "tests/bench/element_stream.h"

namespace rdp::bench {

struct Repeats {
  int warm_ups = 200;  // frames
  int frames = 2000;
  int batches = 25;      // of the kernels alone
  int batch_size = 200;  // frames enqueued back to back
};

// The same work on the same frames in CUDA memory by the kernels and by the element, in
// microseconds a frame.
struct CudaMemoryTimes {
  double kernels = 0;     // enqueued back to back, for as many frames as a batch has
  double enqueueing = 0;  // the host's part in that; no less than `kernels` where it is what limits
  FrameTimes waited;      // each frame enqueued, then waited for
  FrameTimes element;
  std::size_t segments = 0;
};

// `setup` says whether to reconstruct and whether to paint the overlay. Throws std::runtime_error,
// also where the element and the engine disagree about the number of segments.
CudaMemoryTimes measure_cuda_memory(const DepthView& frame, const Parameters& parameters,
                                    const StreamSetup& setup, const Repeats& repeats);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_CUDA_MEMORY_OVERHEAD_H_
