// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/second_ball.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace rdp::test::second {

// The ball.

double sine(std::int64_t a, std::int64_t b) {
  a = a % (2 * b);
  if (a >= b) return -sine(a - b, b);
  if (2 * a > b) a = b - a;
  const double x = kPi * static_cast<double>(a) / static_cast<double>(b);
  double term = x;
  double sum = x;
  for (int i = 2; i <= 24; i += 2) {
    term = -term * x * x / static_cast<double>(i * (i + 1));
    sum = sum + term;
  }
  return sum;
}

double cosine(std::int64_t a, std::int64_t b) { return sine(2 * a + b, 2 * b); }

Ball::Ball(int directions) : rows_(directions) {
  const int p = rows_;
  for (int i = 0; i <= p; ++i) {
    const bool pole = i == 0 || i == p;
    const double around = std::floor(p * sine(i, p) + 0.5);
    const int n = pole ? 1 : 2 * std::max(1, static_cast<int>(around));
    first_.push_back(this->directions());
    counts_.push_back(n);
    for (int j = 0; j < n; ++j) {
      const double x = pole ? 0.0 : sine(i, p) * cosine(2 * j, n);
      const double y = pole ? 0.0 : sine(i, p) * sine(2 * j, n);
      places_.emplace_back(i, j);
      vectors_.push_back({x, y, cosine(i, p)});
    }
  }
}

int Ball::opposite(int d) const {
  const auto& [i, j] = places_[static_cast<std::size_t>(d)];
  return number(rows_ - i, (j + count(i) / 2) % count(i));
}

int Ball::turned(int d, int a) const {
  const auto& [i, j] = places_[static_cast<std::size_t>(d)];
  const int n = count(i);
  return number(i, ((j + a) % n + n) % n);
}

int Ball::moved(int d, int b) const {
  const auto& [i, j] = places_[static_cast<std::size_t>(d)];
  int row = i + b;
  int h = 0;
  if (row < 0) {
    row = -row;
    h = 1;
  } else if (row > rows_) {
    row = 2 * rows_ - row;
    h = 1;
  }
  const int n = count(i);
  const int m = count(row);
  return number(row, ((2 * j + h * n) * m + n) / (2 * n) % m);
}

BallCell Ball::cell(int d, int k) const {
  if (k < 0) return {opposite(d), -1 - k};
  return {d, k};
}

// Votes.

namespace {

// E: 65536 exp(-i / 256) to the nearest integer.
std::int64_t weight(int i) { return round_up(65536.0 * std::exp(-i / 256.0)); }

}  // namespace

Votes votes_of(const std::vector<Voter>& voters, const Ball& ball, double angle_step,
               double distance_step) {
  Votes votes;
  for (const Voter& voter : voters) {
    const Fit& f = voter.fit;
    const double t = std::sqrt(voter.t2);
    const double sa = at_least(t / std::sqrt(f.l2), 0.5 * angle_step);
    const double reach = at_most(2.0 * sa + 0.5 * angle_step, 0.35);
    const double sr = at_most(greater_of(0.6 * distance_step, t), 4.0 * distance_step);
    for (int d = 0; d < ball.directions(); ++d) {
      const Vector& c = ball.direction(d);
      if (!(dot(c, f.normal) >= 1.0 - 0.5 * reach * reach)) continue;
      const double angle = (1.0 - dot(c, f.normal)) * (2.0 / (sa * sa));
      // Shares are 0 beyond 8 steps from the middle (sr is at most 4).
      const int middle = static_cast<int>(std::floor(dot(c, f.mean) / distance_step));
      for (int k = middle - 10; k <= middle + 10; ++k) {
        const double share = (dot(c, f.mean) - (k + 0.5) * distance_step) * (1.0 / sr);
        const double deviation = angle + share * share;
        if (!(deviation < 3.0)) continue;
        votes[ball.cell(d, k)] +=
            (16 * voter.sums.n * weight(static_cast<int>(128.0 * deviation))) >> 16;
      }
    }
  }
  return votes;
}

