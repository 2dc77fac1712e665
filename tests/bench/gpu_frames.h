// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_FRAMES_H_
#define RDP_TESTS_BENCH_GPU_FRAMES_H_

#include <string>
#include <vector>

#include "tests/bench/bench_frames.h"

// More frames for the benchmark of the kernels.
namespace rdp::bench {

// The frame as the segmentation proper gets it: the inverse depth taken, in the linear domain.
BenchFrame filtered(BenchFrame frame);

// The same content at another height, by the nearest row.
BenchFrame with_height(const BenchFrame& frame, int height);

// Frames that were made to be hard to segment, each with its epsilon.
std::vector<BenchFrame> hard_frames(int width, int height);

// What became of a name: for one more height, the same pattern.
BenchFrame hard_frame(const std::string& name, int width, int height);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_FRAMES_H_
