// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_PAPER_HEIGHTS_H_
#define RDP_TESTS_BENCH_PAPER_HEIGHTS_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/heightmap/parameters.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"
#include "tests/bench/height_field.h"
#include "tests/bench/rivals_arguments.h"

namespace rdp::bench {

// The paper's belief propagation (paper_messages.cuh), with all its data on the device, in the
// current context. Parameters must have kPaperHeights heights.
class PaperHeights {
 public:
  // rises: whole_rises() or sloped_rises().
  PaperHeights(const HeightField& field, const heightmap::Parameters& parameters,
               const std::vector<float>& rises);

  std::size_t bytes() const;
  void half_iteration(int step, CUstream stream);
  void find_labels(CUstream stream) const;

  // The labels after `steps` half-iterations, starting without messages; waits for them.
  std::vector<std::uint8_t> labels_after(int steps, CUstream stream);

 private:
  cuda::KernelModule module_;
  CUfunction messages_kernel_;
  CUfunction labels_kernel_;
  PaperArguments arguments_{};
  std::size_t pixels_;
  cuda::DeviceBuffer costs_;
  cuda::DeviceBuffer rises_;
  cuda::DeviceBuffer messages_;
  cuda::DeviceBuffer labels_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_PAPER_HEIGHTS_H_
