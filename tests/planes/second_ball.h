// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_BALL_H_
#define RDP_TESTS_PLANES_SECOND_BALL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "tests/planes/second_numbers.h"

// The sections "The ball", "Votes" and "Peaks" of docs/internals/planes-definition.md, and the
// first two steps of "Planes of the peaks". This is the part common to frames and point clouds.
namespace rdp::test::second {

double sine(std::int64_t a, std::int64_t b);
double cosine(std::int64_t a, std::int64_t b);

// A cell as (direction, distance); pairs compare in the page's order of cells.
using BallCell = std::pair<int, int>;

class Ball {
 public:
  explicit Ball(int directions);

  int directions() const { return static_cast<int>(places_.size()); }
  const Vector& direction(int d) const { return vectors_[static_cast<std::size_t>(d)]; }
  int opposite(int d) const;
  int turned(int d, int a) const;
  int moved(int d, int b) const;
  // "Cell (d, k)" where k may be below 0.
  BallCell cell(int d, int k) const;

 private:
  int number(int row, int j) const { return first_[static_cast<std::size_t>(row)] + j; }
  int count(int row) const { return counts_[static_cast<std::size_t>(row)]; }

  int rows_;                                 // P: rows are 0 to P
  std::vector<int> counts_;                  // n_i
  std::vector<int> first_;                   // the number of the first direction of each row
  std::vector<std::pair<int, int>> places_;  // row and j
  std::vector<Vector> vectors_;
};

// A flat node that votes.
struct Voter {
  Sums sums;
  Statistics statistics;
  Fit fit;
  double t2 = 0.0;
};

using Votes = std::map<BallCell, std::int64_t>;
Votes votes_of(const std::vector<Voter>& voters, const Ball& ball, double angle_step,
               double distance_step);

struct Peak {
  BallCell cell;
  std::int64_t votes = 0;
};
std::vector<Peak> peaks_of(const Votes& votes, const Ball& ball, std::int64_t least_votes);

// A plane of a peak.
struct PeakPlane {
  Fit fit;
  std::int64_t votes = 0;
};
// `limit_of(K, t2)`: maximum d2 of the voters of a fit.
std::vector<PeakPlane> planes_of_peaks(const std::vector<Voter>& voters,
                                       const std::vector<Peak>& peaks, const Ball& ball,
                                       double angle_step, double distance_step,
                                       std::int64_t least_inliers,
                                       const std::function<double(double, double)>& limit_of);

// True if the voter's direction is close enough to the plane's for the voter to join it.
bool same_direction(const Fit& voter, double t2, const Fit& plane);

}  // namespace rdp::test::second

#endif  // RDP_TESTS_PLANES_SECOND_BALL_H_
