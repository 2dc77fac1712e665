// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_MOTION_MOTION_SCENE_H_
#define RDP_TESTS_MOTION_MOTION_SCENE_H_

#include <cstdint>
#include <vector>

#include "common/motion/input.h"

// Synthetic scenes with known truth: points of constant velocity. A camera shows each point as a
// track on its own short segment, exact except for rounding to float.
namespace rdp::motion::test {

struct ScenePoint {
  Point place;     // m, in the world, at time 0
  Point velocity;  // m/s
};

struct SceneFrame {
  std::vector<std::uint32_t> offsets;
  std::vector<Segment> segments;
  std::vector<std::size_t> point_of;  // of each segment
  std::vector<klt::Track> tracks;     // id: point number, from 1
  Input rest;

  Input input() const {
    Input in = rest;
    in.segments = {offsets, segments};
    in.tracks = tracks;
    return in;
  }
};

struct Scene {
  int width = 640;
  int height = 480;
  int column_width = 1;  // of the segments
  Camera camera = {500.0, 510.0, 320.5, 239.25, 0.5};
  Values values = {Measure::kDisparity, 1.0 / 256.0, 0.0, 0.0};
  std::vector<ScenePoint> points;

  // Adds columns x rows points with one velocity, spread over the camera's view from the origin.
  // Their distances vary from `near` to `far` metres from point to point.
  void add_grid(int columns, int rows, double near, double far, const Point& velocity = {});
  // Adds points of an upright plane at distance z, around the ray of a pixel, `step` px apart.
  void add_board(double column, double row, int columns, int rows, double step, double z,
                 const Point& velocity);

  // The view of a camera at `pose`, `seconds` after the start, as frame number `age` of the
  // tracker.
  SceneFrame frame(double seconds, const Pose& pose, std::uint32_t age) const;
};

// Pose of a camera at `place`, turned to the right by `angle` (rad).
Pose turned_pose(double angle, const Point& place);

}  // namespace rdp::motion::test

#endif  // RDP_TESTS_MOTION_MOTION_SCENE_H_
