// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_VOTE_SPACE_H_
#define RDP_COMMON_PLANES_VOTE_SPACE_H_

#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/planes/ball.h"
#include "common/planes/eigen.h"

namespace rdp::planes {

// A node that votes.
struct Voter {
  const Fit* fit = nullptr;
  double tolerance2 = 0.0;  // T^2
  std::uint64_t weight = 0;
};

struct VotePeak {
  int direction = 0;
  int distance = 0;
  std::uint64_t votes = 0;
};

// The votes of a node for one direction, for the distances `low` to `high`. angle: deviation of the
// direction from the node's normal, over the variance; distance: of the node's middle along it.
struct Ballot {
  int direction, low, high;
  double angle, distance;
};

// The range of a direction's distances that may have votes.
struct Reached {
  int low = INT_MAX;
  int end = 0;

  void add(int first, int last) {
    low = first < low ? first : low;
    end = last >= end ? last + 1 : end;
  }
};

// Tables shared by the votes of all nodes.
struct VoteTables {
  const double* centres;  // x of all directions, after `stride` numbers y, then z
  std::size_t stride;
  const double* middles;  // of the distances
  int distances;
  double inverse_step;
  const std::int32_t* shares;  // kVoteShares, followed by 0 for larger deviations
  std::uint32_t* votes;
  Reached* reached;  // of each direction
};

// The ball and its votes: does what reference::vote() and find_peaks() do, at the cost of only the
// directions with votes. Allocates only for another or larger ball. Memory is as small as the
// points allow, because votes go all over it and caches are small.
class VoteSpace {
 public:
  void prepare(int directions, double distance_step);
  // For votes of points up to `farthest` from the origin, in units; or with so many distances.
  void start(double farthest);
  void start_with(int distances);
  BallCells cells() const { return {ball_->view(), distances_, step_}; }

  void vote(const Voter& voter);
  // Finds the peaks of at least `min_votes`, sorted by direction and distance, and removes all
  // votes.
  void take_peaks(std::uint64_t min_votes, std::vector<VotePeak>* peaks);

 private:
  void vote_beyond(const Ballot& ballot, const VoteShape& shape, std::uint64_t weight);
  std::uint32_t filtered(int direction, int distance) const;
  bool is_peak(std::int64_t cell) const;
  // Removes all votes, including those left by an exception.
  void clear();
  std::uint32_t votes_at(int direction, int distance) const;
  // The votes of all cells.
  std::uint32_t* votes() { return votes_.data() + kSlack; }
  const std::uint32_t* votes() const { return votes_.data() + kSlack; }

  static constexpr std::size_t kSlack = 64;  // numbers before and after, for SIMD accesses

  std::unique_ptr<Ball> ball_;
  int directions_ = 0;
  int distances_ = 0;
  double step_ = 0.0;
  double angle_step_ = 0.0;
  GrowBuffer<double> centres_;  // x of all directions, then y, then z
  std::size_t centre_stride_ = 0;
  std::vector<std::int32_t> near_;          // 25 of each direction: rows and thetas from -2 to 2
  std::vector<double> row_z_, row_radius_;  // of each row's circle
  std::vector<double> middles_;             // of the distances
  double step_of_middles_ = 0.0;
  std::vector<std::int32_t> shares_;
  std::vector<std::uint32_t> votes_;  // all 0 between uses
  std::vector<Reached> reached_;
  std::vector<Ballot> ballots_;
  std::vector<std::int32_t> strong_;
  // One more than the low-pass result of cells that may be a peak; 0 for all others.
  std::vector<std::uint32_t> filtered_;
  std::vector<std::int64_t> candidates_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_VOTE_SPACE_H_
