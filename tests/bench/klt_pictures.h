// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_KLT_PICTURES_H_
#define RDP_TESTS_BENCH_KLT_PICTURES_H_

#include <optional>
#include <string>
#include <vector>

#include "common/klt/track.h"
#include "tests/bench/motion_pairs.h"

// Picture pairs for the benchmarks of tracking.
namespace rdp::bench {

struct KltPair {
  std::string name;
  GrayPicture first;
  GrayPicture second;
};

// A texture shifted by whole pixels.
KltPair made_pair(int width, int height, int dx = 5, int dy = -3);
// The recorded pair motion/tum, if it is available.
std::optional<KltPair> recorded_pair();

// A regular grid of points.
std::vector<klt::Point> grid_of(int width, int height, int columns, int rows);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_KLT_PICTURES_H_
