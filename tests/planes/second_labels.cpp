// SPDX-License-Identifier: LGPL-2.1-or-later
// The sections "Merging" and "Labels of pixels".
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "tests/planes/second_passes.h"
#include "tests/planes/second_rounds.h"

namespace rdp::test::second {

// Merging.

namespace {

struct Border {
  std::int64_t steps = 0;
  std::int64_t allowed = 0;
};
using Borders = std::map<std::pair<int, int>, Border>;

// A cell of the frame or of the remaining pixels.
struct Side {
  int owner;
  const Sums* sums;
};

void add_pair(const Rules& rules, const std::vector<FoundPlane>& planes, Side one, Side other,
              Borders* borders) {
  if (one.owner == kNone || other.owner == kNone || one.owner == other.owner) return;
  if (one.sums->n == 0 || other.sums->n == 0) return;
  if (one.owner > other.owner) std::swap(one, other);
  const Fit& p = planes[static_cast<std::size_t>(one.owner)].fit;
  const Fit& q = planes[static_cast<std::size_t>(other.owner)].fit;
  const Vector mp = statistics_of(*one.sums).mean;
  const Vector mq = statistics_of(*other.sums).mean;
  const double sign = dot(p.normal, q.normal) < 0.0 ? -1.0 : 1.0;
  const double a = dot(p.normal, mq) - p.distance;
  const double b = sign * (dot(q.normal, mp) - q.distance);
  Border& border = (*borders)[{one.owner, other.owner}];
  border.steps += round_up((a - b) * 0.5);
  border.allowed += round_up(rules.t((mp[2] + mq[2]) * 0.5));
}

Borders borders_of(const Frame& frame, const Look& look, const Look& rest, const Rules& rules,
                   const Found& found) {
  Borders borders;
  const auto of_frame = [&](int c, int r) {
    return Side{found.owners[frame.cell(c, r)], &look.cells[frame.cell(c, r)]};
  };
  const auto of_rest = [&](int c, int r) {
    return Side{found.owners_of_rest[frame.cell(c, r)], &rest.cells[frame.cell(c, r)]};
  };
  const auto add = [&](const Side& one, const Side& other) {
    add_pair(rules, found.planes, one, other, &borders);
  };
  for (int r = 0; r < frame.rows; ++r) {
    for (int c = 0; c < frame.columns; ++c) {
      if (c + 1 < frame.columns) {
        add(of_frame(c, r), of_frame(c + 1, r));
        add(of_rest(c, r), of_rest(c + 1, r));
      }
      if (r + 1 < frame.rows) {
        add(of_frame(c, r), of_frame(c, r + 1));
        add(of_rest(c, r), of_rest(c, r + 1));
      }
      add(of_frame(c, r), of_rest(c, r));
    }
  }
  return borders;
}

// True if two planes may merge.
bool may_be_one(const Rules& rules, const Border& border, const FoundPlane& p,
                const FoundPlane& q) {
  if (!(std::abs(border.steps) <= border.allowed)) return false;
  if (!(std::abs(dot(p.fit.normal, q.fit.normal)) >= 0.97815)) return false;
  Sums sums = p.sums;
  sums.add(q.sums);
  const Fit joint = fit_of(sums);
  const double z = joint.mean[2];
  const double bent = rules.merge_floor + rules.merge_slope * z * z;
  const double limit = greater_of(rules.t2(z, joint.l3), bent * bent);
  const FoundPlane& smaller = p.sums.n < q.sums.n ? p : q;
  return joint.l1 <= limit && distance2(statistics_of(smaller.sums), joint) <= limit;
}

}  // namespace

void merge(const Frame& frame, const Look& look, const Look& rest, const Rules& rules, Found* found,
           planes::Counts* counts) {
  const std::vector<int> became = merge_in_passes(
      borders_of(frame, look, rest, rules, *found), 16, &found->planes,
      [&](const Border& border, const FoundPlane& p, const FoundPlane& q) {
        return may_be_one(rules, border, p, q);
      },
      counts);
  for (std::vector<int>* owners : {&found->owners, &found->owners_of_rest}) {
    for (int& owner : *owners) {
      if (owner != kNone) owner = became[static_cast<std::size_t>(owner)];
    }
  }
}

// Labels of pixels.

namespace {

// The owners, of both kinds, of the 5x5 cells about a cell, from the lowest number up.
std::set<int> planes_around(const Frame& frame, const Found& found, int column, int row) {
  std::set<int> around;
  for (int r = std::max(0, row - 2); r <= std::min(frame.rows - 1, row + 2); ++r) {
    for (int c = std::max(0, column - 2); c <= std::min(frame.columns - 1, column + 2); ++c) {
      around.insert(found.owners[frame.cell(c, r)]);
      around.insert(found.owners_of_rest[frame.cell(c, r)]);
    }
  }
  around.erase(kNone);
  return around;
}

// A plane as the pixels of a cell see it.
struct Target {
  int number;
  std::int64_t a, b, c, d, limit;
};

Target target_of(int number, const Fit& fit, const Vector& cell_mean, const MetricCamera& camera,
                 const Rules& rules) {
  const double one = std::ldexp(1.0, 40);
  const double b = fit.normal[0] / camera.focal_x;
  const double c = fit.normal[1] / camera.focal_y;
  const double a = fit.normal[2] - b * camera.principal_x - c * camera.principal_y;
  const double t2 = rules.t2(cell_mean[2], between(cell_mean, fit.mean));
  return {number,
          round_up(a * one),
          round_up(b * one),
          round_up(c * one),
          round_up(fit.distance),
          static_cast<std::int64_t>(2.0 * std::sqrt(t2))};
}

}  // namespace

std::vector<int> label_pixels(const Frame& frame, const MetricCamera& camera, const Look& look,
                              const Rules& rules, const Found& found) {
  std::vector<int> labels(frame.points.size(), kNone);
  for (int row = 0; row < frame.rows; ++row) {
    for (int column = 0; column < frame.columns; ++column) {
      const Sums& sums = look.cells[frame.cell(column, row)];
      if (sums.n == 0) continue;
      const Vector mean = statistics_of(sums).mean;
      std::vector<Target> targets;
      for (const int number : planes_around(frame, found, column, row)) {
        const Fit& fit = found.planes[static_cast<std::size_t>(number)].fit;
        targets.push_back(target_of(number, fit, mean, camera, rules));
      }
      const int x0 = column * 8;
      for (int y = row * 8; y < std::min(frame.height, row * 8 + 8); ++y) {
        for (int x = x0; x < std::min(frame.width, x0 + 8); ++x) {
          if (!frame.known[frame.pixel(x, y)]) continue;
          const std::int64_t z = frame.points[frame.pixel(x, y)][2];
          int nearest = kNone;
          std::int64_t least = 0;
          for (const Target& t : targets) {
            const std::int64_t along = ((t.a + t.b * x0 + t.c * y) >> 12) + (x - x0) * (t.b >> 12);
            const std::int64_t d = std::abs(((z * along) >> 28) - t.d);
            if (d > t.limit || (nearest != kNone && d >= least)) continue;
            nearest = t.number;
            least = d;
          }
          labels[frame.pixel(x, y)] = nearest;
        }
      }
    }
  }
  return labels;
}

std::vector<int> smoothed(const Frame& frame, const std::vector<int>& labels) {
  std::vector<int> result = labels;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const std::size_t pixel = frame.pixel(x, y);
      if (!frame.known[pixel]) continue;
      bool differs = false;
      std::map<int, int> votes;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if ((dx == 0 && dy == 0) || x + dx < 0 || x + dx >= frame.width || y + dy < 0 ||
              y + dy >= frame.height) {
            continue;
          }
          const int other = labels[frame.pixel(x + dx, y + dy)];
          if ((dx == 0 || dy == 0) && other != labels[pixel]) differs = true;
          if (other != kNone) votes[other] += 1;
        }
      }
      if (!differs) continue;
      for (const auto& [plane, count] : votes) {
        if (count >= 5) result[pixel] = plane;
      }
    }
  }
  return result;
}

}  // namespace rdp::test::second
