// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_SGBM_H_
#define RDP_TESTS_BENCH_SGBM_H_

#include <cstdint>
#include <opencv2/calib3d.hpp>
#include <string>
#include <vector>

#include "tests/bench/stereo_pairs.h"

// OpenCV's StereoSGBM, the comparison of stereo matching: blocks of 3 pixels, P1 72, P2 288,
// pre-filter 63 (as in its own sample), uniqueness 10, left-right check 1, speckles of 100 pixels
// and 2 px.
namespace rdp::bench {

struct SgbmMode {
  const char* name;
  int mode;
};
inline const SgbmMode kSgbmModes[] = {{"SGBM 3WAY", cv::StereoSGBM::MODE_SGBM_3WAY},
                                      {"SGBM 5 paths", cv::StereoSGBM::MODE_SGBM},
                                      {"SGBM HH4", cv::StereoSGBM::MODE_HH4},
                                      {"SGBM HH", cv::StereoSGBM::MODE_HH}};

class Sgbm {
 public:
  Sgbm(const SgbmMode& mode, const BenchPair& pair);

  // Uses as many threads as set by cv::setNumThreads().
  void match();
  // The latest result in 1/256 px, 0 unknown.
  std::vector<std::uint16_t> disparity() const;

 private:
  cv::Mat left_;
  cv::Mat right_;
  cv::Ptr<cv::StereoSGBM> matcher_;
  cv::Mat result_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_SGBM_H_
