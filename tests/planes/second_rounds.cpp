// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/second_rounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace rdp::test::second {
namespace {

FoundPlane& plane_of(std::vector<FoundPlane>& planes, int number) {
  return planes[static_cast<std::size_t>(number)];
}

// Rounds: voters.
std::vector<const Node*> voters_of(const Look& look, const std::vector<int>& owners, int round) {
  std::vector<const Node*> voters;
  for (const Node& node : look.flat) {
    std::size_t owned = 0;
    for (const std::size_t cell : node.cells) owned += owners[cell] != kNone ? 1U : 0U;
    if (!(2 * owned < node.cells.size())) continue;
    if (node.level == 0 && (round == 0 || !(node.t2 < 0.09 * node.fit.l2))) continue;
    voters.push_back(&node);
  }
  return voters;
}

// Planes of the peaks, steps 3 and 4. False: no plane is kept.
bool keep_planes(const std::vector<const Node*>& voters, const std::vector<PeakPlane>& candidates,
                 const Rules& rules, std::vector<FoundPlane>* planes, std::vector<int>* owners) {
  std::vector<std::vector<const Node*>> of_plane(candidates.size());
  for (const Node* voter : voters) {
    std::size_t nearest = candidates.size();
    double least = 0.0;
    for (std::size_t p = 0; p < candidates.size(); ++p) {
      const double d2 = distance2(voter->statistics, candidates[p].fit);
      if (!(d2 <= voter->t2) || !same_direction(voter->fit, voter->t2, candidates[p].fit)) continue;
      if (nearest != candidates.size() && !(d2 < least)) continue;
      nearest = p;
      least = d2;
    }
    if (nearest != candidates.size()) of_plane[nearest].push_back(voter);
  }
  bool any = false;
  for (std::size_t p = 0; p < candidates.size(); ++p) {
    std::int64_t pixels = 0;
    for (const Node* voter : of_plane[p]) pixels += voter->sums.n;
    if (of_plane[p].empty() || pixels < rules.least_inliers / 2) continue;
    const int number = static_cast<int>(planes->size());
    planes->push_back({{}, candidates[p].fit, candidates[p].votes});
    for (const Node* voter : of_plane[p]) {
      for (const std::size_t cell : voter->cells) {
        if ((*owners)[cell] == kNone) (*owners)[cell] = number;
      }
    }
    any = true;
  }
  return any;
}

// Split, without the refit.
void split(const Frame& frame, std::vector<FoundPlane>* planes, std::vector<int>* owners) {
  const std::vector<int> before = *owners;
  std::vector<FoundPlane> parts;
  owners->assign(before.size(), kNone);
  for (std::size_t first = 0; first < before.size(); ++first) {
    if (before[first] == kNone || (*owners)[first] != kNone) continue;
    const int number = static_cast<int>(parts.size());
    parts.push_back({{}, {}, plane_of(*planes, before[first]).votes});
    (*owners)[first] = number;
    std::vector<std::size_t> open = {first};
    while (!open.empty()) {
      const int column = static_cast<int>(open.back() % static_cast<std::size_t>(frame.columns));
      const int row = static_cast<int>(open.back() / static_cast<std::size_t>(frame.columns));
      open.pop_back();
      for (int r = std::max(0, row - 2); r <= std::min(frame.rows - 1, row + 2); ++r) {
        for (int c = std::max(0, column - 2); c <= std::min(frame.columns - 1, column + 2); ++c) {
          const std::size_t other = frame.cell(c, r);
          if (before[other] != before[first] || (*owners)[other] != kNone) continue;
          (*owners)[other] = number;
          open.push_back(other);
        }
      }
    }
  }
  *planes = parts;
}

void refit(const Look& look, const Rules& rules, std::vector<FoundPlane>* planes,
           std::vector<int>* owners) {
  for (FoundPlane& plane : *planes) plane.sums = {};
  for (std::size_t cell = 0; cell < owners->size(); ++cell) {
    if ((*owners)[cell] != kNone) plane_of(*planes, (*owners)[cell]).sums.add(look.cells[cell]);
  }
  std::vector<FoundPlane> kept;
  std::vector<int> numbers;
  for (const FoundPlane& plane : *planes) {
    const bool goes = plane.sums.n < rules.least_part || plane.sums.n == 0;
    numbers.push_back(goes ? kNone : static_cast<int>(kept.size()));
    if (!goes) kept.push_back({plane.sums, fit_of(plane.sums), plane.votes});
  }
  for (int& owner : *owners) {
    if (owner != kNone) owner = numbers[static_cast<std::size_t>(owner)];
  }
  *planes = kept;
}

// Growth, without the refit.
void grow(const Frame& frame, const Look& look, const Rules& rules,
          const std::vector<FoundPlane>& planes, std::vector<int>* owners) {
  for (int pass = 0; pass < 10; ++pass) {
    const std::vector<int> before = *owners;
    for (int row = 0; row < frame.rows; ++row) {
      for (int column = 0; column < frame.columns; ++column) {
        const std::size_t cell = frame.cell(column, row);
        if (look.cells[cell].n < 16) continue;
        std::vector<int> choice = {before[cell]};
        if (row > 0) choice.push_back(before[frame.cell(column, row - 1)]);
        if (column > 0) choice.push_back(before[frame.cell(column - 1, row)]);
        if (column < frame.columns - 1) choice.push_back(before[frame.cell(column + 1, row)]);
        if (row < frame.rows - 1) choice.push_back(before[frame.cell(column, row + 1)]);
        std::sort(choice.begin(), choice.end());
        const Statistics own = statistics_of(look.cells[cell]);
        int nearest = kNone;
        double least = 0.0;
        for (const int number : choice) {
          if (number == kNone) continue;
          const Fit& fit = planes[static_cast<std::size_t>(number)].fit;
          const double d2 = distance2(own, fit);
          if (!(d2 <= rules.t2(own.mean[2], between(own.mean, fit.mean)))) continue;
          if (nearest != kNone && !(d2 < least)) continue;
          nearest = number;
          least = d2;
        }
        if (nearest != kNone) (*owners)[cell] = nearest;
      }
    }
    if (*owners == before) break;
  }
}

}  // namespace

void go_rounds(const Frame& frame, const Look& look, const Rules& rules, int rounds,
               std::vector<FoundPlane>* planes, std::vector<int>* owners, planes::Counts* counts) {
  planes->clear();
  owners->assign(frame.cells(), kNone);
  const Ball ball(rules.directions);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<const Node*> nodes = voters_of(look, *owners, round);
    if (nodes.empty()) break;
    counts->voters += static_cast<std::int64_t>(nodes.size());
    std::vector<Voter> voters;
    for (const Node* node : nodes) voters.push_back(*node);
    const Votes votes = votes_of(voters, ball, rules.angle_step, rules.distance_step);
    const std::vector<Peak> peaks = peaks_of(votes, ball, rules.least_votes);
    counts->peaks += static_cast<std::int64_t>(peaks.size());
    const std::vector<PeakPlane> candidates =
        planes_of_peaks(voters, peaks, ball, rules.angle_step, rules.distance_step,
                        rules.least_inliers, [](double k, double t2) { return k * k * t2; });
    if (!keep_planes(nodes, candidates, rules, planes, owners)) break;
    split(frame, planes, owners);
    refit(look, rules, planes, owners);
    grow(frame, look, rules, *planes, owners);
    refit(look, rules, planes, owners);
  }
}

}  // namespace rdp::test::second