// Peaks.

std::vector<Peak> peaks_of(const Votes& votes, const Ball& ball, std::int64_t least_votes) {
  const auto votes_at = [&](int d, int k) {
    const auto found = votes.find(ball.cell(d, k));
    return found == votes.end() ? 0 : found->second;
  };
  Votes values;
  for (const auto& [cell, own] : votes) {
    const auto& [d, k] = cell;
    const std::int64_t six = votes_at(d, k - 1) + votes_at(d, k + 1) +
                             votes_at(ball.turned(d, -1), k) + votes_at(ball.turned(d, 1), k) +
                             votes_at(ball.moved(d, -1), k) + votes_at(ball.moved(d, 1), k);
    values[cell] = (3 * own + 2 * six) / 15;
  }
  std::vector<Peak> peaks;
  for (const auto& [cell, value] : values) {
    if (value < least_votes) continue;
    bool highest = true;
    for (int b = -2; b <= 2; ++b) {
      for (int a = -2; a <= 2; ++a) {
        const int d = ball.turned(ball.moved(cell.first, b), a);
        for (int k = cell.second - 2; k <= cell.second + 2; ++k) {
          const auto other = values.find(ball.cell(d, k));
          if (other == values.end() || other->first == cell) continue;
          if (other->second > value || (other->second == value && other->first < cell)) {
            highest = false;
          }
        }
      }
    }
    if (highest) peaks.push_back({cell, value});
  }
  return peaks;
}

// Planes of the peaks, steps 1 and 2.

std::vector<PeakPlane> planes_of_peaks(const std::vector<Voter>& voters,
                                       const std::vector<Peak>& peaks, const Ball& ball,
                                       double angle_step, double distance_step,
                                       std::int64_t least_inliers,
                                       const std::function<double(double, double)>& limit_of) {
  std::vector<std::vector<const Voter*>> of_peak(peaks.size());
  for (const Voter& voter : voters) {
    const Fit& f = voter.fit;
    std::size_t nearest = peaks.size();
    double least = 0.0;
    for (std::size_t p = 0; p < peaks.size(); ++p) {
      const Vector& c = ball.direction(peaks[p].cell.first);
      const double r = (peaks[p].cell.second + 0.5) * distance_step;
      const double u = at_most(2.0 * std::sqrt(voter.t2 / f.l2), 0.35);
      const double lim = 3.0 * angle_step + u;
      const double a = 2.0 * (1.0 - dot(c, f.normal)) / (lim * lim);
      const double o = (dot(c, f.mean) - r) / (2.5 * distance_step);
      const double near = greater_of(a, o * o);
      if (nearest != peaks.size() && !(near < least)) continue;
      nearest = p;
      least = near;
    }
    if (nearest != peaks.size() && least <= 1.0) of_peak[nearest].push_back(&voter);
  }

  std::vector<PeakPlane> planes;
  for (std::size_t p = 0; p < peaks.size(); ++p) {
    std::int64_t pixels = 0;
    const Voter* largest = nullptr;
    for (const Voter* voter : of_peak[p]) {
      pixels += voter->sums.n;
      if (largest == nullptr || voter->sums.n > largest->sums.n) largest = voter;
    }
    if (largest == nullptr || pixels < least_inliers / 2) continue;
    Fit fit = largest->fit;
    for (const double k : {4.0, 2.0, 1.0}) {
      Sums sums;
      for (const Voter* voter : of_peak[p]) {
        if (voter == largest || distance2(voter->statistics, fit) <= limit_of(k, voter->t2)) {
          sums.add(voter->sums);
        }
      }
      fit = fit_of(sums);
    }
    planes.push_back({fit, peaks[p].votes});
  }
  return planes;
}

bool same_direction(const Fit& voter, double t2, const Fit& plane) {
  const double a = at_most(0.1 + 2.0 * std::sqrt(t2 / voter.l2), 0.6);
  return std::abs(dot(voter.normal, plane.normal)) >= 1.0 - 0.5 * a * a;
}

}  // namespace rdp::test::second
