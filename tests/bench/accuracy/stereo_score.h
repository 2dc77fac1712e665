// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_STEREO_SCORE_H_
#define RDP_TESTS_BENCH_ACCURACY_STEREO_SCORE_H_

#include <cstdint>
#include <vector>

namespace rdp::bench {

// Comparison of a disparity frame with the truth, by KITTI's rule, in percent: a pixel is wrong if
// it is off by more than 3 px and by more than 5 % of the truth.
struct StereoScore {
  double density = 0;  // known pixels, of those with truth
  double known = 0;    // wrong pixels, of the known ones
  double filled = 0;   // wrong pixels after fill_unknown(), of those with truth
};

// `disparity` in 1/256 px, 0 unknown; `truth` in px, 0 unknown. Both row by row.
StereoScore score_disparity(const std::vector<std::uint16_t>& disparity,
                            const std::vector<double>& truth, int width);

// Fills unknown pixels with the smaller one of the nearest known pixels in their row, because
// hidden pixels belong to the background. At the ends of a row there is only one. Empty rows copy
// the row above, those at the top the first filled row.
void fill_unknown(std::vector<std::uint16_t>* disparity, int width);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_STEREO_SCORE_H_
