// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/sgbm.h"

#include <algorithm>

namespace rdp::bench {
namespace {

// A view without a copy; OpenCV only reads it.
cv::Mat view_of(const std::vector<std::uint8_t>& picture, int width, int height) {
  return {height, width, CV_8UC1, const_cast<std::uint8_t*>(picture.data())};
}

}  // namespace

Sgbm::Sgbm(const SgbmMode& mode, const BenchPair& pair)
    : left_(view_of(pair.left, pair.width, pair.height)),
      right_(view_of(pair.right, pair.width, pair.height)),
      matcher_(
          cv::StereoSGBM::create(0, pair.disparities, 3, 72, 288, 1, 63, 10, 100, 2, mode.mode)) {}

void Sgbm::match() { matcher_->compute(left_, right_, result_); }

std::vector<std::uint16_t> Sgbm::disparity() const {
  std::vector<std::uint16_t> samples;
  for (int row = 0; row < result_.rows; ++row) {
    for (int column = 0; column < result_.cols; ++column) {
      // 1/16 px; negative: unknown. Infinity is known.
      const int value = result_.at<std::int16_t>(row, column);
      samples.push_back(static_cast<std::uint16_t>(value < 0 ? 0 : std::max(value * 16, 1)));
    }
  }
  return samples;
}

}  // namespace rdp::bench
