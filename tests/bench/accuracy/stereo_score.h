// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_STEREO_SCORE_H_
#define RDP_TESTS_BENCH_ACCURACY_STEREO_SCORE_H_

#include <cstdint>
#include <vector>

namespace rdp::bench {

// How a disparity frame compares with the truth, as KITTI's kit counts it: a pixel is wrong where
// it is off by more than 3 px and by more than 5 % of the truth. All in percent.
struct StereoScore {
  double density = 0;  // of the pixels that have a truth, those that are known
  double known = 0;    // of these, the wrong ones
  double filled = 0;   // of all pixels that have a truth, the wrong ones after fill_unknown()
};

// `disparity` in 1/256 px, 0 unknown; `truth` in px, 0 unknown. Both row by row.
StereoScore score_disparity(const std::vector<std::uint16_t>& disparity,
                            const std::vector<double>& truth, int width);

// Unknown pixels take the smaller one of the nearest known ones of their row, since the background
// is what is hidden; at the ends of a row there is one only. Rows without any take the row above,
// those on top the first row below.
void fill_unknown(std::vector<std::uint16_t>* disparity, int width);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_STEREO_SCORE_H_
