// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/vote_space.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/vote_space.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/planes/limits.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::planes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using D32 = hn::Rebind<std::int32_t, D>;
using DU32 = hn::Rebind<std::uint32_t, D>;

// dot() of `vector` and the directions from `first`.
HWY_INLINE hn::Vec<D> along(const VoteTables& tables, const double* vector, int first) {
  const D d;
  const double* const at = tables.centres + first;
  const auto x = hn::Mul(hn::LoadU(d, at), hn::Set(d, vector[0]));
  const auto y = hn::Mul(hn::LoadU(d, at + tables.stride), hn::Set(d, vector[1]));
  const auto z = hn::Mul(hn::LoadU(d, at + 2 * tables.stride), hn::Set(d, vector[2]));
  return hn::Add(hn::Add(x, y), z);
}

// Adds the votes of one direction for `count` distances, and 0 to as much as a vector more.
HWY_INLINE void add_votes(const VoteTables& tables, const Ballot& ballot, int count,
                          double distance_factor, double weight) {
  const D d;
  const D32 d32;
  const DU32 du32;
  const double* const middles = tables.middles + ballot.low;
  std::uint32_t* const votes =
      tables.votes + std::ptrdiff_t{ballot.direction} * tables.distances + ballot.low;
  for (int k = 0; k < count; k += static_cast<int>(hn::Lanes(d))) {
    const auto off = hn::Sub(hn::Set(d, ballot.distance), hn::LoadU(d, middles + k));
    const auto share = hn::Mul(off, hn::Set(d, distance_factor));
    const auto deviation = hn::Add(hn::Set(d, ballot.angle), hn::Mul(share, share));
    const auto index =
        hn::Min(hn::Mul(deviation, hn::Set(d, 128.0)), hn::Set(d, 128.0 * kMaxDeviation));
    const auto of_weight = hn::GatherIndex(d32, tables.shares, hn::DemoteTo(d32, index));
    // Exact, and truncated as an integer shift does.
    const auto more = hn::DemoteTo(d32, hn::Mul(hn::PromoteTo(d, of_weight), hn::Set(d, weight)));
    hn::StoreU(hn::Add(hn::LoadU(du32, votes + k), hn::BitCast(du32, more)), du32, votes + k);
  }
}

// Adds the votes of a node for the directions [first, end). Ballots that reach beyond the distances
// are not counted but appended to `ballots`, which has room for all directions. Returns their
// number.
int vote(const VoteTables& tables, const Fit& fit, const VoteShape& shape, std::uint64_t weight,
         int first, int end, Ballot* ballots) {
  int left = 0;
  const auto look = [&](int direction, double cosine, double distance) HWY_ATTR {
    const double angle = (1.0 - cosine) * shape.angle_factor;
    if (!(angle < kMaxDeviation)) return;  // so the deviation is too large
    // A margin on the distances with a small enough deviation.
    const double half = std::sqrt(kMaxDeviation - angle) * (0.5 * shape.reach);
    const double from = (distance - half) * tables.inverse_step - 0.500001;
    const double to = (distance + half) * tables.inverse_step - 0.499999;
    const Ballot ballot{direction, static_cast<int>(std::floor(from)),
                        static_cast<int>(std::floor(to)), angle, distance};
    // The votes of a cell, at most 16 times the points of a node, have to fit 31 bits.
    static_assert(kMaxCloudBits < 27);
    if (ballot.low >= 0 && ballot.high < tables.distances) {
      tables.reached[direction].add(ballot.low, ballot.high);
      add_votes(tables, ballot, ballot.high - ballot.low + 1, shape.distance_factor,
                static_cast<double>(16 * weight) / 65536.0);
      return;
    }
    ballots[left++] = ballot;
  };
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto least = hn::Set(d, shape.least_cosine);
  for (int i = first; i < end; i += lanes) {
    const auto cosine = along(tables, fit.normal, i);
    if (hn::AllFalse(d, hn::Ge(cosine, least))) continue;
    double cosines[8];
    double distances[8];
    hn::StoreU(cosine, d, cosines);
    hn::StoreU(along(tables, fit.mean, i), d, distances);
    for (int lane = 0; lane < lanes && i + lane < end; ++lane) {
      if (cosines[lane] >= shape.least_cosine) look(i + lane, cosines[lane], distances[lane]);
    }
  }
  return left;
}

