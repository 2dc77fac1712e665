// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_OPTIONS_H_
#define RDP_TESTS_BENCH_GPU_OPTIONS_H_

#include <string>
#include <vector>

namespace rdp::bench {

// The options of gpu_bench.
struct GpuOptions {
  bool quick = false;
  std::string csv;
  std::string frames;
  std::vector<double> epsilons{2, 4, 8};
  std::string only;
  int replays = 51;
  int device = 0;
  double energy = 0;  // seconds per side; 0: measure times

  // True if the experiment or side was named, or none was.
  bool wanted(const std::string& experiment) const {
    return only.empty() || ("," + only + ",").find("," + experiment + ",") != std::string::npos;
  }
};

// Exits if the options are wrong, or if they ask for help.
GpuOptions read_gpu_options(int argc, char** argv);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_OPTIONS_H_
