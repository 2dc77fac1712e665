// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_FRAMES_H_
#define RDP_TESTS_BENCH_GPU_FRAMES_H_

#include <string>
#include <vector>

#include "tests/bench/bench_frames.h"

// Additional frames for the kernel benchmark.
namespace rdp::bench {

// The input of the segmentation proper: after the inverse-depth filter, in the linear domain.
BenchFrame filtered(BenchFrame frame);

// The same content scaled to another height, by nearest rows.
BenchFrame with_height(const BenchFrame& frame, int height);

// Frames that are hard to segment, each with its epsilon.
std::vector<BenchFrame> hard_frames(int width, int height);

// The hard frame of this name in another size.
BenchFrame hard_frame(const std::string& name, int width, int height);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_FRAMES_H_
