// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_BENCH_FRAMES_H_
#define RDP_TESTS_BENCH_BENCH_FRAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"

// The frames that benchmarks work on.
namespace rdp::bench {

struct BenchFrame {
  std::string name;
  int width;
  int height;
  std::vector<std::uint16_t> samples;
  // Everything but epsilon, which is in px of disparity (or in u for depth).
  Parameters parameters;

  DepthView view() const {
    return {reinterpret_cast<const std::byte*>(samples.data()),
            static_cast<std::ptrdiff_t>(width) * 2, width, height, SampleType::kU16};
  }
};

// Recorded frames from the folder that RDPSEGMENT_TEST_DATA names, as far as they are there: stereo
// frames as they are and, like in the paper, after a 5x5 median and scaled to 1242x1024 (nearest
// sample, so that unknown samples stay what they are); depth frames in the inverse domain.
std::vector<BenchFrame> recorded_frames();

// Frames that need no file: depthtestsrc's street, clean and like a stereo matcher's, and the
// losing cases noise and stairs (the deepest recursion).
std::vector<BenchFrame> made_frames();

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_BENCH_FRAMES_H_