// Finds, among the distances [first, end) of a direction, cells that may have as many votes as a
// peak: their own three times and those of the six neighbours, all of them by 16, reach `least`.
int strong_cells(const std::uint32_t* own, const std::uint32_t* const beside[4], int first, int end,
                 std::uint32_t least, std::int32_t* cells) {
  const hn::ScalableTag<std::uint32_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int count = 0;
  for (int k = first; k < end; k += lanes) {
    const auto votes = [&](const std::uint32_t* from)
                           HWY_ATTR { return hn::ShiftRight<4>(hn::LoadU(d, from + k)); };
    const auto middle = votes(own);
    auto around = hn::Add(votes(own - 1), votes(own + 1));
    for (int i = 0; i < 4; ++i) around = hn::Add(around, votes(beside[i]));
    const auto sum = hn::Add(hn::Add(middle, hn::Add(middle, middle)), hn::Add(around, around));
    if (hn::AllTrue(d, hn::Lt(sum, hn::Set(d, least)))) continue;
    HWY_ALIGN std::uint32_t sums[hn::MaxLanes(d)];
    hn::Store(sum, d, sums);
    for (int lane = 0; lane < lanes && k + lane < end; ++lane) {
      if (sums[lane] >= least) cells[count++] = k + lane;
    }
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(vote);
HWY_EXPORT(strong_cells);

namespace {
constexpr int kReach = 2;  // of a peak, in cells
constexpr int kSide = 2 * kReach + 1;
// Indices of near_, the nearest first: those reject most candidates.
constexpr int kFromTheMiddle[kSide * kSide] = {12, 11, 13, 7, 17, 6,  8,  16, 18, 10, 14, 2, 22,
                                               1,  3,  5,  9, 15, 19, 21, 23, 0,  4,  20, 24};
}  // namespace

void VoteSpace::prepare(int directions, double distance_step) {
  step_ = distance_step;
  if (ball_ == nullptr || directions != directions_) {
    clear();
    directions_ = 0;  // until all is built: each step may throw std::bad_alloc
    ball_ = std::make_unique<Ball>(directions);
    angle_step_ = kPi / directions;
    const BallView ball = ball_->view();
    centre_stride_ = static_cast<std::size_t>(ball.directions) + kSlack;
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
    ballots_.resize(static_cast<std::size_t>(ball.directions));
    reached_.assign(static_cast<std::size_t>(ball.directions), Reached());
    shares_.assign(kVoteShares, std::end(kVoteShares));
    shares_.push_back(0);
    directions_ = directions;
  }
}

void VoteSpace::start(double farthest) {
  // Includes the votes that reach beyond it.
  start_with(static_cast<int>(farthest / step_) + static_cast<int>(2.0 * kMaxDistanceSteps) + 2);
}

void VoteSpace::start_with(int distances) {
  clear();
  distances_ = distances;
  // Vectors reach beyond its ends, but nothing of that counts.
  const std::size_t count = static_cast<std::size_t>(ball_->view().directions) * distances_;
  if (count + 2 * kSlack > votes_.size()) votes_.resize(count + 2 * kSlack);
  if (count > filtered_.size()) filtered_.resize(count);
  const std::size_t middles = static_cast<std::size_t>(distances_) + kSlack;
  if (middles > strong_.size()) strong_.resize(middles);
  if (middles > middles_.size() || step_ != step_of_middles_) {
    middles_.resize(std::max(middles, middles_.size()));
    for (std::size_t k = 0; k < middles_.size(); ++k) {
      middles_[k] = (static_cast<double>(k) + 0.5) * step_;
    }
    step_of_middles_ = step_;
  }
}

void VoteSpace::vote(const Voter& voter) {
  const BallView ball = ball_->view();
  const Fit& fit = *voter.fit;
  const double tolerance = std::sqrt(voter.tolerance2);
  const VoteShape shape =
      vote_shape(tolerance / std::sqrt(fit.variance[1]), tolerance, angle_step_, step_);
  // Rows whose circle comes near enough, with a margin for rounding.
  const double radius = std::sqrt(fit.normal[0] * fit.normal[0] + fit.normal[1] * fit.normal[1]);
  int first_row = 0;
  int end_row = ball.rows;
  const auto near = [&](int row) {
    return row_z_[row] * fit.normal[2] + row_radius_[row] * radius >= shape.least_cosine - 1e-9;
  };
  while (first_row < end_row && !near(first_row)) ++first_row;
  while (end_row > first_row && !near(end_row - 1)) --end_row;
  const VoteTables tables{centres_.data(), centre_stride_, middles_.data(), distances_,
                          1.0 / step_,     shares_.data(), votes(),         reached_.data()};
  const int left =
      HWY_DYNAMIC_DISPATCH(vote)(tables, fit, shape, voter.weight, ball.starts[first_row],
                                 ball.starts[end_row], ballots_.data());
  for (int i = 0; i < left; ++i) vote_beyond(ballots_[i], shape, voter.weight);
}

void VoteSpace::vote_beyond(const Ballot& ballot, const VoteShape& shape, std::uint64_t weight) {
  const BallCells all = cells();
  for (int k = ballot.low; k <= ballot.high; ++k) {
    const double share = (ballot.distance - all.centre_distance(k)) * shape.distance_factor;
    const double deviation = ballot.angle + share * share;
    if (!(deviation < kMaxDeviation)) continue;
    const std::int64_t cell = all.cell(ballot.direction, k);
    if (cell < 0) continue;
    votes()[cell] += static_cast<std::uint32_t>(planes::vote(weight, deviation, kVoteShares));
    const int distance = static_cast<int>(cell % distances_);
    reached_[cell / distances_].add(distance, distance);
  }
}

std::uint32_t VoteSpace::votes_at(int direction, int distance) const {
  const std::int64_t cell = cells().cell(direction, distance);
  return cell < 0 ? 0 : votes()[cell];
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
  constexpr int kMiddle = kSide * kReach + kReach;
  // 15/16 of `min_votes`, less the rounding losses of the seven shifted votes.
  const std::uint64_t sum = std::min(min_votes, std::uint64_t{UINT32_MAX}) * 15 / 16;
  const auto least = static_cast<std::uint32_t>(
      std::min(sum < 15 ? std::uint64_t{0} : sum - 15, std::uint64_t{UINT32_MAX}));
  const auto directions = static_cast<int>(reached_.size());
  for (int direction = 0; direction < directions; ++direction) {
    const Reached& reached = reached_[direction];
    if (reached.end == 0) continue;
    const auto row = [&](int of) { return votes() + std::ptrdiff_t{of} * distances_; };
    const std::int32_t* const near = near_.data() + std::ptrdiff_t{kSide * kSide} * direction;
    const std::uint32_t* const own = row(direction);
    const std::uint32_t* const beside[4] = {row(near[kMiddle - 1]), row(near[kMiddle + 1]),
                                            row(near[kMiddle - kSide]), row(near[kMiddle + kSide])};
    const auto look = [&](int distance) {
      if (own[distance] == 0) return;
      const std::uint32_t value = filtered(direction, distance);
      if (value < min_votes) return;
      const std::int64_t cell = std::int64_t{direction} * distances_ + distance;
      candidates_.push_back(cell);
      filtered_[cell] = value + 1;
    };
    // The first and the last distance have neighbours elsewhere.
    const int first = std::max(reached.low, 1);
    const int end = std::min(reached.end, distances_ - 1);
    if (reached.low == 0) look(0);
    const int strong =
        HWY_DYNAMIC_DISPATCH(strong_cells)(own, beside, first, end, least, strong_.data());
    for (int i = 0; i < strong; ++i) look(strong_[i]);
    if (reached.end == distances_ && distances_ > 1) look(distances_ - 1);
  }
  peaks->clear();
  for (const std::int64_t cell : candidates_) {
    if (!is_peak(cell)) continue;
    peaks->push_back({static_cast<int>(cell / distances_), static_cast<int>(cell % distances_),
                      filtered_[cell] - 1});
  }
  clear();
}

void VoteSpace::clear() {
  for (const std::int64_t cell : candidates_) filtered_[cell] = 0;
  candidates_.clear();
  for (std::size_t direction = 0; direction < reached_.size(); ++direction) {
    Reached& reached = reached_[direction];
    if (reached.end == 0) continue;
    std::fill_n(votes() + direction * distances_ + reached.low, reached.end - reached.low, 0u);
    reached = Reached();
  }
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
