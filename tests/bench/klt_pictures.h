// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_KLT_PICTURES_H_
#define RDP_TESTS_BENCH_KLT_PICTURES_H_

#include <optional>
#include <string>
#include <vector>

#include "common/klt/track.h"
#include "tests/bench/motion_pairs.h"

// What the speed of tracking is measured on.
namespace rdp::bench {

struct KltPair {
  std::string name;
  GrayPicture first;
  GrayPicture second;
};

// A texture that moves by whole pixels.
KltPair made_pair(int width, int height, int dx = 5, int dy = -3);
// motion/tum of the recorded frames, where it is there.
std::optional<KltPair> recorded_pair();

// Points at regular distances.
std::vector<klt::Point> grid_of(int width, int height, int columns, int rows);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_KLT_PICTURES_H_
