// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_FRAME_H_
#define RDP_TESTS_PLANES_SECOND_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/planes/parameters.h"
#include "tests/planes/second_ball.h"

// The sections "Camera, samples and points" and "Nodes" of docs/internals/planes-definition.md.
namespace rdp::test::second {

// The constants derived from the properties.
struct Rules {
  Rules(int width, int height, const MetricCamera& camera, const planes::Parameters& parameters);

  double t(double z) const;             // T(z)
  double t2(double z, double e) const;  // T2(z, E)

  int shift = 0;
  double unit, units;
  double floor, noise_scale, rounding;
  double merge_floor, merge_slope, bend;
  double thickness;
  int directions, rounds;
  double angle_step, distance_step;
  std::int64_t least_inliers, least_votes, least_part;
  double noise = 0.0;  // the property; once measured, that of the frame
};

// A depth frame as points; Z is 0 where a pixel is unknown.
struct Frame {
  Frame(const DepthView& samples, const MetricCamera& camera, const planes::Parameters& parameters,
        const Rules& rules);

  std::size_t pixel(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  std::size_t cell(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
  std::size_t cell_of_pixel(int x, int y) const { return cell(x / 8, y / 8); }
  std::size_t cells() const {
    return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  }

  int width, height;
  int columns, rows;  // of cells
  std::vector<Integers> points;
  std::vector<bool> known;
};

// A flat node.
struct Node : Voter {
  int level = 0;
  std::vector<std::size_t> cells;  // within the frame
};

// The nodes of some of a frame's pixels.
struct Look {
  std::vector<Sums> cells;
  std::vector<Node> flat;  // by level from 4 down to 0, then row, then column
  std::int64_t nodes = 0;  // looked at
};

double measure_noise(const Frame& frame, const Rules& rules);
// `used`: the pixels treated as valid.
Look look_at(const Frame& frame, const std::vector<bool>& used, const Rules& rules, double fill);

}  // namespace rdp::test::second

#endif  // RDP_TESTS_PLANES_SECOND_FRAME_H_
