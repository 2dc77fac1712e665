// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_STEREO_PAIRS_H_
#define RDP_TESTS_BENCH_STEREO_PAIRS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/stereo/views.h"

// Stereo pairs for benchmarks.
namespace rdp::bench {

struct BenchPair {
  std::string name;
  int width = 0;
  int height = 0;
  int disparities = 128;
  std::vector<std::uint8_t> left;   // row by row
  std::vector<std::uint8_t> right;  // the same size
  std::vector<double> truth;        // disparities in px, 0 unknown; empty: no truth

  stereo::Pair pair() const;
};

// The available ones of the seven recorded pairs in RDPSEGMENT_TEST_DATA, with truth.
std::vector<BenchPair> recorded_pairs();

// A textured test scene at the size of KITTI's pictures, for machines without recorded pairs.
BenchPair made_pair(int width, int height, int disparities);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_STEREO_PAIRS_H_
