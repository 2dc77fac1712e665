// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_STEREO_PAIRS_H_
#define RDP_TESTS_BENCH_STEREO_PAIRS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/stereo/views.h"

// The pairs that stereo matching is measured on.
namespace rdp::bench {

struct BenchPair {
  std::string name;
  int width = 0;
  int height = 0;
  int disparities = 128;
  std::vector<std::uint8_t> left;   // row by row
  std::vector<std::uint8_t> right;  // the same size
  std::vector<double> truth;        // disparities in px, 0 where unknown; empty: of no pixel

  stereo::Pair pair() const;
};

// Those of the seven recorded pairs that are in the folder of RDPSEGMENT_TEST_DATA, with truth.
std::vector<BenchPair> recorded_pairs();

// A textured scene for machines without any: what tests draw, at the size of KITTI's pictures.
BenchPair made_pair(int width, int height, int disparities);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_STEREO_PAIRS_H_
