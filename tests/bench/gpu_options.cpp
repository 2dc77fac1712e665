// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/gpu_options.h"

#include "tests/support/command_line.h"

namespace rdp::bench {

GpuOptions read_gpu_options(int argc, char** argv) {
  GpuOptions options;
  int replays = 0;
  double epsilon = -1;
  test::CommandLine line("How long the kernels take, by CUDA events over replays of graphs.");
  line.flag("quick", &options.quick, "a part of the frames, one epsilon, 7 replays");
  line.file("csv", &options.csv, "writes all results there, too");
  line.word("frames", &options.frames, "only frames whose names have this part", "PART");
  line.number("epsilon", &epsilon, "instead of 2, 4 and 8", "PX");
  line.word("only", &options.only, "of frames, growth, batch, change, hard, merge, fit, median",
            "LIST");
  line.number("energy", &options.energy,
              "joules a frame instead of times: for so long each side, 20 or more. --only: of "
              "segments, algorithm3, stereo, planes, tracks, heights",
              "SECONDS");
  line.number("replays", &replays, {}, "each time is their median (51)");
  line.number("device", &options.device, {}, "which GPU (0)");
  line.read(argc, argv);
  if (options.quick) {
    options.epsilons = {4};
    options.replays = 7;
  }
  if (epsilon >= 0) options.epsilons = {epsilon};
  if (replays > 0) options.replays = replays;
  return options;
}

}  // namespace rdp::bench
