// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_BENCH_FRAMES_H_
#define RDP_TESTS_BENCH_BENCH_FRAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"

// The frames of benchmarks.
namespace rdp::bench {

struct BenchFrame {
  std::string name;
  int width;
  int height;
  std::vector<std::uint16_t> samples;
  // All parameters but epsilon, which is in px of disparity (or in u for depth).
  Parameters parameters;

  DepthView view() const {
    return {reinterpret_cast<const std::byte*>(samples.data()),
            static_cast<std::ptrdiff_t>(width) * 2, width, height, SampleType::kU16};
  }
};

// The available recorded frames of the folder in RDPSEGMENT_TEST_DATA. Stereo frames come unchanged
// and, as in the paper, after a 5x5 median and scaled to 1242x1024 (nearest sample, so that unknown
// samples stay unknown). Depth frames use the inverse domain.
std::vector<BenchFrame> recorded_frames();

// Generated frames: depthtestsrc's street, clean and as from a stereo matcher, and the worst cases
// noise and stairs (the deepest recursion).
std::vector<BenchFrame> made_frames();

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_BENCH_FRAMES_H_
