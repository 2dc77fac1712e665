// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/vote_space.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/vote_space.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rdp::planes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// dot() with the directions [first, end); more may be written, up to a vector.
void cosines(const double* centres, std::size_t stride, const double normal[3], int first, int end,
             double* result) {
#if HWY_HAVE_FLOAT64
  const hn::ScalableTag<double> d;
  const auto x = hn::Set(d, normal[0]);
  const auto y = hn::Set(d, normal[1]);
  const auto z = hn::Set(d, normal[2]);
  for (int i = first; i < end; i += static_cast<int>(hn::Lanes(d))) {
    const auto xx = hn::Mul(hn::LoadU(d, centres + i), x);
    const auto yy = hn::Mul(hn::LoadU(d, centres + stride + i), y);
    const auto zz = hn::Mul(hn::LoadU(d, centres + 2 * stride + i), z);
    hn::StoreU(hn::Add(hn::Add(xx, yy), zz), d, result + (i - first));
  }
#else
  for (int i = first; i < end; ++i) {
    const double centre[3] = {centres[i], centres[stride + i], centres[2 * stride + i]};
    result[i - first] = dot(centre, normal);
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(cosines);

namespace {
constexpr int kReach = 2;  // of a peak, in cells
constexpr int kSide = 2 * kReach + 1;
constexpr std::size_t kMostLanes = 64;
// Of near_, the nearest first: they refuse most.
constexpr int kFromTheMiddle[kSide * kSide] = {12, 11, 13, 7, 17, 6,  8,  16, 18, 10, 14, 2, 22,
                                               1,  3,  5,  9, 15, 19, 21, 23, 0,  4,  20, 24};
}  // namespace

void VoteSpace::prepare(int directions, double distance_step) {
  step_ = distance_step;
  if (ball_ == nullptr || directions != directions_) {
    ball_ = std::make_unique<Ball>(directions);
    directions_ = directions;
    angle_step_ = kPi / directions;
    const BallView ball = ball_->view();
    centre_stride_ = static_cast<std::size_t>(ball.directions) + kMostLanes;
    double* const centres = centres_.ensure(3 * centre_stride_);
    std::fill_n(centres, 3 * centre_stride_, 0.0);
    near_.clear();
    for (int i = 0; i < ball.directions; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        centres[axis * centre_stride_ + i] = ball.centres[3 * i + axis];
      }
      for (int down = -kReach; down <= kReach; ++down) {
        for (int theta = -kReach; theta <= kReach; ++theta) {
          near_.push_back(ball.turned(ball.moved(i, down), theta));
        }
      }
    }
    row_z_.clear();
    row_radius_.clear();
    for (int row = 0; row < ball.rows; ++row) {
      const double* centre = ball.centres + 3 * ball.starts[row];
      row_z_.push_back(centre[2]);
      row_radius_.push_back(std::sqrt(centre[0] * centre[0] + centre[1] * centre[1]));
    }
    cosines_.resize(centre_stride_);
  }
}

void VoteSpace::start(double farthest) {
  // With what votes reach beyond it.
  start_with(static_cast<int>(farthest / step_) + static_cast<int>(2.0 * kMostDistanceSteps) + 2);
}

void VoteSpace::start_with(int distances) {
  distances_ = distances;
  const std::size_t cells = static_cast<std::size_t>(ball_->view().directions) * distances_;
  if (cells > votes_.size()) {
    votes_.resize(cells);
    filtered_.resize(cells);
  }
}

void VoteSpace::vote(const Voter& voter) {
  const BallCells all = cells();
  const BallView& ball = all.ball;
  const Fit& fit = *voter.fit;
  const double tolerance = std::sqrt(voter.tolerance2);
  const VoteShape shape =
      vote_shape(tolerance / std::sqrt(fit.variance[1]), tolerance, angle_step_, step_);
  // Rows whose circle comes near enough; that is not exact, so a little more.
  const double radius = std::sqrt(fit.normal[0] * fit.normal[0] + fit.normal[1] * fit.normal[1]);
  int first_row = 0;
  int end_row = ball.rows;
  const auto near = [&](int row) {
    return row_z_[row] * fit.normal[2] + row_radius_[row] * radius >= shape.least_cosine - 1e-9;
  };
  while (first_row < end_row && !near(first_row)) ++first_row;
  while (end_row > first_row && !near(end_row - 1)) --end_row;
  const int first = ball.starts[first_row];
  const int end = ball.starts[end_row];
  HWY_DYNAMIC_DISPATCH(cosines)
  (centres_.data(), centre_stride_, fit.normal, first, end, cosines_.data());
  const double inverse_step = 1.0 / step_;
  const std::uint64_t weight = 16 * voter.weight;
  for (int direction = first; direction < end; ++direction) {
    const double cosine = cosines_[direction - first];
    if (!(cosine >= shape.least_cosine)) continue;
    const double angle = (1.0 - cosine) * shape.angle_factor;
    if (!(angle < kMostDeviation)) continue;  // and so is the deviation
    const double distance = dot(ball.centres + 3 * direction, fit.mean);
    // A cell more or less at the ends does not matter: what decides is how far off its centre is.
    const int low = static_cast<int>(std::floor((distance - shape.reach) * inverse_step));
    const int high = static_cast<int>(std::floor((distance + shape.reach) * inverse_step));
    for (int k = low; k <= high; ++k) {
      const double off = distance - (k + 0.5) * step_;
      if (std::abs(off) > shape.reach) continue;
      const double off_share = off * shape.distance_factor;
      const double deviation = angle + off_share * off_share;
      if (!(deviation < kMostDeviation)) continue;
      const auto share = static_cast<std::uint32_t>(
          (weight * kVoteShares[static_cast<int>(128.0 * deviation)]) >> 16);
      const std::int64_t cell = all.cell(direction, k);
      if (share == 0 || cell < 0) continue;
      if (votes_[cell] == 0) voted_.push_back(cell);
      votes_[cell] += share;
    }
  }
}

std::uint32_t VoteSpace::votes_at(int direction, int distance) const {
  const std::int64_t cell = cells().cell(direction, distance);
  return cell < 0 ? 0 : votes_[cell];
}

// A weighted mean, so 32 bits do.
std::uint32_t VoteSpace::filtered(int direction, int distance) const {
  const std::int32_t* const near = near_.data() + std::ptrdiff_t{kSide * kSide} * direction;
  constexpr int kMiddle = kSide * kReach + kReach;
  const std::uint64_t around =
      std::uint64_t{votes_at(direction, distance - 1)} + votes_at(direction, distance + 1) +
      votes_at(near[kMiddle - 1], distance) + votes_at(near[kMiddle + 1], distance) +
      votes_at(near[kMiddle - kSide], distance) + votes_at(near[kMiddle + kSide], distance);
  return static_cast<std::uint32_t>(
      (3 * std::uint64_t{votes_at(direction, distance)} + 2 * around) / 15);
}

bool VoteSpace::is_peak(std::int64_t own) const {
  const BallCells all = cells();
  const int direction = static_cast<int>(own / distances_);
  const int distance = static_cast<int>(own % distances_);
  const std::uint32_t value = filtered_[own];
  const std::int32_t* const near = near_.data() + std::ptrdiff_t{kSide * kSide} * direction;
  for (const int i : kFromTheMiddle) {
    for (const int off : {0, -1, 1, -2, 2}) {
      const std::int64_t cell = all.cell(near[i], distance + off);
      if (cell < 0 || cell == own) continue;
      if (filtered_[cell] > value || (filtered_[cell] == value && cell < own)) return false;
    }
  }
  return true;
}

void VoteSpace::take_peaks(std::uint64_t min_votes, std::vector<VotePeak>* peaks) {
  candidates_.clear();
  for (const std::int64_t cell : voted_) {
    const std::uint32_t value =
        filtered(static_cast<int>(cell / distances_), static_cast<int>(cell % distances_));
    if (value < min_votes) continue;
    filtered_[cell] = value + 1;
    candidates_.push_back(cell);
  }
  peaks->clear();
  for (const std::int64_t cell : candidates_) {
    if (!is_peak(cell)) continue;
    peaks->push_back({static_cast<int>(cell / distances_), static_cast<int>(cell % distances_),
                      filtered_[cell] - 1});
  }
  std::sort(peaks->begin(), peaks->end(), [](const VotePeak& a, const VotePeak& b) {
    return a.direction != b.direction ? a.direction < b.direction : a.distance < b.distance;
  });
  for (const std::int64_t cell : candidates_) filtered_[cell] = 0;
  for (const std::int64_t cell : voted_) votes_[cell] = 0;
  voted_.clear();
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
