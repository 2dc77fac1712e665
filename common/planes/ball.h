// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_BALL_H_
#define RDP_COMMON_PLANES_BALL_H_

#include <cstdint>
#include <vector>

#include "common/host_device.h"

// The accumulator of the Hough votes for planes: the ball of D. Borrmann, J. Elseberg, K. Lingemann
// and A. Nuechter, "The 3D Hough Transform for plane detection in point clouds", 3D Research 2011.
// Its cells are nearly evenly spaced directions times distances from the origin.
namespace rdp::planes {

// The directions, in rows of equal angle from the pole (0, 0, 1) to (0, 0, -1). Each pole is a row
// of one direction; `rows` - 2 rows lie between them. The latter have an even number of directions,
// so the opposite of each direction is one, too. Kernels receive views by value.
struct BallView {
  int rows = 0;                     // P + 1
  int directions = 0;               // of all rows
  const int* starts = nullptr;      // first direction of each row, and `directions`
  const double* centres = nullptr;  // x, y, z of each direction; length 1
  const int* row_of = nullptr;      // of each direction

  RDP_HOST_DEVICE int count(int row) const { return starts[row + 1] - starts[row]; }

  RDP_HOST_DEVICE int opposite(int direction) const {
    const int row = row_of[direction];
    const int n = count(row);
    int j = direction - starts[row] + n / 2;
    if (j >= n) j -= n;
    return starts[rows - 1 - row] + j;
  }

  // The direction `theta` steps further in its row.
  RDP_HOST_DEVICE int turned(int direction, int theta) const {
    const int row = row_of[direction];
    const int n = count(row);
    int j = (direction - starts[row] + theta) % n;
    if (j < 0) j += n;
    return starts[row] + j;
  }

  // The direction `down` rows further at the same share of the turn, to the nearest, the upper of
  // two; beyond a pole half a turn away.
  RDP_HOST_DEVICE int moved(int direction, int down) const {
    const int row = row_of[direction];
    const int n = count(row);
    int j = direction - starts[row];
    int other = row + down;
    int half_turns = 0;
    if (other < 0) {
      other = -other;
      half_turns = 1;
    } else if (other >= rows) {
      other = 2 * (rows - 1) - other;
      half_turns = 1;
    }
    const int m = count(other);
    // (j / n + half_turns / 2) m, rounded.
    j = ((2 * j + half_turns * n) * m + n) / (2 * n);
    return starts[other] + j % m;
  }
};

// The tables of a ball of P = `directions` steps from pole to pole.
class Ball {
 public:
  // Throws std::invalid_argument unless there are kFewestDirections to kMaxDirections.
  explicit Ball(int directions);
  BallView view() const {
    return {static_cast<int>(starts_.size()) - 1, starts_.back(), starts_.data(), centres_.data(),
            row_of_.data()};
  }

 private:
  std::vector<int> starts_;
  std::vector<double> centres_;
  std::vector<int> row_of_;
};

// Cells of the accumulator: index = direction * distances + distance. A plane seen from the other
// side has a distance below 0: it is the cell -1 - distance of the opposite direction.
struct BallCells {
  BallView ball;
  int distances = 0;
  double step = 0.0;  // of the distance, in the unit of the points

  RDP_HOST_DEVICE std::int64_t count() const {
    return static_cast<std::int64_t>(ball.directions) * distances;
  }
  // -1: there is no such cell.
  RDP_HOST_DEVICE std::int64_t cell(int direction, int distance) const {
    if (distance < 0) {
      direction = ball.opposite(direction);
      distance = -1 - distance;
    }
    return distance < distances ? static_cast<std::int64_t>(direction) * distances + distance : -1;
  }
  RDP_HOST_DEVICE double centre_distance(int distance) const { return (distance + 0.5) * step; }
};

// exp(-i / 256) * 65536, rounded, for i below 384, which is 128 * kMaxDeviation.
extern const std::uint32_t kVoteShares[384];

// The vote of a node of `weight` pixels or points for a cell, in sixteenths. `deviation` is the sum
// of squared deviations from the node's plane over their variances, below kMaxDeviation.
RDP_HOST_DEVICE inline std::uint64_t vote(std::uint64_t weight, double deviation,
                                          const std::uint32_t* shares) {
  return (16 * weight * shares[static_cast<int>(128.0 * deviation)]) >> 16;
}

constexpr double kMaxDeviation = 3.0;      // of a vote, squared: further away it adds little
constexpr double kWidestVote = 0.35;       // rad
constexpr double kMaxDistanceSteps = 4.0;  // maximum of sr below

// A node votes for the directions c with c . normal >= `least_cosine`, at the distances within
// `reach` of c . mean. The deviation of a vote must be below kMaxDeviation; it is
// (1 - c . normal) * angle_factor + ((c . mean - distance) * distance_factor)^2.
// The factors are 2 / sa^2 and 1 / sr; sa and sr are the node's uncertainties of direction and
// distance.
struct VoteShape {
  double least_cosine;
  double angle_factor;
  double distance_factor;
  double reach;
};

// tolerance_over_width: the node's tolerance over the root of its second variance; angle_step: pi
// over the number of directions.
RDP_HOST_DEVICE inline VoteShape vote_shape(double tolerance_over_width, double tolerance,
                                            double angle_step, double distance_step) {
  double sa = tolerance_over_width;
  if (sa < 0.5 * angle_step) sa = 0.5 * angle_step;
  double reach = 2.0 * sa + 0.5 * angle_step;
  if (reach > kWidestVote) reach = kWidestVote;
  double sr = 0.6 * distance_step;
  if (tolerance > sr) sr = tolerance;
  if (sr > kMaxDistanceSteps * distance_step) sr = kMaxDistanceSteps * distance_step;
  return {1.0 - 0.5 * reach * reach, 2.0 / (sa * sa), 1.0 / sr, 2.0 * sr};
}

constexpr double kPi = 3.14159265358979323846;

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_BALL_H_
