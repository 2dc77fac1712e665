// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/second_frame.h"

#include <algorithm>
#include <cmath>

namespace rdp::test::second {

// Camera, samples and points.

namespace {

template <typename Number>
Number or_default(Number value, Number otherwise) {
  return value > 0 ? value : otherwise;
}

}  // namespace

Rules::Rules(int width, int height, const MetricCamera& camera,
             const planes::Parameters& parameters) {
  const std::int64_t pixels = static_cast<std::int64_t>(width) * height;
  while (pixels > std::int64_t{1} << (20 + 2 * shift)) ++shift;
  unit = static_cast<double>(1 << shift) / 16000.0;
  units = 1.0 / unit;
  floor = parameters.noise_floor * units;
  noise_scale = 1.7 * unit;
  const double step = camera.depth.factor * units;
  rounding = camera.depth.reciprocal ? 0.0 : step * step / 12.0;
  merge_floor = 1.3 * or_default(parameters.tolerance, 0.005) * units;
  merge_slope = 1.3 * parameters.tolerance_z2 * unit;
  bend = parameters.bend;
  const double t = at_least(parameters.max_thickness, 0.0);
  thickness = t * t;
  directions = or_default(parameters.directions, 45);
  rounds = or_default(parameters.rounds, 4);
  angle_step = kPi / directions;
  distance_step = or_default(parameters.distance_step, 0.040) * units;
  least_inliers = or_default(parameters.min_inliers, std::max<std::int64_t>(1, pixels / 300));
  least_votes = least_inliers / 4 * 16;
  least_part = pixels / 768;
  noise = parameters.noise;
}

double Rules::t(double z) const {
  const double slope = noise * noise_scale;
  return floor + slope * z * z;
}

double Rules::t2(double z, double e) const { return t(z) * t(z) + bend * bend * e; }

Frame::Frame(const DepthView& samples, const MetricCamera& camera,
             const planes::Parameters& parameters, const Rules& rules)
    : width(samples.width),
      height(samples.height),
      columns((samples.width + 7) / 8),
      rows((samples.height + 7) / 8) {
  const double most = static_cast<double>((1 << (20 - rules.shift)) - 1) + 0.5;
  for (int y = 0; y < height; ++y) {
    const std::int64_t ray_y = round_up((y - camera.principal_y) / camera.focal_y * 262144);
    for (int x = 0; x < width; ++x) {
      const std::int64_t ray_x = round_up((x - camera.principal_x) / camera.focal_x * 262144);
      std::int64_t z = 0;
      const int s = samples.at(y, x);
      if (s >= 1 && s >= parameters.min_value && s <= parameters.max_value) {
        const double linear = s * camera.depth.factor + camera.depth.offset;
        if (linear > 0.0) {
          const double metres = camera.depth.reciprocal ? camera.depth.numerator / linear : linear;
          const double v = metres * rules.units;
          if (0.5 <= v && v < most) z = round_up(v);
        }
      }
      points.push_back({(z * ray_x + 131072) >> 18, (z * ray_y + 131072) >> 18, z});
      known.push_back(z != 0);
    }
  }
}

// Nodes.

namespace {

struct Square {
  Sums sums;
  std::int64_t pixels = 0;  // within the frame
};

// The node of `side` pixels a side that begins at column * side, row * side.
Square square_of(const Frame& frame, const std::vector<bool>& used, int side, int column, int row) {
  Square square;
  for (int y = row * side; y < std::min(frame.height, (row + 1) * side); ++y) {
    for (int x = column * side; x < std::min(frame.width, (column + 1) * side); ++x) {
      square.pixels += 1;
      if (used[frame.pixel(x, y)]) square.sums.add(frame.points[frame.pixel(x, y)]);
    }
  }
  return square;
}

int nodes_along(int pixels, int side) { return (pixels + side - 1) / side; }

}  // namespace

double measure_noise(const Frame& frame, const Rules& rules) {
  if (rules.noise > 0.0) return rules.noise;
  std::vector<double> deviations;
  for (int row = 0; row < nodes_along(frame.height, 16); ++row) {
    for (int column = 0; column < nodes_along(frame.width, 16); ++column) {
      const Square node = square_of(frame, frame.known, 16, column, row);
      if (node.sums.n < 250) continue;
      const Fit fit = fit_of(node.sums);
      const double variance = at_least(fit.l1 - rules.rounding, 0.0);
      deviations.push_back(std::sqrt(variance) / (fit.mean[2] * fit.mean[2]));
    }
  }
  const std::size_t m = deviations.size();
  if (m < 20) return 0.001;
  std::sort(deviations.begin(), deviations.end());
  const double noise = deviations[3 * m / 10] / rules.unit;
  return noise < 0.004 ? noise : 0.004;
}

Look look_at(const Frame& frame, const std::vector<bool>& used, const Rules& rules, double fill) {
  Look look;
  std::vector<bool> settled(frame.cells());  // cells of a flat node
  for (int level = 4; level >= 0; --level) {
    const int side = 8 << level;
    for (int row = 0; row < nodes_along(frame.height, side); ++row) {
      for (int column = 0; column < nodes_along(frame.width, side); ++column) {
        if (settled[frame.cell_of_pixel(column * side, row * side)]) continue;
        look.nodes += 1;
        const Square square = square_of(frame, used, side, column, row);
        Node node;
        node.level = level;
        node.sums = square.sums;
        if (node.sums.n < 16 ||
            !(static_cast<double>(node.sums.n) >= fill * static_cast<double>(square.pixels))) {
          continue;
        }
        node.statistics = statistics_of(node.sums);
        const Statistics& s = node.statistics;
        node.t2 = rules.t2(s.mean[2], s.c[0][0] + s.c[1][1] + s.c[2][2]);
        if (thicker(s, node.t2)) continue;
        node.fit = fit_of(s);
        if (!(node.fit.l2 > 4.0 * node.fit.l1)) continue;
        for (int r = row << level; r < std::min(frame.rows, (row + 1) << level); ++r) {
          for (int c = column << level; c < std::min(frame.columns, (column + 1) << level); ++c) {
            node.cells.push_back(frame.cell(c, r));
            settled[frame.cell(c, r)] = true;
          }
        }
        look.flat.push_back(node);
      }
    }
  }
  for (int r = 0; r < frame.rows; ++r) {
    for (int c = 0; c < frame.columns; ++c) {
      look.cells.push_back(square_of(frame, used, 8, c, r).sums);
    }
  }
  return look;
}

}  // namespace rdp::test::second
